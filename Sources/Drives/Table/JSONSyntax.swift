/// Finds where a JSON text (RFC 8259) breaks off: the decoder says only that it does.
struct JSONSyntax {
  private let bytes: [UInt8]
  private var next = 0
  private var depth = 0

  /// Line and column, from 1, of the first byte that cannot stand where it does; nil where the text is JSON.
  static func firstError(in bytes: [UInt8]) -> (line: Int, column: Int)? {
    var syntax = JSONSyntax(bytes: bytes)
    syntax.skipBlanks()
    if syntax.value() {
      syntax.skipBlanks()
      if syntax.next == bytes.count { return nil }
    }
    let before = bytes[..<syntax.next]
    let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    return (1 + before.count { $0 == UInt8(ascii: "\n") }, syntax.next - lineStart + 1)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var byte: UInt8 { next < bytes.count ? bytes[next] : 0 }

  private mutating func skipBlanks() {
    while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { next += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character), next < bytes.count else { return false }
    next += 1
    return true
  }

  private mutating func value() -> Bool {
    switch Unicode.Scalar(byte) {
    case "{": return list(end: "}") { $0.string() && $0.colon() && $0.value() }
    case "[": return list(end: "]") { $0.value() }
    case "\"": return string()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  private mutating func list(end: Unicode.Scalar, item: (inout JSONSyntax) -> Bool) -> Bool {
    guard depth < 500 else { return false }
    depth += 1
    defer { depth -= 1 }
    next += 1
    skipBlanks()
    if take(end) { return true }
    while item(&self) {
      skipBlanks()
      if take(end) { return true }
      guard take(",") else { return false }
      skipBlanks()
    }
    return false
  }

  private mutating func colon() -> Bool {
    skipBlanks()
    guard take(":") else { return false }
    skipBlanks()
    return true
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while next < bytes.count, byte >= 0x20 {
      if take("\"") { return true }
      next = min(next + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
    }
    return false
  }

  private mutating func word(_ text: String) -> Bool {
    for character in text.unicodeScalars where !take(character) { return false }
    return true
  }

  private mutating func number() -> Bool {
    _ = take("-")
    guard digits() else { return false }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = next
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { next += 1 }
    return next > start
  }
}
