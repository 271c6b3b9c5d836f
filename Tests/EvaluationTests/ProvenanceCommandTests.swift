import Foundation
import TestParts
import Testing

/// Every command that writes JSON, a page or figures says by which version, from what
/// and when they were made.
@Suite(
  .timeLimit(.minutes(15)), .enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ProvenanceCommandTests {
  private let made: TrackMade
  private let environment = ["SOURCE_DATE_EPOCH": "1767225600", "RECKON_COMMIT": "0123456789ab"]

  /// What a command is run with, and what its provenance says then.
  private struct Case: Sendable {
    var arguments: [String]
    var options: [String] = []
    var drive: String?
    /// Where standard output is the JSON.
    var printsJSON = false
    var status: Int32 = 0
  }

  /// By name; FOLDER stands for the folder of the test. A command with such an option that is
  /// not here fails the test.
  private static let cases = [
    "evaluate": Case(
      arguments: ["FOLDER/drives/a", "--no-wheel"], options: ["--no-wheel"], drive: "FOLDER/drives/a"),
    "score": Case(
      arguments: ["FOLDER/track.csv", "--drive", "FOLDER/drives/a"], options: ["score", "FOLDER/track.csv"],
      drive: "FOLDER/drives/a"),
    "compare": Case(
      arguments: ["FOLDER/first.json", "FOLDER/first.json"], drive: "FOLDER/first.json, FOLDER/first.json"),
    "ablate": Case(
      arguments: ["FOLDER/drives", "--parts", "stillness"], options: ["--parts", "stillness"], drive: "a, b"),
    "stress": Case(
      arguments: ["FOLDER/drives", "--seeds", "1:1"], options: ["--seeds", "1:1"], drive: "a, b"),
    "merge": Case(
      arguments: ["FOLDER/part.json"], options: ["--seeds", "2:2"], drive: "a, b"),
    "doctor": Case(
      arguments: ["--gpsd", "none", "--imu", "none", "--duration", "1"],
      options: ["--gpsd", "none", "--imu", "none", "--duration", "1"], printsJSON: true, status: 1),
  ]

  /// It needs a service: see CommandTests.
  private static let exempt: Set = ["watch"]

  init() throws {
    made = TrackMade()
    for name in ["a", "b"] {
      _ = try StressMade.write(StressMade.drive(name, seconds: 60), in: made.folder + "/drives")
    }
  }

  private func run(_ arguments: [String]) throws -> ProgramRun {
    try Tool.run(arguments, environment: environment)
  }

  private func placed(_ text: String) -> String { text.replacing("FOLDER", with: made.folder) }

  /// The commands that have one of the options, and which of them.
  private func writers() throws -> [String: Set<String>] {
    struct Help: Decodable {
      struct Command: Decodable {
        struct Argument: Decodable {
          struct Name: Decodable { var name: String }
          var names: [Name]?
        }
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?
      }
      var command: Command
    }
    let said = try run(["--experimental-dump-help"]).output
    let help = try JSONDecoder().decode(Help.self, from: Data(said.utf8))
    let found = (help.command.subcommands ?? []).map { command in
      let names = (command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)
      return (command.commandName, Set(names).intersection(["json", "report", "figures"]))
    }
    return Dictionary(uniqueKeysWithValues: found.filter { !$0.1.isEmpty })
  }

  private func check(_ json: Any?, _ command: String, _ expected: Case) throws {
    let whole = (json as? [[String: Any]])?.first ?? json as? [String: Any]
    let provenance = try #require(whole?["provenance"] as? [String: Any], "reckon \(command)")
    #expect(Set(provenance.keys) == ["version", "commit", "options", "drive", "date"])
    #expect(provenance["commit"] as? String == "0123456789ab", "reckon \(command)")
    #expect(provenance["date"] as? String == "2026-01-01T00:00:00Z", "reckon \(command)")
    #expect(provenance["options"] as? [String] == expected.options.map(placed), "reckon \(command)")
    #expect(provenance["drive"] as? String == expected.drive.map(placed), "reckon \(command)")
  }

  @Test func everyCommandThatWritesFiguresSaysWhereTheyComeFrom() throws {
    #expect(
      try run(["replay", made.folder + "/drives/a", "--output", made("track.csv")]).status == 0)
    #expect(try run(["evaluate", made.folder + "/drives", "--json", made("first.json")]).status == 0)
    let shard = ["--seeds", "2:2", "--shard", "1/1", "--json", made("part.json")]
    #expect(try run(["stress", made.folder + "/drives"] + shard).status == 0)
    let writers = try writers()
    #expect(Set(writers.keys) == Set(Self.cases.keys).union(Self.exempt))
    for (command, expected) in Self.cases.sorted(by: { $0.key < $1.key }) {
      let options = try #require(writers[command])
      var arguments = [command] + expected.arguments.map(placed)
      let (json, page, figures) = (
        made(command + ".json"), made(command + ".html"), made(command + "-figures")
      )
      if options.contains("json") { arguments += expected.printsJSON ? ["--json"] : ["--json", json] }
      if options.contains("report") { arguments += ["--report", page] }
      if options.contains("figures") { arguments += ["--figures", figures] }
      let ended = try run(arguments)
      #expect(ended.status == expected.status, "\(command): \(ended.errors)")
      let bytes = try expected.printsJSON ? Data(ended.output.utf8) : Data(contentsOf: URL(filePath: json))
      try check(try JSONSerialization.jsonObject(with: bytes), command, expected)
      let line = "commit 0123456789ab, on 2026-01-01T00:00:00Z"
      if options.contains("report") {
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains(line), "\(command) --report")
      }
      guard options.contains("figures") else { continue }
      let files = try FileManager.default.contentsOfDirectory(atPath: figures)
      #expect(!files.isEmpty)
      for file in files {
        let text = try String(contentsOfFile: figures + "/" + file, encoding: .utf8)
        #expect(text.contains("<metadata>") && text.contains(line), "\(command): \(file)")
      }
    }
  }
}
