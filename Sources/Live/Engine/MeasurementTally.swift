import Fusion

/// How many measurements of each kind were used.
public struct MeasurementTally: Sendable, Equatable {
  /// Of one kind.
  public struct Count: Sendable, Equatable {
    /// With full weight, with less, and not at all.
    public var used = 0, weighedDown = 0, refused = 0
    /// Why those that were not used were not.
    public var refusals = Refusals()
    /// Sums of the normalized innovations squared and of their dimensions, of those that were used.
    public var innovations = 0.0, dimensions = 0
    /// How many of the newest, without one between that was used with some weight, contradict the solution.
    public var contradictions = 0
  }

  /// Why measurements were not used.
  public struct Refusals: Sendable, Equatable {
    /// Too far out.
    public var outlier = 0
    /// Older than the window that can still be replayed.
    public var stale = 0
    /// Infinite, not a number or out of range.
    public var unusable = 0
    /// Carried on by the receiver, or repeated.
    public var notMeasured = 0
    /// The car was moved by something else.
    public var externallyMoved = 0
    /// Other sensors say that this one has stuck.
    public var contradicted = 0
  }

  /// A measurement of less weight than this lies far from what the engine holds to be true.
  private static let contradicting = 0.05

  // In place: an array would be copied by the loop after each status that has taken it along.
  private var counts = InlineArray<8, Count>(repeating: Count())

  /// Whether all counts are the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.counts.indices.allSatisfy { a.counts[$0] == b.counts[$0] }
  }

  /// The count of `kind`.
  public subscript(_ kind: MeasurementVerdict.Kind) -> Count { counts[Self.index(kind)] }

  mutating func add(_ verdict: MeasurementVerdict) {
    let i = Self.index(verdict.kind)
    switch verdict.outcome {
    case .accepted: counts[i].used += 1
    case .weighedDown: counts[i].weighedDown += 1
    default: counts[i].refused += 1
    }
    switch verdict.outcome {
    case .accepted, .weighedDown:
      guard verdict.normalizedInnovationSquared.isFinite else { break }
      counts[i].innovations += verdict.normalizedInnovationSquared
      counts[i].dimensions += verdict.dimension
    case .outlier: counts[i].refusals.outlier += 1
    case .stale: counts[i].refusals.stale += 1
    case .nonFinite: counts[i].refusals.unusable += 1
    case .extrapolated, .repeated: counts[i].refusals.notMeasured += 1
    case .carried: counts[i].refusals.externallyMoved += 1
    case .contradicted: counts[i].refusals.contradicted += 1
    }
    switch verdict.outcome {
    case .outlier, .contradicted: counts[i].contradictions += 1
    case .weighedDown(let weight) where weight < Self.contradicting: counts[i].contradictions += 1
    case .accepted, .weighedDown: counts[i].contradictions = 0
    default: break
    }
  }

  private static func index(_ kind: MeasurementVerdict.Kind) -> Int {
    switch kind {
    case .gnssPosition: 0
    case .gnssVelocity: 1
    case .wheelSpeed: 2
    case .nonHolonomic: 3
    case .stillness: 4
    case .wheelVibration: 5
    case .barometer: 6
    case .yawRate: 7
    }
  }
}
