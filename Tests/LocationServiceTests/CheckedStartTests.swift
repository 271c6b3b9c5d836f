import CLibrary
import Foundation
import TestParts
import Testing

/// What keeps `reckond` from starting, said by the start and by `--check-config` in the same words.
@Suite(.serialized, .enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
struct CheckedStartTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// Runs it to its end, at most 10 s; what it says on standard error.
  private func reckond(_ arguments: [String]) throws -> (status: Int32, said: String) {
    let run = try ProgramRun(try #require(Daemon.binary).path, arguments, within: 10)
    return (run.status, run.errors)
  }

  /// Whether start and check both end with 3 and say `words`.
  private func expectRefusal(_ settings: String, _ words: String) throws {
    let (drive, path) = (try StandingDrive.write(folder), folder + "/reckond.toml")
    try settings.write(toFile: path, atomically: true, encoding: .utf8)
    for arguments in [["--check-config"], ["--replay", drive]] {
      let run = try reckond(["--config", path] + arguments)
      #expect(run.status == 3 && run.said.contains(words), "\(settings) \(arguments): \(run)")
    }
  }

  private func service(database: String? = nil, socket: String? = nil) -> String {
    "[service]\nsocket = \"\(socket ?? folder + "/s")\"\ndatabase = \"\(database ?? "")\"\n"
  }

  @Test func aFolderThatIsMissingIsFoundByTheCheck() throws {
    try expectRefusal(service(database: folder + "/none/d"), "there is no folder \(folder)/none")
    try expectRefusal(service(socket: folder + "/none/s"), "socket: \(folder)/none/s: No such file")
    try Data().write(to: URL(filePath: folder + "/file"))
    try expectRefusal(service(socket: folder + "/file"), "there is a file that is no socket")
  }

  @Test func aFileThatIsMissingIsFoundByTheCheck() throws {
    let broker = "[mqtt]\nhost = \"127.0.0.1\"\nuser = \"u\"\npassword_file = \"\(folder)/none\"\n"
    try expectRefusal(service() + broker, "\(folder)/none cannot be read")
    let coarse = "[coarse]\nsocket = \"\(folder)/c\"\ndatabase = \"\(folder)/places\"\n"
    try expectRefusal(service() + coarse, "\(folder)/places")
    try Data(String(repeating: "text\n", count: 200).utf8).write(to: URL(filePath: folder + "/places"))
    try expectRefusal(service() + coarse, "no database of places of this version")
  }

  /// The start does without them, and says so; so does the check.
  @Test func streetsThatAreMissingAreSaidByTheCheck() throws {
    let path = folder + "/reckond.toml"
    try (service() + "[web]\nport = 1\nstreets = \"\(folder)/none.pmtiles\"\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    let run = try reckond(["--config", path, "--check-config"])
    #expect(run.status == 0 && run.said.contains("the live page goes without streets"), "\(run)")
  }

  /// A device, a pipe, a folder and a text: refused before anything is made beside them.
  @Test func whatIsNoDatabaseIsLeftAsItIs() throws {
    let place = folder + "/place"
    try FileManager.default.createDirectory(atPath: place + "/folder", withIntermediateDirectories: true)
    let text = String(repeating: "a letter\n", count: 500)
    try text.write(toFile: place + "/letter", atomically: true, encoding: .utf8)
    #expect(mkfifo(place + "/pipe", 0o644) == 0 && symlink("/dev/null", place + "/null") == 0)
    for name in ["folder", "pipe", "null"] {
      try expectRefusal(service(database: "\(place)/\(name)"), "is a folder, a device or a pipe")
    }
    try expectRefusal(service(database: place + "/letter"), "is no database of reckond")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place).sorted() == [
        "folder", "letter", "null", "pipe",
      ])
    #expect(try String(contentsOfFile: place + "/letter", encoding: .utf8) == text)
    var (pipe, null) = (stat(), stat())
    #expect(stat(place + "/pipe", &pipe) == 0 && pipe.st_mode & 0o777 == 0o644)
    #expect(stat("/dev/null", &null) == 0 && null.st_mode & 0o777 == 0o666)
  }

  /// A database that is there is read, and nothing of it or beside it changes.
  @Test func theCheckChangesNothing() throws {
    let (path, database) = (folder + "/reckond.toml", folder + "/d.sqlite")
    try service(database: database).write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try reckond(["--config", path, "--check-config"]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["reckond.toml"])
    try StoreFaultTests.sql("CREATE TABLE song (name TEXT)", database)
    let before = try Data(contentsOf: URL(filePath: database))
    let run = try reckond(["--config", path, "--check-config"])
    #expect(run.status == 3 && run.said.contains("\(database): is another program's database"), "\(run)")
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["d.sqlite", "reckond.toml"])
  }

  @Test func repeatIsForADriveOnly() throws {
    let run = try reckond(["--repeat", "--check-config", "--database", "", "--socket", folder + "/s"])
    #expect(run.status == 2 && run.said.contains("--repeat is for a drive"), "\(run)")
  }
}
