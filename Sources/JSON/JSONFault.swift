/// The first byte that cannot stand where it does in a JSON text.
package struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// Line, from 1.
  package let line: Int
  /// Column in bytes, from 1.
  package let column: Int
  /// What is wrong there.
  package let reason: Reason

  /// What can be wrong with a text.
  package enum Reason: String, Sendable {
    /// It goes on or ends where JSON does not.
    case unexpected = "unexpected text"
    /// A member's name stands in its object already: which of the two holds is anybody's guess.
    case repeatedKey = "a key that stands here already"
    /// A number that is too large for a `Double`.
    case tooLarge = "a number that is too large"
    /// Bytes that are no UTF-8.
    case notUTF8 = "no UTF-8"
    /// Half of a pair of surrogates.
    case halfSurrogate = "half of a pair of surrogates"
    /// Values lie too deep in one another.
    case tooDeep = "nested too deeply"
    /// The text has more bytes than may be.
    case tooLong = "too long"
  }

  package var description: String { "line \(line), column \(column): \(reason.rawValue)" }

  /// The fault of the byte at `offset` from the start of `bytes`.
  init(_ reason: Reason, at offset: Int, in bytes: ArraySlice<UInt8>) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 - bytes.startIndex } ?? 0
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    column = offset - start + 1
    self.reason = reason
  }
}
