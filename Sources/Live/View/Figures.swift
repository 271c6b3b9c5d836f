/// Numbers as text, without a formatter.
package enum Figures {
  /// `value` with so many decimals; a dash where there is none, or none below `limit`.
  package static func fixed(
    _ value: Double?, _ decimals: Int, minus: String = "-", below limit: Double = 1e12
  ) -> String {
    guard let value, abs(value) < limit else { return "–" }
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? minus : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)."
      + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// Whole hours, minutes and seconds, as in `1:02:03`.
  static func clock(seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e9 else { return "–" }
    let whole = Int(max(0, seconds))
    let rest = whole % 3600
    let minutes = rest / 60 < 10 ? "0\(rest / 60)" : "\(rest / 60)"
    let last = rest % 60 < 10 ? "0\(rest % 60)" : "\(rest % 60)"
    return "\(whole / 3600):\(minutes):\(last)"
  }

  /// A time in the unit that suits it.
  static func short(seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    switch abs(seconds) {
    case ..<1e-3: return fixed(seconds * 1e6, 0) + " µs"
    case ..<1: return fixed(seconds * 1e3, 0) + " ms"
    case ..<120: return fixed(seconds, 1) + " s"
    default: return clock(seconds: seconds)
    }
  }

  /// `text` in at least `width` columns, to the left or to the right.
  static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }

  /// At most `columns` columns of `text`; what had to go is shown.
  static func cut(_ text: String, to columns: Int) -> String {
    text.count <= columns ? text : String(text.prefix(max(0, columns - 1))) + "…"
  }
}
