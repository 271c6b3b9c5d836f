import ArgumentParser

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main
struct Reckon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reckon",
    abstract:
      "Sensor-fusion location for vehicles: live, recorded, and replay, evaluate, simulate and import drives.",
    subcommands: [
      RunCommand.self, RecordCommand.self, DoctorCommand.self, EvaluateCommand.self, ReplayCommand.self,
      SimulateCommand.self, ImportCommand.self, WatchCommand.self, RegionsCommand.self, AuthorizeCommand.self,
      PlacesCommand.self,
    ])

  /// Runs the command; unusable arguments end it with 2 instead of the parser's 64.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      Terminal.error(fullMessage(for: error))
      exit(withError: ExitStatus.unusableArguments)
    }
  }
}

/// How the commands end when they do not succeed.
enum ExitStatus {
  /// An argument that cannot be used.
  static let unusableArguments = ExitCode(2)
  /// Data that cannot be used.
  static let unusableData = ExitCode(3)
}
