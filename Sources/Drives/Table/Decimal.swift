/// Decimal numbers straight from bytes, rounded correctly.
package enum Decimal {
  /// Reads the plain number that starts at `cursor` and moves `cursor` behind it; nil, with `cursor` in
  /// place, where the number is not plain (an exponent, more than 2⁵³, blanks) or none is there.
  ///
  /// A mantissa up to 2⁵³ and a power of ten up to 10²² are both exact, so their quotient is rounded
  /// once (Clinger 1990, "How to read floating point numbers accurately").
  @inline(__always)
  package static func plain(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> Double? {
    var p = cursor
    var isNegative = false
    if p < end, p.pointee == UInt8(ascii: "-") {
      isNegative = true
      p += 1
    }
    var mantissa: UInt64 = 0
    let first = p
    while p < end, case let digit = p.pointee &- 48, digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      p += 1
    }
    var digits = p - first
    var decimals = 0
    if p < end, p.pointee == UInt8(ascii: ".") {
      p += 1
      let point = p
      while p < end, case let digit = p.pointee &- 48, digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        p += 1
      }
      decimals = p - point
      digits += decimals
    }
    guard digits > 0, digits <= 19, mantissa <= 1 << 53, p == end || p.pointee == UInt8(ascii: ",") else {
      return nil
    }
    cursor = p
    let magnitude = Double(mantissa) / powersOfTen[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// The number in a whole cell: not-a-number where it is empty, nil where it is no number.
  package static func cell(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let text = trimmed(bytes)
    if text.isEmpty { return .nan }
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    if isDecimal { return Double(text) }
    switch text.lowercased() {
    case "nan", "+nan", "-nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }

  /// The text of a cell without blanks around it.
  static func trimmed(_ bytes: some Collection<UInt8>) -> String {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let front = bytes.drop(while: isBlank)
    return String(decoding: front.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
  ]
}
