/// Reads one JSON value (RFC 8259) from bytes that anybody may have sent: bounded in depth, and nil for whatever is not JSON.
package struct JSONParser {
  /// How deep values may lie in one another.
  static let deepest = 16

  private let bytes: ArraySlice<UInt8>
  private var next: Int
  private var depth = 0

  /// The value that `bytes` are, and nothing else beside it.
  package static func parse(_ bytes: ArraySlice<UInt8>) -> JSON? {
    var parser = JSONParser(bytes: bytes, next: bytes.startIndex)
    parser.skipBlanks()
    guard let value = parser.value() else { return nil }
    parser.skipBlanks()
    return parser.next == bytes.endIndex ? value : nil
  }

  /// The value that `text` is.
  package static func parse(_ text: String) -> JSON? { parse(Array(text.utf8)[...]) }

  private var byte: UInt8? { next < bytes.endIndex ? bytes[next] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { next += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    next += 1
    return true
  }

  private mutating func value() -> JSON? {
    switch byte {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return word("true", .bool(true))
    case UInt8(ascii: "f"): return word("false", .bool(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) -> JSON? {
    let length = word.utf8CodeUnitCount
    guard bytes.endIndex - next >= length else { return nil }
    for i in 0..<length where bytes[next + i] != word.utf8Start[i] { return nil }
    next += length
    return value
  }

  private mutating func object() -> JSON? {
    var members: [JSON.Member] = []
    var keys: Set<String> = []
    let isWhole = list(end: "}") {
      guard let key = $0.string(), keys.insert(key).inserted else { return false }
      $0.skipBlanks()
      guard $0.take(":") else { return false }
      $0.skipBlanks()
      guard let value = $0.value() else { return false }
      members.append(.init(key: key, value: value))
      return true
    }
    return isWhole ? .object(members) : nil
  }

  private mutating func array() -> JSON? {
    var items: [JSON] = []
    let isWhole = list(end: "]") {
      guard let value = $0.value() else { return false }
      items.append(value)
      return true
    }
    return isWhole ? .array(items) : nil
  }

  private mutating func list(end: Unicode.Scalar, item: (inout JSONParser) -> Bool) -> Bool {
    guard depth < Self.deepest else { return false }
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

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while let byte, byte >= 0x20 {
      next += 1
      if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
      if byte != UInt8(ascii: "\\") {
        text.append(byte)
      } else {
        guard let scalar = escape() else { return nil }
        text += String(scalar).utf8
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let kind = byte else { return nil }
    next += 1
    switch Unicode.Scalar(kind) {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": break
    default: return nil
    }
    guard let first = hex() else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A pair of surrogates is one scalar; half a pair is none.
    guard first < 0xDC00, take("\\"), take("u"), let second = hex(), (0xDC00..<0xE000).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
  }

  private mutating func hex() -> UInt32? {
    guard bytes.endIndex - next >= 4 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[next])).hexDigitValue, bytes[next] < 0x80 else {
        return nil
      }
      value = value << 4 | UInt32(digit)
      next += 1
    }
    return value
  }

  private mutating func number() -> JSON? {
    let start = next
    _ = take("-")
    let leading = byte
    guard let whole = digits(), whole == 1 || leading != UInt8(ascii: "0") else { return nil }
    var isWhole = true
    if take(".") {
      isWhole = false
      guard digits() != nil else { return nil }
    }
    if take("e") || take("E") {
      isWhole = false
      _ = take("+") || take("-")
      guard digits() != nil else { return nil }
    }
    let text = String(decoding: bytes[start..<next], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { return nil }
    return .number(number)
  }

  private mutating func digits() -> Int? {
    let start = next
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { next += 1 }
    return next > start ? next - start : nil
  }
}
