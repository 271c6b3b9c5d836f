// With the way d between two positions, the integral s of the velocities over it and their noise σ, half the
// square of what a step is off by, at most FaultOdds.bound, is for
//   the velocity's own:  min(|d − s|, |d − s − w Δt|)² / 2σ², w a drift of the positions so far
//   a scale k:           |d − k s|² / 2σ²
//   another direction:   (|d| − |s|)² / 2σ² + what is free in it
// and FaultOdds sum the differences to the first.
import LinearAlgebra

/// Weighs over short steps whether a receiver's velocity is in km/h, in knots or in another direction than
/// the way between its positions.
///
/// One step says little, whatever it says: positions leap. What they drift by is the same from step to step,
/// where a velocity that is none is off by as much as the car goes.
struct VelocityHypotheses: Sendable {
  /// From one fix to a later one.
  struct Step {
    /// The way between the positions and the integral of the velocities, m; the change of these, m/s.
    var moved: Vector3, said: Vector3, change: Vector3
    /// s.
    var elapsed: Double
  }

  /// Shortest time of a step, s. [chosen: a second is what most receivers take]
  static let shortest = 0.9
  /// Metres of a step, and the longest time for it, s. [chosen: beyond the noise of fixes, below a bend]
  private static let length = 20.0, longest = 15.0
  /// What a step's ends are off by, m, and the part of it that a velocity is, one that is late among them.
  /// [chosen: fixes in the open; knots are off by 0.49]
  private static let sigma = 2.5, share = 0.12
  /// What is free in a direction. [chosen: it lets in one of two components]
  private static let freedom = 1.0
  /// Steps over which a drift is averaged. [chosen: it may begin at any time]
  private static let driftSteps = 3.0
  /// m/s in km/h, and in knots. [chosen: the units' definitions]
  private static let fromKmh = 1 / 3.6, fromKnots = 1852.0 / 3600

  private var inKmh = FaultOdds(), inKnots = FaultOdds(), turned = FaultOdds()
  /// What the positions have gone by otherwise than the velocities, m/s, where there was a step before.
  private var drift: Vector3?

  /// Whether the velocity is certain to be none.
  var isRefuted: Bool { inKmh.isCertain || inKnots.isCertain || turned.isCertain }

  /// Whether it has gone far enough for a step, or for too long.
  func isDue(_ step: Step) -> Bool {
    let longer = max(step.moved.horizontalNorm, step.said.horizontalNorm)
    return longer > Self.length && step.elapsed > Self.shortest
      || step.elapsed > Self.longest
  }

  /// Takes a step that is due.
  mutating func add(_ step: Step) {
    let d = step.moved, s = step.said
    guard step.elapsed <= Self.longest else { return interrupt() }
    let longer = max(d.horizontalNorm, s.horizontalNorm)
    let variance = Self.sigma * Self.sigma + Self.share * Self.share * longer * longer
    let off = level(d - s)
    var square = off.squaredNorm
    if let drift { square = min(square, (off - drift * step.elapsed).squaredNorm) }
    let own = square / (2 * variance)
    // Late in a turn it has another direction for a while, and is no other unit.
    let late = min(own, FaultOdds.square(of: off, late: level(step.change)) / (2 * variance))
    let speeds = d.horizontalNorm - s.horizontalNorm
    inKmh.add(sound: own, faulty: level(d - s * Self.fromKmh).squaredNorm / (2 * variance))
    inKnots.add(sound: own, faulty: level(d - s * Self.fromKnots).squaredNorm / (2 * variance))
    turned.add(sound: late, faulty: speeds * speeds / (2 * variance) + Self.freedom)
    let rate = off / step.elapsed
    drift = drift.map { $0 + (rate - $0) / Self.driftSteps } ?? rate
  }

  /// What comes is not the way on from where it was.
  mutating func interrupt() { drift = nil }

  private func level(_ v: Vector3) -> Vector3 { Vector3(v.x, v.y, 0) }
}
