import CLibrary

/// One axis of a figure: what lies at its ends, and where its marks are.
struct FigureAxis: Sendable {
  enum Scale: Sendable { case linear, logarithmic, squareRoot }

  let low: Double
  let high: Double
  let scale: Scale
  let title: String
  let ticks: [(value: Double, label: String)]

  /// The place of `value` from 0 at the low end to 1 at the high one; values beyond are put at the ends.
  func place(_ value: Double) -> Double {
    let share =
      switch scale {
      case .linear: (value - low) / (high - low)
      case .logarithmic: log(max(value, low) / low) / log(high / low)
      case .squareRoot: (max(0, value - low) / (high - low)).squareRoot()
      }
    return min(1, max(0, share))
  }

  /// An axis from `low` to `high` with round marks.
  static func linear(_ low: Double, _ high: Double, _ title: String, marks: Int = 4) -> FigureAxis {
    let (low, high) = high > low ? (low, high) : (low - 1, low + 1)
    let step = roundStep((high - low) / Double(marks))
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    let ticks = first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
    return FigureAxis(
      low: low, high: high, scale: .linear, title: title,
      ticks: ticks.map { ($0, FigureNumber.label($0, step: step)) })
  }

  /// An axis about 0 as far as `reach` either way.
  static func about0(_ reach: Double, _ title: String) -> FigureAxis {
    linear(-reach, reach, title, marks: 6)
  }

  /// An axis from 0 on which the small stays readable beside the large.
  static func squareRoot(to high: Double, _ title: String) -> FigureAxis {
    let high = high > 0 ? high : 1
    var ticks = [0.0]
    for value in rounds(from: 1e-3, to: 1e6) where value <= high {
      if ((value / high).squareRoot() - ((ticks.last ?? 0) / high).squareRoot()) >= 0.14 {
        ticks.append(value)
      }
    }
    return FigureAxis(
      low: 0, high: high, scale: .squareRoot, title: title,
      ticks: ticks.map { ($0, FigureNumber.label($0, step: $0)) })
  }

  /// A logarithmic axis over at least a decade, with a mark a decade or half decade.
  static func logarithmic(_ low: Double, _ high: Double, _ title: String) -> FigureAxis {
    let (low, high) = (max(low, 1e-9), max(high, max(low, 1e-9) * 10))
    let decades = log10(high / low)
    let ticks = rounds(from: 1e-9, to: 1e12).filter { value in
      let isDecade = abs(log10(value) - log10(value).rounded()) < 1e-9
      return value >= low * 0.999 && value <= high * 1.001 && (decades < 2.5 || isDecade)
    }
    return FigureAxis(
      low: low, high: high, scale: .logarithmic, title: title,
      ticks: ticks.map { ($0, FigureNumber.label($0, step: $0)) })
  }

  /// Time on the drive's time line, with marks as minutes and seconds.
  static func time(_ low: Double, _ high: Double) -> FigureAxis {
    let high = high > low ? high : low + 1
    let steps = [1.0, 2, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200]
    let step = steps.first { (high - low) / $0 <= 6 } ?? 86_400 * ((high - low) / 518_400).rounded(.up)
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    let ticks = first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
    return FigureAxis(
      low: low, high: high, scale: .linear, title: "min:s", ticks: ticks.map { ($0, FigureNumber.clock($0)) })
  }

  /// 1, 2 and 5 times the powers of ten.
  private static func rounds(from low: Double, to high: Double) -> [Double] {
    let (first, last) = (Int(log10(low).rounded()), Int(log10(high).rounded()))
    return (first...last).flatMap { power in [1.0, 2, 5].map { $0 * pow(10, Double(power)) } }
  }

  private static func roundStep(_ rough: Double) -> Double {
    guard rough > 0, rough.isFinite else { return 1 }
    let power = pow(10, log10(rough).rounded(.down))
    return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999 } ?? 10 * power
  }
}
