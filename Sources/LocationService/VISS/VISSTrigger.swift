import JSON

/// When a subscription is told something (VISS version 2, Core, "Filter Request"): the two types that a
/// server must know, and none.
enum VISSTrigger: Equatable, Sendable {
  /// With each new place.
  case update
  /// Every so many seconds.
  case period(seconds: Double)
  /// When the value less the one told last stands so to the difference.
  case change(Comparison, difference: Double)

  /// How two numbers stand to each other.
  enum Comparison: String, Sendable {
    case equal = "eq"
    case notEqual = "ne"
    case greater = "gt"
    case greaterOrEqual = "gte"
    case less = "lt"
    case lessOrEqual = "lte"

    func holds(_ a: Double, _ b: Double) -> Bool {
      switch self {
      case .equal: a == b
      case .notEqual: a != b
      case .greater: a > b
      case .greaterOrEqual: a >= b
      case .less: a < b
      case .lessOrEqual: a <= b
      }
    }
  }

  /// Milliseconds that a period may have: the service looks ten times a second.
  static let periods = 1.0...86_400_000

  /// The trigger of a filter's `type`, nil for none, on `paths`.
  init(_ type: String?, _ parameter: JSON?, of paths: VISSPaths) throws(VISSError) {
    switch type {
    case nil: self = .update
    case "timebased":
      guard let milliseconds = Self.number(parameter?["period"]), Self.periods.contains(milliseconds),
        milliseconds == milliseconds.rounded()
      else { throw .invalidDuration }
      self = .period(seconds: milliseconds / 1000)
    case "change":
      guard let word = parameter?["logic-op"]?.string, let comparison = Comparison(rawValue: word),
        let difference = Self.number(parameter?["diff"])
      else { throw .badRequest }
      // Of one number only: a time as a text has no difference.
      guard paths.signals.count == 1, paths.signals != [.timestamp] else { throw .filterInvalid }
      self = .change(comparison, difference: difference)
    default: throw .badRequest
    }
  }

  /// A number, or as the specification has it a text that is one.
  private static func number(_ json: JSON?) -> Double? {
    (json?.double ?? json?.string.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
  }
}
