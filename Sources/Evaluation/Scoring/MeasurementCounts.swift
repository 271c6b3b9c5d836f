import Fusion

/// What became of the measurements of one kind.
public struct MeasurementCounts: Sendable, Equatable {
  /// Which measurement model.
  public let kind: MeasurementVerdict.Kind
  /// Number of measurements by outcome.
  public private(set) var accepted = 0, weighedDown = 0, outliers = 0, stale = 0, nonFinite = 0, repeated = 0
  /// Number of those that the receiver had not measured.
  public private(set) var extrapolated = 0
  /// Number of those that do not hold for a car that is carried, and of a sensor that has stuck.
  public private(set) var carried = 0, contradicted = 0
  private var nisSum = 0.0
  private var nisDimensions = 0

  /// No measurement of `kind` yet.
  public init(kind: MeasurementVerdict.Kind) { self.kind = kind }

  /// Number of measurements.
  public var count: Int {
    accepted + weighedDown + outliers + stale + nonFinite + repeated + extrapolated + carried + contradicted
  }

  /// Sum of the normalized innovations squared over the sum of their dimensions, outliers included: 1 where
  /// the noise is right. Nil where none was computed.
  public var nisPerDimension: Double? { nisDimensions > 0 ? nisSum / Double(nisDimensions) : nil }

  /// Counts one verdict.
  public mutating func add(_ verdict: MeasurementVerdict) {
    switch verdict.outcome {
    case .accepted: accepted += 1
    case .weighedDown: weighedDown += 1
    case .outlier: outliers += 1
    case .stale: stale += 1
    case .nonFinite: nonFinite += 1
    case .repeated: repeated += 1
    case .extrapolated: extrapolated += 1
    case .carried: carried += 1
    case .contradicted: contradicted += 1
    }
    if verdict.normalizedInnovationSquared.isFinite, verdict.dimension > 0 {
      nisSum += verdict.normalizedInnovationSquared
      nisDimensions += verdict.dimension
    }
  }
}
