import JSON

/// A JSON value that keeps the order of its keys, so that the same figures give the same bytes.
package indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  /// A number with all its digits.
  case exact(Double)
  case integer(Int)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// The number, or null where there is none; infinite values and not-a-number are null as well.
  package init(_ value: Double?) { self = value.map { $0.isFinite ? .number($0) : .null } ?? .null }

  /// The text of the value, two spaces an indent.
  package var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text + "\n"
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value):
      // A millionth of a metre, second, degree or share is enough for any of the figures.
      let rounded = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
      text += String(rounded == 0 ? 0 : rounded)
    case .exact(let value): text += value.isFinite ? String(value) : "null"
    case .string(let value): JSON.quote(value, to: &text)
    case .array(let items):
      Self.list(items, "[", "]", to: &text, indent: indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.list(members, "{", "}", to: &text, indent: indent) { member, text, indent in
        JSON.quote(member.0, to: &text)
        text += ": "
        member.1.write(to: &text, indent: indent)
      }
    }
  }

  private static func list<T>(
    _ items: [T], _ open: String, _ close: String, to text: inout String, indent: String,
    write: (T, inout String, String) -> Void
  ) {
    guard !items.isEmpty else {
      text += open + close
      return
    }
    let inner = indent + "  "
    text += open
    for (i, item) in items.enumerated() {
      text += (i == 0 ? "\n" : ",\n") + inner
      write(item, &text, inner)
    }
    text += "\n" + indent + close
  }
}
