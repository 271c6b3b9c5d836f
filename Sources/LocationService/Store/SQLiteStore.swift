import CLibrary
import Fusion
import Location
import Locks
import Persistence
import SQLite

/// What must outlive the service, in one SQLite database.
///
/// Each write is one transaction that is on the disk when it returns (write-ahead log, `synchronous = FULL`):
/// after a crash or a power cut the database holds what was written, whole, and nothing else. While there is
/// no room on the disk it can be read, and writes fail until there is. Where its file is removed or replaced
/// while it is open, the next write begins another and throws ``StoreError/removed(path:)``: everything is
/// then to be written again.
public final class SQLiteStore: LocationStore {
  /// Most pages of 4096 bytes that it may take: 64 MB, some hundred times what a car's programs need.
  package static let mostPages = 16_384

  private struct Link {
    /// Nil where the file is gone and none can be made.
    var sqlite: SQLiteFile?
    /// Whether the tables are those of this version: without room on the disk they cannot be made yet.
    var isPrepared = false
    /// How many times another was begun.
    var begun = 0
    /// Whether it is of a copy, because nothing can be written where the database lies.
    var isCopy = false
    /// The database's file, and its log once there is one.
    var file: FileNumber?
    var log: FileNumber?
  }

  private let path: String
  private let mostPages: Int
  private let link: Mutex<Link>

  /// Opens the database at `path`, and makes it if there is none. Throws a ``StoreError``.
  public convenience init(path: String) throws { try self.init(path: path, mostPages: Self.mostPages) }

  /// The same with another limit.
  package init(path: String, mostPages: Int) throws {
    self.path = path
    self.mostPages = mostPages
    link = Mutex(try Self.open(path, mostPages))
  }

  private static func open(_ path: String, _ mostPages: Int) throws -> Link {
    try StoreFile.checkKind(path)
    if ReadOnlyDisk.holds(path) { return try openCopy(of: path) }
    do {
      StorePermissions.make(path)
      let sqlite = try connect(path, mostPages)
      // What may not be written SQLite opens for reading, without a word.
      guard access(path, W_OK) == 0 else { throw StoreError.notPermitted(path: path) }
      var link = Link(sqlite: sqlite, file: FileNumber(path))
      try check(sqlite, path)
      StorePermissions.restrict(path)
      do {
        try prepare(sqlite)
        link.isPrepared = true
      } catch let error as SQLiteError where StoreError.isLackOfRoom(error) {}
      link.log = FileNumber(path + "-wal")
      return link
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }

  /// What was stored can be known also where nothing can be written: who was denied stays denied.
  private static func openCopy(of path: String) throws -> Link {
    guard access(path, F_OK) == 0 else { throw StoreError.readOnly(path: path) }
    do {
      let sqlite = try ReadOnlyDisk.withCopy(of: path) { copy in
        let sqlite = try connect(copy, mostPages)
        try check(sqlite, path)
        try prepare(sqlite)
        return sqlite
      }
      guard let sqlite else { throw StoreError.notPermitted(path: path) }
      return Link(sqlite: sqlite, isPrepared: true, isCopy: true)
    } catch let error as SQLiteError { throw StoreError(error, path: path) }
  }

  /// Opens the database at `path`; one that is damaged or of a newer version is put aside and a new
  /// one begun. `log` is told.
  public static func recovering(path: String, log: (String) -> Void) throws -> SQLiteStore {
    let ending: String
    do {
      let store = try SQLiteStore(path: path)
      guard let flaw = try store.flaw() else { return store }
      log("\(StoreError.damaged(path: path, reason: flaw))")
      // Before it is renamed: on closing, SQLite removes the log by its name.
      try? store.close()
      ending = ".damaged"
    } catch let error as StoreError {
      switch error {
      case .damaged:
        // What was never a database of ours is somebody's file.
        guard StoreFile.isOurs(path) else { throw StoreError.notDatabase(path: path) }
        ending = ".damaged"
      case .newer: ending = ".newer"
      default: throw error
      }
      log("\(error)")
    }
    let aside = try StoreFile.putAside(path, ending)
    log(
      "\(path): put aside as \(aside); beginning anew: programs name their regions again, `reckon authorize` decides again"
    )
    return try SQLiteStore(path: path)
  }

  /// Throws what would keep a service from the database at `path`, and changes nothing there. What would be
  /// put aside keeps it from nothing.
  static func examine(_ path: String) throws {
    try StoreFile.check(path)
    guard access(path, F_OK) == 0 else { return try StoreFile.checkFolder(of: path) }
    guard access(path, R_OK | W_OK) == 0 || errno == EROFS else { throw StoreError.notPermitted(path: path) }
    do { try openCopy(of: path).sqlite?.close() } catch StoreError.damaged, StoreError.newer {}
  }

  /// Closes the database; the log is written into it.
  public func close() throws { try link.withLock { $0.sqlite }?.close() }

  /// Allows so many pages from now on.
  package func allow(mostPages: Int) throws {
    try sqlite().lend { try $0.execute("PRAGMA max_page_count = \(mostPages)") }
  }

  private static func connect(_ path: String, _ mostPages: Int) throws -> SQLiteFile {
    do { return try connect(path, mostPages, isAlone: false) } catch let error as SQLiteError
      where StoreError.isLackOfRoom(error)
    {
      // Alone, SQLite keeps in memory what it otherwise keeps in a file beside the log.
      return try connect(path, mostPages, isAlone: true)
    }
  }

  private static func connect(_ path: String, _ mostPages: Int, isAlone: Bool) throws -> SQLiteFile {
    try SQLiteFile(path: path) { database in
      if isAlone { try database.execute("PRAGMA locking_mode = EXCLUSIVE") }
      try database.execute("PRAGMA synchronous = FULL")
      try database.execute("PRAGMA max_page_count = \(mostPages)")
      // A log that is never longer than a megabyte for long.
      try database.execute("PRAGMA journal_size_limit = 1048576")
    }
  }

  /// Sees whose database it is, before anything is changed in it.
  private static func check(_ sqlite: SQLiteFile, _ path: String) throws {
    try sqlite.read { database in
      let tables: Set<String> = try Set(
        database.all("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap { $0.value("name") })
      if tables.isEmpty {
        // One byte is to SQLite what none is.
        var file = stat()
        guard stat(path, &file) != 0 || file.st_size == 0 || file.st_size >= 512 else {
          throw StoreError.damaged(path: path, reason: "it is cut off within its header")
        }
        return
      }
      let mark: Int? = try database.value("PRAGMA application_id")
      // The first version left no mark, and one that was cut off while it was made has no tables yet.
      let isUnmarked =
        mark == 0 && tables.contains(StoreSchema.versions) && (tables.contains("client") || tables.count == 1)
      guard mark == StoreSchema.mark || isUnmarked else {
        // Nobody else's tables are called as ours are: then the mark is what is damaged.
        let isOurs = tables.isSuperset(of: [StoreSchema.versions, "client", "decision"])
        throw isOurs
          ? StoreError.damaged(path: path, reason: "its mark is not ours") : StoreError.foreign(path: path)
      }
      if try StoreSchema.isNewer(database) { throw StoreError.newer(path: path) }
    }
  }

  private static func prepare(_ sqlite: SQLiteFile) throws {
    try sqlite.lend { try $0.execute("PRAGMA journal_mode = WAL") }
    try StoreSchema.migrate(sqlite)
  }

  /// What is wrong with the whole of it; nil if nothing is.
  private func flaw() throws -> String? {
    do {
      return try sqlite().read { database in
        let verdict: String? = try database.value("PRAGMA integrity_check(1)")
        _ = try StoredState(database)
        return verdict == "ok" ? nil : verdict ?? "no answer"
      }
    } catch let error as SQLiteError {
      guard case .damaged(_, let reason) = StoreError(error, path: path) else {
        throw StoreError(error, path: path)
      }
      return reason
    }
  }

  private func write(_ body: (SQLiteConnection) throws -> Void) throws {
    do {
      let sqlite = try link.withLock { link in
        if link.isCopy { try leaveCopy(&link) }
        if isGone(link) { try beginAnew(&link) }
        let sqlite = try open(link)
        if !link.isPrepared { try Self.prepare(sqlite) }
        link.isPrepared = true
        return sqlite
      }
      try sqlite.write(body)
      try link.withLock { link in
        link.log = link.log ?? FileNumber(path + "-wal")
        // What was removed meanwhile does not hold what was written into it.
        if isGone(link) { try beginAnew(&link) }
      }
    } catch let error as SQLiteError { throw StoreError(error, path: path) }
  }

  private func sqlite() throws -> SQLiteFile { try link.withLock { try open($0) } }

  private func open(_ link: Link) throws -> SQLiteFile {
    guard let sqlite = link.sqlite else { throw StoreError.removed(path: path) }
    return sqlite
  }

  /// How many times another database was begun, into which everything had to be written again.
  var begun: Int { link.withLock { $0.begun } }

  /// Whether another program has removed or replaced the database since it was opened.
  package var isGone: Bool { link.withLock { isGone($0) } }

  private func isGone(_ link: Link) -> Bool {
    if link.isCopy { return false }
    return link.sqlite == nil || link.file != FileNumber(path)
      || link.log.map { $0 != FileNumber(path + "-wal") } ?? false
  }

  /// Goes back to the database itself, once it can be written.
  private func leaveCopy(_ link: inout Link) throws -> Never {
    guard !ReadOnlyDisk.holds(path) else { throw StoreError.readOnly(path: path) }
    let begun = link.begun + 1
    link = try Self.open(path, mostPages)
    link.begun = begun
    throw StoreError.writableAgain(path: path)
  }

  /// Makes a database in place of the one that is gone, and throws that everything has to be written again.
  private func beginAnew(_ link: inout Link) throws -> Never {
    // First, because on closing SQLite removes the log by its name. Where that alone was removed, its content
    // goes into the file.
    try? link.sqlite?.close()
    link.sqlite = nil
    let begun = link.begun + 1
    link = try Self.open(path, mostPages)
    link.begun = begun
    throw StoreError.removed(path: path)
  }

  /// Writes all of `changes` in one transaction.
  public func write(_ changes: [StoreChange]) throws {
    try write { database in
      for change in changes { try Self.write(change, database) }
    }
  }

  /// Writes what an engine can start from, known at `unixTime`.
  public func write(_ state: SavedState, unixTime: Double) throws {
    let text = try SavedStateFile.text(of: state, path: "saved state", unixTime: unixTime)
    try write { try Self.write("savedState", text, $0) }
  }

  /// What an engine can start from; nil if nothing was written. One that cannot be used
  /// is an error that says why.
  public func savedState(unixTime: Double) throws -> SavedState? {
    let text: String? = try read {
      try $0.hasTable("value") ? $0.value("SELECT value FROM value WHERE key = 'savedState'") : nil
    }
    return try text.map {
      try SavedStateFile.parse(Array($0.utf8), path: "saved state", unixTime: unixTime)
    }
  }

  /// Everything that was written, the engine's state apart. Rows that make no sense are
  /// left out; `log` is told.
  public func read(log: (String) -> Void = { _ in }) throws -> StoredState {
    let state = try read { try StoredState($0) }
    if state.unreadableRows > 0 {
      log("\(path): \(state.unreadableRows) rows make no sense and are left out")
    }
    return state
  }

  private func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    do { return try sqlite().read(body) } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    }
  }
}
