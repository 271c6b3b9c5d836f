import LinearAlgebra

/// For how much of the time a receiver's fixes have been of another place than the car, and how far from
/// it: the probability of a fault, learned where advanced RAIM is told it.
///
/// A receiver that was wrong and sure of it a minute ago may be so again; and where nothing has borne the
/// place out for a while, after an outage say, its next fixes are believed.
struct FaultShare: Sendable {
  /// Seconds of good fixes that are taken for granted. [chosen: receivers are seldom wrong; measured by
  /// `reckon stress` on 1,000 variants, 171001:171020 and 172001:172020: 50, 100, 200 mislead for 579, 585,
  /// 589 s]
  private static let prior = 100.0
  /// Time over which it fades, s. [chosen: a quarter of a town; measured on the same: 300, 600, 1200 mislead
  /// for 583, 585, 585 s]
  private static let memory = 600.0
  /// A distance counts up to this, m. [measured on the same: 30, 50, 150 mislead for 596, 585, 571 s, and
  /// have a 95 % radius over 64 m at errors under 4 m for 2.3, 2.3, 2.4 % of the time, in bursts for 5.7,
  /// 5.8, 6.0 %]
  private static let farthest = 50.0
  /// How much more the probability counts, up to ``UnaidedSolutions/share``. [measured by `reckon stress` on
  /// 500 variants, 171001:171020: with 0, 2, 4 misleading for 392, 251, 203 s, the most of it nagoya-rtk]
  private static let emphasis = 4.0

  /// Seconds of fixes, and of those that were of another place.
  private var heard = FaultShare.prior, astray = 0.0
  /// Sum of the squares of their distances over the time, m² s.
  private var squares = 0.0

  /// Variance per axis, m², of a place that is another with that probability times `odds`.
  func variance(odds: Double) -> Double {
    guard astray > 0 else { return 0 }
    return min(Self.emphasis * odds * astray / heard, UnaidedSolutions.share) * squares / (2 * astray)
  }

  /// Takes a fix.
  ///
  /// - Parameters:
  ///   - offset: from the believed place, m; nil of a fix that is of it.
  ///   - elapsed: for which it speaks, s.
  mutating func add(_ offset: Vector3?, over elapsed: Double) {
    let fading = max(0, 1 - elapsed / Self.memory)
    heard = Self.prior + (heard - Self.prior) * fading + elapsed
    astray *= fading
    squares *= fading
    guard let offset else { return }
    astray += elapsed
    squares += min(Self.farthest * Self.farthest, offset.squaredNorm) * elapsed
  }
}
