import Live
import Pages

/// Figures and strings as the page shows them.
enum ReportText {
  /// What stands for a figure that cannot be had.
  static let missing = "–"

  /// `text` with the five characters that mean something to HTML replaced.
  static func escaped(_ text: String) -> String { PageText.escaped(text) }

  /// `value` with `digits` decimals; a dash where it is nil, not finite or beyond 10¹².
  static func fixed(_ value: Double?, digits: Int) -> String {
    Figures.fixed(value, digits, minus: "−")
  }

  /// `value` to about three figures: two decimals below 10, one below 100, none above.
  static func figure(_ value: Double?) -> String {
    let size = abs(value ?? 0)
    return fixed(value, digits: size < 9.995 ? 2 : size < 99.95 ? 1 : 0)
  }

  /// `value` to about three figures with its unit; a dash alone where there is none.
  static func figure(_ value: Double?, unit: String) -> String {
    let text = figure(value)
    return text == missing ? missing : "\(text) \(unit)"
  }

  static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return missing }
    return fixed(share * 100, digits: 1) + " %"
  }

  /// Seconds as `42 s`, `9 min 06 s` or `1 h 02 min`.
  static func duration(_ seconds: Double) -> String {
    guard abs(seconds) < 1e9 else { return missing }
    let whole = Int(max(0, seconds).rounded())
    let two = { (n: Int) in n < 10 ? "0\(n)" : "\(n)" }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
    return "\(whole / 3600) h \(two(whole / 60 % 60)) min"
  }

  /// Metres as `850 m` or `4.05 km`.
  static func distance(_ metres: Double) -> String {
    guard metres.isFinite else { return missing }
    return abs(metres) < 1000 ? fixed(metres, digits: 0) + " m" : figure(metres / 1000, unit: "km")
  }
}
