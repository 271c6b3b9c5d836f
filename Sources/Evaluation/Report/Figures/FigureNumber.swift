import CLibrary

enum FigureNumber {
  /// A coordinate to a tenth, as SVG reads it.
  static func coordinate(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  /// A mark of an axis whose marks lie `step` apart.
  static func label(_ value: Double, step: Double) -> String {
    guard value != 0, step > 0 else { return "0" }
    if abs(value) >= 1e5 || abs(value) < 1e-3 { return power(value) }
    let digits = max(0, min(6, -Int(log10(step * 1.0001).rounded(.down))))
    return ReportText.fixed(value, digits: digits)
  }

  /// `value` to three figures, for tables and sentences.
  static func figure(_ value: Double?) -> String {
    guard let value, value.isFinite else { return ReportText.missing }
    guard value != 0 else { return "0" }
    if abs(value) >= 1e6 || abs(value) < 1e-4 { return power(value) }
    let digits = max(0, min(7, 2 - Int(log10(abs(value)).rounded(.down))))
    return ReportText.fixed(value, digits: digits)
  }

  /// Seconds as minutes and seconds.
  static func clock(_ seconds: Double) -> String {
    guard abs(seconds) < 1e9 else { return ReportText.missing }
    let whole = Int(abs(seconds).rounded())
    let rest = whole % 60
    return "\(seconds < 0 ? "−" : "")\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func power(_ value: Double) -> String {
    let exponent = Int((log10(abs(value)) + 1e-9).rounded(.down))
    let mantissa = value / pow(10, Double(exponent))
    let digits = abs(mantissa - mantissa.rounded()) < 0.05 ? 0 : 1
    return "\(ReportText.fixed(mantissa, digits: digits))e\(exponent)"
  }
}
