import CSQLite

/// One statement, made ready to be run again and again. It lives no longer than what
/// its connection is lent for.
package final class SQLiteStatement {
  private let statement: OpaquePointer
  private let connection: OpaquePointer
  private var names: [String]?

  init(_ statement: OpaquePointer, of connection: OpaquePointer) {
    (self.statement, self.connection) = (statement, connection)
  }

  deinit { sqlite3_finalize(statement) }

  /// Runs it to its end.
  package func execute(_ arguments: [any SQLiteArgument] = []) throws(SQLiteError) {
    try begin(arguments)
    while try next() != nil {}
  }

  /// Begins anew with `arguments`, one for each `?`.
  package func begin(_ arguments: [any SQLiteArgument]) throws(SQLiteError) {
    sqlite3_reset(statement)
    let count = sqlite3_bind_parameter_count(statement)
    guard Int(count) == arguments.count else {
      throw SQLiteError(
        extendedCode: SQLITE_MISUSE, message: "\(arguments.count) arguments for \(count) places")
    }
    for (index, argument) in zip(Int32(1)..., arguments) {
      let code =
        switch argument.sqliteValue {
        case .null, .bytes: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        // Copied by SQLite at once (SQLITE_TRANSIENT, a cast that Swift does not take over).
        case .text(let text):
          sqlite3_bind_text(
            statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
      guard code == SQLITE_OK else { throw SQLiteError(code, connection) }
    }
  }

  /// The next row; nil at the end.
  package func next() throws(SQLiteError) -> SQLiteRow? {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return row
    case SQLITE_DONE:
      sqlite3_reset(statement)
      return nil
    case let code:
      let error = SQLiteError(code, connection)
      sqlite3_reset(statement)
      throw error
    }
  }

  private var row: SQLiteRow {
    let columns = 0..<sqlite3_column_count(statement)
    let names =
      names ?? columns.map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" }
    self.names = names
    return SQLiteRow(
      names: names,
      values: columns.map { column in
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
        case SQLITE_BLOB: .bytes
        default: .null
        }
      })
  }
}
