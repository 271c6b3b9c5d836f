import JSON

extension JSON {
  /// A figure to a millionth of a metre, second, degree or share, which is enough for any; null where there
  /// is none, and for infinite values and not-a-number.
  package static func figure(_ value: Double?) -> JSON {
    guard let value, value.isFinite else { return .null }
    let rounded = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
    return .number(rounded == 0 ? 0 : rounded)
  }
}
