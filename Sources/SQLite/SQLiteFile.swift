import CSQLite
import Locks

/// A database of SQLite in a file: lent to one after the other.
///
/// Sendable unchecked: the connection is used under the lock only, and freed by the last who holds it. It is
/// no value of the lock's, whose body may not hand on what it lends.
package final class SQLiteFile: @unchecked Sendable {
  /// Seconds that another process's lock is waited for.
  private static let patience: Int32 = 5

  package let path: String
  private let lock = Mutex<Void>(())
  private var handle: OpaquePointer?

  /// Opens the database at `path`, and makes it unless it is only read; `prepare` is what is said to each
  /// connection first. Throws also where the file is none.
  package init(
    path: String, isReadOnly: Bool = false,
    prepare: (SQLiteConnection) throws -> Void = { _ in }
  ) throws {
    self.path = path
    var handle: OpaquePointer?
    let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // The lock here is enough.
    let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError(handle.map { sqlite3_extended_errcode($0) } ?? code, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.patience * 1000)
    self.handle = handle
    // What throws from here on closes it by the end of this object.
    let connection = SQLiteConnection(handle)
    try connection.execute("PRAGMA foreign_keys = ON")
    try prepare(connection)
    _ = try connection.first("SELECT name FROM sqlite_master LIMIT 1")
  }

  deinit { sqlite3_close_v2(handle) }

  /// Closes it; what it is asked later fails.
  package func close() throws {
    try lock.withLock { _ in
      guard let handle else { return }
      let code = sqlite3_close(handle)
      guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
      self.handle = nil
    }
  }

  /// Lends the connection as it is.
  package func lend<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try lock.withLock { _ in
      guard let handle else { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "it is closed") }
      return try body(SQLiteConnection(handle))
    }
  }

  /// Does all of `body` in one transaction that is on the disk when this returns, or nothing of it.
  package func write<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try lend { try $0.transaction("IMMEDIATE", body) }
  }

  /// Reads of one state, and changes nothing.
  package func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try lend { connection in
      try connection.execute("PRAGMA query_only = 1")
      defer { try? connection.execute("PRAGMA query_only = 0") }
      return try connection.transaction("DEFERRED", body)
    }
  }
}

/// A connection with a database, while it is lent.
package struct SQLiteConnection {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// Runs all statements in `sql`; `arguments` are for one alone.
  package func execute(_ sql: String, _ arguments: [any SQLiteArgument] = []) throws(SQLiteError) {
    var rest = sql[...]
    while let statement = try statement(&rest) { try statement.execute(arguments) }
  }

  /// The one statement that `sql` is.
  package func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var rest = sql[...]
    guard let statement = try statement(&rest) else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "no statement")
    }
    return statement
  }

  /// All rows of an answer.
  package func all(_ sql: String, _ arguments: [any SQLiteArgument] = []) throws(SQLiteError)
    -> [SQLiteRow]
  {
    let statement = try statement(sql)
    try statement.begin(arguments)
    var rows: [SQLiteRow] = []
    while let row = try statement.next() { rows.append(row) }
    return rows
  }

  /// The first row of an answer; nil where there is none.
  package func first(_ sql: String, _ arguments: [any SQLiteArgument] = []) throws(SQLiteError)
    -> SQLiteRow?
  {
    let statement = try statement(sql)
    try statement.begin(arguments)
    return try statement.next()
  }

  /// The first column of the first row, where it is such a value.
  package func value<Value: SQLiteConvertible>(_ sql: String) throws(SQLiteError) -> Value? {
    try first(sql)?.values.first.flatMap { Value($0) }
  }

  package func hasTable(_ name: String) throws(SQLiteError) -> Bool {
    try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [name]) != nil
  }

  /// Does all of `body`, or nothing of it.
  func transaction<Result>(
    _ kind: String, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    try execute("BEGIN \(kind)")
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // Some faults have ended it already.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Takes the next statement from the beginning of `sql`; nil where there is none any more.
  private func statement(_ sql: inout Substring) throws(SQLiteError) -> SQLiteStatement? {
    while !sql.isEmpty {
      var statement: OpaquePointer?
      let text = String(sql)
      var used = 0
      let code = text.withCString { start in
        var rest: UnsafePointer<CChar>?
        defer { used = rest.map { $0 - start } ?? text.utf8.count }
        return sqlite3_prepare_v2(handle, start, -1, &statement, &rest)
      }
      guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
      guard used > 0 else { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "a NUL in SQL") }
      sql = text.utf8.count > used ? Substring(text.utf8.dropFirst(used)) : ""
      // Blanks and comments are none.
      if let statement { return SQLiteStatement(statement, of: handle) }
    }
    return nil
  }
}
