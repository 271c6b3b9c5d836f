/// ASCII text in the making: the two formats share their numbers.
struct ASCIIText {
  private(set) var bytes: [UInt8] = []

  init(reserving capacity: Int = 640) { bytes.reserveCapacity(capacity) }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }
  mutating func append(contentsOf other: ArraySlice<UInt8>) { bytes.append(contentsOf: other) }

  /// A whole number of at least `digits` digits, filled with zeros.
  mutating func append(_ value: Int64, digits: Int = 1) {
    if value < 0 { append(UInt8(ascii: "-")) }
    let text = String(value.magnitude)
    for _ in 0..<max(0, digits - text.utf8.count) { append(UInt8(ascii: "0")) }
    append(text)
  }

  /// A whole number of units of the last of `decimals` decimals, with at least `digits` before the point.
  mutating func append(units: Int64, decimals: Int, digits: Int = 1) {
    let one = Self.power(decimals)
    // The sign stands before a leading 0 too, and never before nothing but zeros.
    if units < 0 { append(UInt8(ascii: "-")) }
    let magnitude = units.magnitude
    append(Int64(magnitude / UInt64(one)), digits: digits)
    guard decimals > 0 else { return }
    append(UInt8(ascii: "."))
    append(Int64(magnitude % UInt64(one)), digits: decimals)
  }

  /// `value` in whole units of the last of `decimals` decimals; nil for what is not finite or does not fit.
  static func units(_ value: Double, decimals: Int) -> Int64? {
    Int64(exactly: (value * Double(power(decimals))).rounded())
  }

  private static func power(_ decimals: Int) -> Int64 {
    (0..<decimals).reduce(1) { power, _ in power * 10 }
  }
}
