import Fusion

/// How many measurements of each kind were used.
public struct MeasurementTally: Sendable, Equatable {
  /// Of one kind.
  public struct Count: Sendable, Equatable {
    /// With full weight, with less, and not at all.
    public var used = 0, weighedDown = 0, refused = 0
    /// How many of the newest, without one between that was used with some weight, contradict the solution.
    public var contradictions = 0
  }

  /// A measurement of less weight than this lies far from what the engine holds to be true.
  private static let contradicting = 0.05

  // In place: an array would be copied by the loop after each status that has taken it along.
  private var counts = InlineArray<6, Count>(repeating: Count())

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
    }
  }
}
