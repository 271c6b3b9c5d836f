/// One JSON object in the making, on one line, as gpsd's clients read it: no null, what
/// is not known is left out.
package struct JSONObject {
  private var text = ASCIIText()
  private var isEmpty = true

  /// An object without a class, for use within another.
  init() { text.append("{") }

  package init(class name: String) {
    self.init()
    string("class", name)
  }

  /// The object as bytes, without an end of line.
  package var bytes: [UInt8] { text.bytes + [UInt8(ascii: "}")] }

  /// The object as a line of the protocol.
  var line: [UInt8] { bytes + Array("\r\n".utf8) }

  package mutating func string(_ key: String, _ value: String) {
    open(key)
    text.append("\"")
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text.append("\\\"")
      case "\\": text.append("\\\\")
      case " "..."~": text.append(UInt8(scalar.value))
      default:
        // Outside printable ASCII: escaped in UTF-16, so that a line stays ASCII.
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          text.append("\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex)
        }
      }
    }
    text.append("\"")
  }

  /// A number with so many decimals; left out if it is nil or not finite.
  mutating func number(_ key: String, _ value: Double?, decimals: Int) {
    guard let value, let units = ASCIIText.units(value, decimals: decimals) else { return }
    open(key)
    text.append(units: units, decimals: decimals)
  }

  mutating func integer(_ key: String, _ value: Int) {
    open(key)
    text.append(Int64(value))
  }

  mutating func boolean(_ key: String, _ value: Bool) {
    open(key)
    text.append(value ? "true" : "false")
  }

  /// An array of objects that are text already.
  mutating func array(_ key: String, _ objects: [[UInt8]]) {
    open(key)
    text.append("[")
    for (i, object) in objects.enumerated() {
      if i > 0 { text.append(",") }
      text.append(contentsOf: object[...])
    }
    text.append("]")
  }

  private mutating func open(_ key: String) {
    if !isEmpty { text.append(",") }
    isEmpty = false
    text.append("\"\(key)\":")
  }
}
