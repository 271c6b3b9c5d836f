/// A value of a column or an argument.
package enum SQLiteValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Bytes that are no text: never ours, but a damaged file may hold them.
  case bytes
}

/// What can be an argument of a statement.
package protocol SQLiteArgument {
  var sqliteValue: SQLiteValue { get }
}

/// What a column can be asked for, too.
package protocol SQLiteConvertible: SQLiteArgument {
  /// The value, where it is one without loss.
  init?(_ value: SQLiteValue)
}

extension SQLiteConvertible where Self: FixedWidthInteger {
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
  package init?(_ value: SQLiteValue) {
    switch value {
    case .integer(let number): self.init(exactly: number)
    case .real(let number): self.init(exactly: number)
    case .null, .text, .bytes: return nil
    }
  }
}

extension Int: SQLiteConvertible {}
extension Int64: SQLiteConvertible {}
extension UInt32: SQLiteConvertible {}

extension Double: SQLiteConvertible {
  package var sqliteValue: SQLiteValue { .real(self) }
  package init?(_ value: SQLiteValue) {
    switch value {
    case .integer(let number): self = Double(number)
    case .real(let number): self = number
    case .null, .text, .bytes: return nil
    }
  }
}

extension Bool: SQLiteConvertible {
  package var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
  package init?(_ value: SQLiteValue) {
    guard case .integer(let number) = value else { return nil }
    self = number != 0
  }
}

extension String: SQLiteConvertible {
  package var sqliteValue: SQLiteValue { .text(self) }
  package init?(_ value: SQLiteValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension Optional: SQLiteArgument where Wrapped: SQLiteArgument {
  package var sqliteValue: SQLiteValue { map(\.sqliteValue) ?? .null }
}

/// A row of an answer.
package struct SQLiteRow: Sendable {
  fileprivate let names: [String]
  package let values: [SQLiteValue]

  init(names: [String], values: [SQLiteValue]) { (self.names, self.values) = (names, values) }

  /// What stands in a column, where there is one of that name and it is such a value.
  package func value<Value: SQLiteConvertible>(_ column: String) -> Value? {
    names.firstIndex(of: column).flatMap { Value(values[$0]) }
  }
}
