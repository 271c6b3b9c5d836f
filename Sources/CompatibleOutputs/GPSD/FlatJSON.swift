/// JSON objects whose members are numbers, texts, booleans or null: all that requests
/// of gpsd's protocol hold.
enum FlatJSON {
  enum Value: Equatable {
    case number(Double)
    case text(String)
    case boolean(Bool)
    case null

    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// gpsd's clients write booleans as numbers too.
    var boolean: Bool? {
      switch self {
      case .boolean(let value): value
      case .number(let value): value != 0
      default: nil
      }
    }
    var integer: Int? {
      switch self {
      case .boolean(let value): value ? 1 : 0
      case .number(let value): Int(exactly: value)
      default: nil
      }
    }
  }

  /// How many bytes the object at the start of `bytes` takes; nil if its end has not come yet. Braces
  /// within texts do not count.
  static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    var inText = false
    var escaped = false
    for (i, byte) in zip(bytes.indices, bytes) {
      if escaped {
        escaped = false
      } else if inText {
        if byte == UInt8(ascii: "\\") { escaped = true }
        if byte == UInt8(ascii: "\"") { inText = false }
      } else if byte == UInt8(ascii: "\"") {
        inText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return i - bytes.startIndex + 1 }
      }
    }
    return nil
  }

  /// The members of an object; nil if it is malformed or holds arrays or objects. Of a name that
  /// comes twice the last counts.
  static func members(_ bytes: ArraySlice<UInt8>) -> [String: Value]? {
    var scanner = Scanner(rest: bytes)
    guard scanner.take("{") else { return nil }
    var members: [String: Value] = [:]
    if !scanner.take("}") {
      repeat {
        guard let name = scanner.text(), scanner.take(":"), let value = scanner.value() else { return nil }
        members[name] = value
      } while scanner.take(",")
      guard scanner.take("}") else { return nil }
    }
    scanner.skipSpace()
    return scanner.rest.isEmpty ? members : nil
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func skipSpace() {
      rest = rest.drop { $0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func value() -> Value? {
      skipSpace()
      if rest.first == UInt8(ascii: "\"") { return text().map(Value.text) }
      let word = rest.prefix {
        0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "+-.".utf8.contains($0)
      }
      rest = rest[word.endIndex...]
      switch String(decoding: word, as: UTF8.self) {
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      case "null": return .null
      case let number:
        // Double takes "nan", "inf" and hexadecimal too; JSON's numbers start with a digit
        // or a minus and hold no x.
        guard let first = word.first, 0x30...0x39 ~= first || first == UInt8(ascii: "-"),
          !number.contains("x"), let value = Double(number), value.isFinite
        else { return nil }
        return .number(value)
      }
    }

    mutating func text() -> String? {
      guard take("\"") else { return nil }
      var units: [UInt16] = []
      var plain: [UInt8] = []
      func flushed() -> [UInt16] { units + Array(String(decoding: plain, as: UTF8.self).utf16) }
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") { return String(decoding: flushed(), as: UTF16.self) }
        guard byte == UInt8(ascii: "\\") else {
          plain.append(byte)
          continue
        }
        guard let escape = rest.popFirst() else { return nil }
        switch Unicode.Scalar(escape) {
        case "n": plain.append(0x0A)
        case "t": plain.append(0x09)
        case "r": plain.append(0x0D)
        case "b": plain.append(0x08)
        case "f": plain.append(0x0C)
        case "\"", "\\", "/": plain.append(escape)
        case "u":
          let digits = rest.prefix(4)
          guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
          else { return nil }
          rest = rest[digits.endIndex...]
          units = flushed() + [unit]
          plain = []
        default: return nil
        }
      }
      return nil
    }
  }
}
