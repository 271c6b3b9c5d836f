import CLibrary
import Foundation
import Location
import LocationService
import Locks
import Navigation
import SQLite
import TestParts
import Testing

/// Databases that are broken, in the way, too new or too large, and disks without room.
@Suite struct StoreFaultTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private var path: String { folder + "/store.sqlite" }
  private let client = ClientIdentity(name: "com.example.a", user: 1000)

  private func kept(_ count: Int) -> DurableClient {
    var kept = DurableClient()
    kept.regions = RegionMonitor(
      watches: [RegionWatch(region: Made.home, state: .inside)],
      pending: (0..<count).map {
        .init(
          number: Int64($0 + 1), identifier: "home", kind: .exited, timestamp: Made.time(Double($0)), utc: nil
        )
      }, nextNumber: Int64(count + 1))
    kept.wantsSignificantChanges = true
    kept.lastChange = Made.location(at: 1)
    kept.pendingChanges = [Made.location(at: 1)]
    return kept
  }

  /// A database with something of everything, as it lies on the disk.
  private func written() throws -> Data {
    let store = try SQLiteStore(path: path)
    try store.write([
      .client(client, kept(20)), .decision(client, .init(.denied)), .lastLocation(Made.location(at: 3)),
      .audit([.init(client: client, purpose: "p", from: Made.time(0), until: Made.time(1), count: 3)]),
    ])
    try store.close()
    return try Data(contentsOf: URL(filePath: path))
  }

  /// What a service leaves beside its database: by it a file with a damaged head is known to be one.
  private func leaveLock() throws { try Data().write(to: URL(filePath: path + ".lock")) }

  private func recover() throws -> (store: SQLiteStore, said: [String]) {
    var said: [String] = []
    return (try SQLiteStore.recovering(path: path) { said.append($0) }, said)
  }

  /// Damage anywhere: the service begins, with what was stored or with a file put aside and a word about it;
  /// never with less and silence.
  @Test(arguments: ["bits", "cut", "noise"])
  func storeThatIsDamagedAnywhereNeverCrashesAndIsNeverSilentlyEmptied(
    _ kind: String
  ) throws {
    let good = try written()
    var dice = Dice(seed: 150)
    var aside = 0
    for _ in 0..<150 {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var bytes = good
      switch kind {
      case "bits":
        for _ in 0..<Int.random(in: 1...20, using: &dice) {
          let at = Int.random(in: 0..<bytes.count, using: &dice)
          bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        }
      case "cut": bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &dice))
      default:
        let at = Int.random(in: 0..<bytes.count - 512, using: &dice)
        for i in at..<at + 512 { bytes[i] = UInt8.random(in: 0...255, using: &dice) }
      }
      try bytes.write(to: URL(filePath: path))
      try leaveLock()
      var (store, said) = try recover()
      let state = try store.read { said.append($0) }
      let isAside = FileManager.default.fileExists(atPath: path + ".damaged")
      aside += isAside ? 1 : 0
      if state.clients[client] == nil || isAside { #expect(!said.isEmpty) }
      // What was put aside is all that there was.
      if isAside { #expect(try Data(contentsOf: URL(filePath: path + ".damaged")).count == bytes.count) }
      // Whatever was read, the service runs on it and writes again.
      var bench = Bench(stored: state)
      let id = bench.client()
      bench.say(.startMonitoring(Made.home), id)
      for i in 0..<5 { bench.drive(north: Double(i) * 400) }
      try store.write(bench.written)
      try store.close()
    }
    if kind != "bits" { #expect(aside > 0) }
  }

  @Test func storePutAsideTwiceKeepsBoth() throws {
    try leaveLock()
    for i in 1...3 {
      try Data(repeating: UInt8(i), count: 5000 + i).write(to: URL(filePath: path))
      let (store, said) = try recover()
      #expect(said.count == 2 && said[1].contains("put aside as"))
      try store.close()
    }
    for (name, size) in [(".damaged", 5001), (".damaged-2", 5002), (".damaged-3", 5003)] {
      #expect(try Data(contentsOf: URL(filePath: path + name)).count == size)
    }
  }

  @Test func storeOfANewerVersionIsPutAsideAndSaidWithWhatToDo() throws {
    _ = try written()
    try sql("INSERT INTO grdb_migrations VALUES ('99')")
    let (store, said) = try recover()
    #expect(said.count == 2 && said[0].contains("newer version") && said[0].contains("install"))
    #expect(try store.read() == StoredState())
    #expect(FileManager.default.fileExists(atPath: path + ".newer"))
    #expect(throws: StoreError.newer(path: path + ".newer")) { try SQLiteStore(path: path + ".newer") }
  }

  @Test func storeOfTheFirstVersionIsTakenOver() throws {
    _ = try written()
    try sql(
      """
      ALTER TABLE client DROP COLUMN historySince; ALTER TABLE client DROP COLUMN wantsVisits; DROP TABLE history;
      ALTER TABLE client DROP COLUMN lastChange; DROP TABLE visit;
      ALTER TABLE decision DROP COLUMN fullAccuracyPurposeKeys; PRAGMA application_id = 0;
      DELETE FROM grdb_migrations WHERE identifier > '1'
      """
    )
    let (store, said) = try recover()
    var expected = kept(20)
    expected.lastChange = nil
    #expect(try store.read().clients == [client: expected] && said.isEmpty)
    try store.write([.client(client, kept(3))])
    #expect(try store.read().clients == [client: kept(3)])
  }

  @Test func storeOfAnotherProgramIsLeftAlone() throws {
    try sql("CREATE TABLE client (song TEXT); INSERT INTO client VALUES ('x')")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: StoreError.foreign(path: path)) { try recover() }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["store.sqlite"])
  }

  @Test func storeThatCannotBeOpenedSaysWhatToDo() throws {
    #expect(throws: StoreError.folderMissing(path: folder + "/a/b.sqlite")) {
      try SQLiteStore.recovering(path: folder + "/a/b.sqlite") { _ in }
    }
    // A folder where the file should be.
    #expect(throws: StoreError.notAFile(path: folder)) {
      try SQLiteStore.recovering(path: folder) { _ in }
    }
    for error in [StoreError.folderMissing(path: "/x/y"), .notPermitted(path: "/x/y")] {
      #expect("\(error)".contains("/x/y") && "\(error)".contains("name another database"))
    }
  }

  /// A text file that somebody named by mistake, and what is no file at all.
  @Test func whatIsNoDatabaseIsRefusedUntouched() throws {
    let text = Data(String(repeating: "a letter\n", count: 500).utf8)
    try text.write(to: URL(filePath: path))
    chmod(path, 0o644)
    for _ in 0..<2 {
      #expect(throws: StoreError.notDatabase(path: path)) { try recover() }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == text)
    let (pipe, link) = (folder + "/pipe", folder + "/link")
    #expect(mkfifo(pipe, 0o644) == 0 && symlink("/dev/null", link) == 0)
    for other in [pipe, link, folder] {
      #expect(throws: StoreError.notAFile(path: other)) { try SQLiteStore(path: other) }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
        "link", "pipe", "store.sqlite",
      ])
    var (file, special) = (stat(), stat())
    #expect(stat(path, &file) == 0 && file.st_mode & 0o777 == 0o644)
    #expect(stat(pipe, &special) == 0 && special.st_mode & 0o777 == 0o644)
  }

  /// A user who may read the file and not write it. As root nothing is forbidden: the
  /// program is run as another user.
  @Test func storeThatMayNotBeWrittenSaysWhatToDo() throws {
    _ = try written()
    if getuid() != 0 {
      chmod(path, 0o444)
      chmod(folder, 0o555)
      defer { chmod(folder, 0o755) }
      #expect(throws: StoreError.notPermitted(path: path)) { try recover() }
      return
    }
    let torture = try #require(Daemon.binary).deletingLastPathComponent().appending(path: "store-torture")
      .path
    guard access("/usr/bin/setpriv", X_OK) == 0 else {
      print("skipped: takes setpriv to run as another user")
      return
    }
    for (file, directory) in [(0o444, 0o755), (0o644, 0o555), (0o600, 0o755), (0o666, 0o755), (0o444, 0o777)]
    {
      chmod(path, mode_t(file))
      chmod(folder, mode_t(directory))
      let run = try ProgramRun(
        "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", torture, path], within: 10)
      #expect(!run.isCutOff)
      #expect(
        run.errors.contains("cannot be read and written by user 65534"), "\(file) \(directory): \(run.errors)"
      )
    }
    chmod(folder, 0o755)
  }

  private func sql(_ text: String) throws { try Self.sql(text, path) }

  /// Changes the database at `path` behind the store's back.
  static func sql(_ text: String, _ path: String) throws {
    let file = try SQLiteFile(path: path)
    try file.lend { try $0.execute(text) }
    try file.close()
  }
}
