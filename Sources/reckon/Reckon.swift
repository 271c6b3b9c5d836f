import ArgumentParser
import Programs

@main
struct Reckon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reckon",
    abstract:
      "Sensor-fusion location for vehicles: live, recorded, and replay, evaluate, simulate and import drives.",
    version: ProgramVersion.text,
    subcommands: [
      RunCommand.self, RecordCommand.self, DoctorCommand.self, EvaluateCommand.self, ScoreCommand.self,
      CompareCommand.self, AblateCommand.self,
      StressCommand.self, MergeCommand.self,
      ReplayCommand.self, SimulateCommand.self, ImportCommand.self, WatchCommand.self, RegionsCommand.self,
      AuthorizeCommand.self,
      PlacesCommand.self,
    ])

  static func main() async { await runToTheEnd() }
}
