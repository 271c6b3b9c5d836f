import CSQLite

/// What SQLite refuses, by its own code and words.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// SQLite's extended result code, of which the lowest byte is the primary one.
  package var extendedCode: Int32
  /// Its words for it.
  package var message: String

  /// The code without what is finer.
  package var code: Int32 { extendedCode & 0xFF }
  /// The words, and the code.
  package var description: String { "\(message) (SQLite \(extendedCode))" }

  /// What `connection` says of its last call, which ended with `code`.
  init(_ code: Int32, _ connection: OpaquePointer?) {
    let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.init(extendedCode: code, message: words.map { String(cString: $0) } ?? "no words")
  }

  init(extendedCode: Int32, message: String) { (self.extendedCode, self.message) = (extendedCode, message) }
}
