import ArgumentParser

@main
struct Reckon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reckon",
    abstract: "Sensor-fusion location for vehicles: replay, evaluate and simulate drives.")
}
