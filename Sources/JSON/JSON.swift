/// A JSON value; members keep their order.
package indirect enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One member of an object.
  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSON

    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// An object of those members that have a value.
  package static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }

  /// The same, that begins with its `type`.
  package static func message(_ type: String, _ members: KeyValuePairs<String, JSON?> = [:]) -> JSON {
    .object(
      [Member(key: "type", value: .string(type))]
        + members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }

  /// The member `key` of an object; nil where there is none.
  package subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  // The value, where it is of that kind.
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The same as ``integer(_:)`` of 64 bits.
  package static func integer(_ value: Int) -> JSON { .integer(Int64(value)) }

  /// The text on one line.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The text with a line for each item and member, two spaces an indent, and a line end.
  package var indentedText: String {
    var text = ""
    write(to: &text, indent: "")
    return text + "\n"
  }

  /// Appends the text; numbers that JSON has no word for are null.
  private func write(to text: inout String, indent: String? = nil) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.quote(value, to: &text)
    case .array(let items):
      Self.list(items, "[", "]", to: &text, indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.list(members, "{", "}", to: &text, indent) { member, text, indent in
        Self.quote(member.key, to: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  /// Appends what stands between two brackets: on one line, or a line each where there is an indent.
  private static func list<Item>(
    _ items: [Item], _ open: String, _ close: String, to text: inout String, _ indent: String?,
    write: (Item, inout String, String?) -> Void
  ) {
    let inner = indent.map { $0 + "  " }
    text += open
    for (i, item) in items.enumerated() {
      if i > 0 { text += "," }
      if let inner { text += "\n" + inner }
      write(item, &text, inner)
    }
    if let indent, !items.isEmpty { text += "\n" + indent }
    text += close
  }

  /// Appends a string's text, in quotes.
  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      text += value
    } else {
      for scalar in value.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case _ where scalar.value < 0x20:
          let hex = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
