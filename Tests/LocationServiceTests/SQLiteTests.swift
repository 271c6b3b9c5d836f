import Foundation
import SQLite
import TestParts
import Testing

/// What our layer over SQLite promises: whole transactions, values without loss, and
/// errors in SQLite's words.
@Suite struct SQLiteTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch("database") }

  private func withFile(_ body: (SQLiteFile) throws -> Void) throws {
    let file = try SQLiteFile(path: path)
    try file.lend { try $0.execute("CREATE TABLE t (a, b); -- and\n PRAGMA user_version = 7;\n") }
    try body(file)
    try file.close()
  }

  @Test func valuesComeBackAsTheyWentOrNotAtAll() throws {
    try withFile { file in
      try file.write { database in
        let insert = try database.statement("INSERT INTO t VALUES (?, ?)")
        try insert.execute([Int64.min, "é\u{1F697}"])
        try insert.execute([0.1 + 0.2, String?.none])
        try insert.execute([true, ""])
        try database.execute("INSERT INTO t VALUES (x'00FF', 1e300)")
      }
      let rows = try file.read { try $0.all("SELECT * FROM t") }
      #expect(
        rows.map(\.values) == [
          [.integer(.min), .text("é\u{1F697}")], [.real(0.1 + 0.2), .null], [.integer(1), .text("")],
          [.bytes, .real(1e300)],
        ])
      #expect(rows[0].value("a") == Int64.min && rows[0].value("a") as UInt32? == nil)
      #expect(rows[0].value("a") as String? == nil && rows[0].value("c") as Int? == nil)
      #expect(rows[1].value("b") as String? == nil && rows[2].value("a") == true && rows[2].value("a") == 1.0)
      #expect(rows[3].value("b") as Int? == nil && rows[3].value("a") as String? == nil)
      #expect(try file.read { try $0.value("PRAGMA user_version") } == 7)
    }
  }

  @Test func aTransactionThatThrowsLeavesNothing() throws {
    struct Other: Error {}
    try withFile { file in
      #expect(throws: Other.self) {
        try file.write { database in
          try database.execute("INSERT INTO t VALUES (1, 2)")
          throw Other()
        }
      }
      #expect(throws: SQLiteError.self) {
        try file.write { database in
          try database.execute("INSERT INTO t VALUES (1, 2); INSERT INTO nowhere VALUES (1)")
        }
      }
      #expect(try file.read { try $0.value("SELECT COUNT(*) FROM t") } == 0)
      // What is lent for reading does not write, and afterwards writing goes on.
      #expect(throws: SQLiteError.self) { try file.read { try $0.execute("DELETE FROM t") } }
      try file.write { try $0.execute("INSERT INTO t VALUES (?, ?)", [1, 2]) }
      #expect(try file.read { try $0.value("SELECT COUNT(*) FROM t") } == 1)
    }
  }

  @Test func whatIsWrongIsSaidInSQLitesWords() throws {
    #expect(throws: SQLiteError.self) { _ = try SQLiteFile(path: "/nowhere/a") }
    #expect(throws: SQLiteError.self) { _ = try SQLiteFile(path: path, isReadOnly: true) }
    try withFile { file in
      do {
        try file.lend { try $0.execute("SELEKT 1") }
        Issue.record("it took nonsense")
      } catch let error as SQLiteError {
        #expect(error.code == 1 && error.message.contains("SELEKT"), "\(error)")
      }
      try file.close()
      #expect(throws: SQLiteError.self) { try file.lend { try $0.execute("SELECT 1") } }
    }
    try String(repeating: "no database ", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
    do {
      _ = try SQLiteFile(path: path)
      Issue.record("it took a text")
    } catch let error as SQLiteError { #expect(error.code == 26, "\(error)") }
  }
}
