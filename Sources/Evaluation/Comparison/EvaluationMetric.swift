import JSON

/// A figure of an evaluation, and what is better of it.
public struct EvaluationMetric: Sendable, Hashable {
  enum Better: Sendable, Hashable {
    case lower, higher
    /// The nearer to this the better.
    case nearest(Double)
  }

  /// What it is of, and the keys of the JSON that lead to it.
  public let name: String
  let path: [String]
  let better: Better
  /// A change by less than this is none, in the unit of the figure. [chosen: what nobody would act on]
  let floor: Double

  init(_ path: String..., better: Better = .lower, floor: Double) {
    name = path.joined(separator: " ")
    (self.path, self.better, self.floor) = (path, better, floor)
  }

  private init(_ metric: EvaluationMetric, of subject: String) {
    name = subject + " " + metric.name
    (path, better, floor) = (metric.path, metric.better, metric.floor)
  }

  /// The same figure of an estimator, or of outages of a length.
  func of(_ subject: String) -> EvaluationMetric { EvaluationMetric(self, of: subject) }

  func value(in figures: JSON) -> Double? {
    path.reduce(JSON?(figures)) { $0?[$1] }?.double
  }

  /// The larger the worse.
  func badness(_ value: Double) -> Double {
    switch better {
    case .lower: value
    case .higher: -value
    case .nearest(let target): abs(value - target)
    }
  }

  /// How much worse than `before` is no change yet; `relative` is a part of it.
  func tolerance(before: Double, relative: Double) -> Double {
    if case .lower = better { return max(floor, relative * abs(before)) }
    return floor
  }

  static let ofEstimators: [EvaluationMetric] =
    ["p50", "p68", "p95", "p99", "max", "rms"].map { EvaluationMetric("horizontal_error_m", $0, floor: 0.02) }
    + ["along_track_error_m", "cross_track_error_m", "height_error_m"].map {
      EvaluationMetric($0, "p95", floor: 0.05)
    } + [
      EvaluationMetric("speed_error_m_s", "p68", floor: 0.01),
      EvaluationMetric("speed_error_m_s", "p95", floor: 0.02),
      EvaluationMetric("course_error_deg", "p68", floor: 0.05),
      EvaluationMetric("heading_error_deg", "p68", floor: 0.05),
      EvaluationMetric("heading_error_deg", "p95", floor: 0.1),
      EvaluationMetric("coverage_68", better: .nearest(0.68), floor: 0.03),
      EvaluationMetric("coverage_95", better: .nearest(0.95), floor: 0.02),
      EvaluationMetric("misleading", floor: 0.005),
      EvaluationMetric("availability", better: .higher, floor: 0.005),
      EvaluationMetric("aligned_after_s", floor: 1),
      EvaluationMetric("standstill_drift_m", "max", floor: 0.05),
    ]

  static let ofOutages: [EvaluationMetric] =
    ["p50", "p95", "max"].map { EvaluationMetric("end_error_m", $0, floor: 0.1) } + [
      EvaluationMetric("coverage_95", better: .nearest(0.95), floor: 0.03),
      EvaluationMetric("lost", floor: 0),
    ]

  static let nonFinite = EvaluationMetric("non_finite_solutions", floor: 0)
}
