/// Reads one JSON value (RFC 8259) from bytes that anybody may have sent: strictly, and
/// bounded in depth and size.
///
/// A member's name may stand once in an object, strings are whole Unicode, numbers are finite.
package struct JSONParser {
  /// What a text may be at most.
  package struct Limits: Sendable {
    /// How deep arrays and objects may lie in one another.
    package var depth: Int
    package var bytes: Int

    /// So deep, and so many bytes.
    package init(depth: Int, bytes: Int) {
      self.depth = depth
      self.bytes = bytes
    }

    /// A line of a protocol.
    package static let message = Limits(depth: 16, bytes: 16 << 20)
    /// A file that people write.
    package static let file = Limits(depth: 64, bytes: 1 << 20)
  }

  private let bytes: ArraySlice<UInt8>
  private let limits: Limits
  private var next: Int
  private var depth = 0

  /// The value that `bytes` are, and nothing else beside it.
  package static func read(_ bytes: ArraySlice<UInt8>, limits: Limits) throws(JSONFault) -> JSON {
    guard bytes.count <= limits.bytes else { throw JSONFault(.tooLong, at: limits.bytes, in: bytes) }
    var parser = JSONParser(bytes: bytes, limits: limits, next: bytes.startIndex)
    parser.skipBlanks()
    let value = try parser.value()
    parser.skipBlanks()
    guard parser.next == bytes.endIndex else { throw parser.fault() }
    return value
  }

  /// The message that `bytes` are; nil if they are none.
  package static func parse(_ bytes: ArraySlice<UInt8>) -> JSON? { try? read(bytes, limits: .message) }

  /// The message that `text` is; nil if it is none.
  package static func parse(_ text: String) -> JSON? { parse(Array(text.utf8)[...]) }

  private func fault(_ reason: JSONFault.Reason = .unexpected, at place: Int? = nil) -> JSONFault {
    JSONFault(reason, at: (place ?? next) - bytes.startIndex, in: bytes)
  }

  private var byte: UInt8? { next < bytes.endIndex ? bytes[next] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { next += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    next += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
    guard take(character) else { throw fault() }
  }

  private mutating func value() throws(JSONFault) -> JSON {
    switch byte {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): .string(try string())
    case UInt8(ascii: "t"): try word("true", .bool(true))
    case UInt8(ascii: "f"): try word("false", .bool(false))
    case UInt8(ascii: "n"): try word("null", .null)
    default: try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONFault) -> JSON {
    for character in word.unicodeScalars { try expect(character) }
    return value
  }

  private mutating func object() throws(JSONFault) -> JSON {
    var members: [JSON.Member] = []
    var keys: Set<String> = []
    var isOpen = try open("}")
    while isOpen {
      let place = next
      let key = try string()
      guard keys.insert(key).inserted else { throw fault(.repeatedKey, at: place) }
      skipBlanks()
      try expect(":")
      skipBlanks()
      members.append(.init(key: key, value: try value()))
      isOpen = try goesOn("}")
    }
    return .object(members)
  }

  private mutating func array() throws(JSONFault) -> JSON {
    var items: [JSON] = []
    var isOpen = try open("]")
    while isOpen {
      items.append(try value())
      isOpen = try goesOn("]")
    }
    return .array(items)
  }

  /// Goes behind the bracket; whether an item follows.
  private mutating func open(_ end: Unicode.Scalar) throws(JSONFault) -> Bool {
    guard depth < limits.depth else { throw fault(.tooDeep) }
    depth += 1
    next += 1
    skipBlanks()
    return !close(end)
  }

  /// Goes behind the comma or the bracket after an item; whether another follows.
  private mutating func goesOn(_ end: Unicode.Scalar) throws(JSONFault) -> Bool {
    skipBlanks()
    if close(end) { return false }
    try expect(",")
    skipBlanks()
    return true
  }

  private mutating func close(_ end: Unicode.Scalar) -> Bool {
    guard take(end) else { return false }
    depth -= 1
    return true
  }

  private mutating func string() throws(JSONFault) -> String {
    let place = next
    try expect("\"")
    var text: [UInt8] = []
    while let byte, byte >= 0x20 {
      if byte == UInt8(ascii: "\"") {
        next += 1
        guard let text = String(validating: text, as: UTF8.self) else { throw fault(.notUTF8, at: place) }
        return text
      }
      if byte != UInt8(ascii: "\\") {
        next += 1
        text.append(byte)
      } else {
        text += String(try escape()).utf8
      }
    }
    throw fault()
  }

  private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
    let place = next
    next += 1
    guard let kind = byte else { throw fault() }
    if kind != UInt8(ascii: "u") {
      guard let scalar = Self.escapes[kind] else { throw fault() }
      next += 1
      return scalar
    }
    next += 1
    let first = try hex()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A pair of surrogates is one scalar; half a pair is none.
    guard first < 0xDC00, take("\\"), take("u"), case let second = try hex(),
      (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw fault(.halfSurrogate, at: place) }
    return scalar
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private mutating func hex() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault()
      }
      value = value << 4 | UInt32(digit)
      next += 1
    }
    return value
  }

  private mutating func number() throws(JSONFault) -> JSON {
    let start = next
    _ = take("-")
    // Nothing follows a leading zero but a point or an exponent.
    if !take("0") { try digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      _ = take("+") || take("-")
      try digits()
    }
    let text = String(decoding: bytes[start..<next], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw fault(.tooLarge, at: start) }
    return .number(number)
  }

  private mutating func digits() throws(JSONFault) {
    let start = next
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { next += 1 }
    guard next > start else { throw fault() }
  }
}
