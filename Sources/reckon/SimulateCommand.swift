import ArgumentParser
import Drives
import Essentials
import Programs
import Simulation

/// `reckon simulate`
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Make a drive with truth from a scenario and a seed.",
    discussion: """
      The same scenario and seed give the same bytes. Exits with 0, with 2 for arguments that cannot be used and \
      with 3 for a scenario that cannot be used or a folder that cannot be written.
      """)

  @Argument(help: "A scenario file, or the name of a built-in scenario.") var scenario: String?
  @Option(parsing: .unconditional, help: "Seed of all random numbers; the scenario's own if not given.")
  var seed: UInt64?
  @Option(help: ArgumentHelp("Folder for the drive.", valueName: "folder")) var output: String?
  @Flag(help: "Write into a folder that is not empty, over the drive that is in it.") var force = false
  @Flag(help: "List the built-in scenarios.") var list = false

  func validate() throws {
    if list { return }
    guard scenario != nil else { throw ValidationError("Give a scenario file, or see --list.") }
    guard let output else { throw ValidationError("Give a folder for the drive with --output.") }
    if !force, let entries = try? FileManager.default.contentsOfDirectory(atPath: output), !entries.isEmpty {
      throw ValidationError("\(output) is not empty; choose another folder, or write into it with --force.")
    }
  }

  func run() async throws {
    if list {
      for scenario in Scenario.builtIn { print("\(scenario.name)  \(scenario.summary)") }
      return
    }
    guard let scenario, let output else { return }
    let simulator = Simulator(scenario: try load(scenario), seed: seed)
    Terminal.progress("simulating \(Int(simulator.track.duration)) s")
    let drive = simulator.run()
    Terminal.progress("writing \(output)")
    try drive.write(to: output, overwriting: force)
    Terminal.endProgress()
  }

  private func load(_ argument: String) throws -> Scenario {
    if !FileManager.default.fileExists(atPath: argument),
      let scenario = Scenario.builtIn.first(where: { $0.name == argument })
    {
      return scenario
    }
    return try Scenario(path: argument)
  }
}
