#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

import Fusion
import GRDB
import JSON
import Location
import Navigation
import Persistence

/// What must outlive the service, in one SQLite database.
///
/// Each write is one transaction that is on the disk when it returns (write-ahead log, `synchronous = FULL`): after a crash or
/// a power cut the database holds what was written, whole, and nothing else.
public final class SQLiteStore: LocationStore {
  private let database: DatabaseQueue

  /// Opens the database at `path`, and makes it if there is none.
  public init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // A log that is never longer than a megabyte for long.
      try database.execute(sql: "PRAGMA journal_size_limit = 1048576")
    }
    database = try DatabaseQueue(path: path, configuration: configuration)
    try Self.migrator.migrate(database)
  }

  /// Opens the database at `path`; one that is damaged is put aside and a new one begun. `log` is told.
  public static func recovering(path: String, log: (String) -> Void) throws -> SQLiteStore {
    do {
      let store = try SQLiteStore(path: path)
      let verdict = try store.database.read { try String.fetchOne($0, sql: "PRAGMA quick_check") }
      if verdict == "ok" { return store }
      log("\(path): damaged (\(verdict ?? "no answer"))")
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      log("\(path): damaged (\(error))")
    }
    let aside = path + ".damaged"
    for end in ["", "-wal", "-shm"] { _ = rename(path + end, aside + end) }
    log("\(path): put aside as \(aside); beginning anew")
    return try SQLiteStore(path: path)
  }

  /// Closes the database; the log is written into it.
  public func close() throws { try database.close() }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE client (
            name TEXT NOT NULL, user INTEGER NOT NULL, nextEvent INTEGER NOT NULL,
            wantsSignificantChanges INTEGER NOT NULL, PRIMARY KEY (name, user)) WITHOUT ROWID;
          CREATE TABLE region (
            name TEXT NOT NULL, user INTEGER NOT NULL, identifier TEXT NOT NULL, state TEXT NOT NULL,
            latitudeDegrees REAL NOT NULL, longitudeDegrees REAL NOT NULL, radius REAL NOT NULL,
            notifyOnEntry INTEGER NOT NULL, notifyOnExit INTEGER NOT NULL,
            PRIMARY KEY (name, user, identifier),
            FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
          CREATE TABLE event (
            name TEXT NOT NULL, user INTEGER NOT NULL, number INTEGER NOT NULL,
            identifier TEXT NOT NULL, kind TEXT NOT NULL, timestamp INTEGER NOT NULL, utc INTEGER,
            PRIMARY KEY (name, user, number),
            FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
          CREATE TABLE significantChange (
            name TEXT NOT NULL, user INTEGER NOT NULL, place INTEGER NOT NULL, location TEXT NOT NULL,
            PRIMARY KEY (name, user, place),
            FOREIGN KEY (name, user) REFERENCES client ON DELETE CASCADE) WITHOUT ROWID;
          CREATE TABLE decision (
            name TEXT NOT NULL, user INTEGER NOT NULL, status TEXT NOT NULL, accuracy TEXT NOT NULL,
            PRIMARY KEY (name, user)) WITHOUT ROWID;
          CREATE TABLE audit (
            name TEXT NOT NULL, user INTEGER NOT NULL, purpose TEXT NOT NULL,
            began INTEGER NOT NULL, ended INTEGER NOT NULL, count INTEGER NOT NULL);
          CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
          """)
    }
    return migrator
  }

  /// Writes all of `changes` in one transaction.
  public func write(_ changes: [StoreChange]) throws {
    try database.write { database in
      for change in changes { try Self.write(change, database) }
    }
  }

  private static func write(_ change: StoreChange, _ database: Database) throws {
    switch change {
    case .client(let client, let kept): try write(client, kept, database)
    case .decision(let client, let grant?):
      try database.execute(
        sql: "INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?)",
        arguments: [client.name, client.user, grant.status.rawValue, grant.accuracy.rawValue])
    case .decision(let client, nil):
      try database.execute(
        sql: "DELETE FROM decision WHERE name = ? AND user = ?", arguments: [client.name, client.user])
    case .audit(let entries):
      try database.execute(sql: "DELETE FROM audit")
      for entry in entries {
        try database.execute(
          sql: "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?)",
          arguments: [
            entry.client.name, entry.client.user, entry.purpose, entry.from.nanoseconds,
            entry.until.nanoseconds, entry.count,
          ])
      }
    case .lastLocation(let location): try write("lastLocation", location.json.text, database)
    }
  }

  private static func write(
    _ client: ClientIdentity, _ kept: DurableClient, _ database: Database
  ) throws {
    let key: [any DatabaseValueConvertible] = [client.name, client.user]
    try database.execute(
      sql: "DELETE FROM client WHERE name = ? AND user = ?", arguments: StatementArguments(key))
    try database.execute(
      sql: "INSERT INTO client VALUES (?, ?, ?, ?)",
      arguments: StatementArguments(key + [kept.regions.nextNumber, kept.wantsSignificantChanges]))
    for watch in kept.regions.watches.values {
      let region = watch.region
      let values: [any DatabaseValueConvertible] = [
        region.identifier, watch.state.rawValue, region.center.latitudeDegrees,
        region.center.longitudeDegrees, region.radius, region.notifyOnEntry, region.notifyOnExit,
      ]
      try database.execute(
        sql: "INSERT INTO region VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: StatementArguments(key + values))
    }
    for event in kept.regions.pending {
      try database.execute(
        sql: "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          client.name, client.user, event.number, event.identifier, event.kind.rawValue,
          event.timestamp.nanoseconds, event.utc?.nanoseconds,
        ])
    }
    for (i, location) in kept.pendingChanges.enumerated() {
      try database.execute(
        sql: "INSERT INTO significantChange VALUES (?, ?, ?, ?)",
        arguments: StatementArguments(key + [i, location.json.text]))
    }
  }

  private static func write(_ key: String, _ value: String, _ database: Database) throws {
    try database.execute(sql: "INSERT OR REPLACE INTO value VALUES (?, ?)", arguments: [key, value])
  }

  /// Writes what an engine can start from, known at `unixTime`.
  public func write(_ state: SavedState, unixTime: Double) throws {
    let text = try SavedStateFile.text(of: state, path: "saved state", unixTime: unixTime)
    try database.write { try Self.write("savedState", text, $0) }
  }

  /// What an engine can start from; nil if nothing was written. One that cannot be used is an error that says why.
  public func savedState(unixTime: Double) throws -> SavedState? {
    let text = try database.read {
      try String.fetchOne($0, sql: "SELECT value FROM value WHERE key = 'savedState'")
    }
    return try text.map {
      try SavedStateFile.parse(Array($0.utf8), path: "saved state", unixTime: unixTime)
    }
  }

  /// Everything that was written, the engine's state apart. Rows that make no sense are left out.
  public func read() throws -> StoredState { try database.read { try StoredState($0) } }
}
