import LinearAlgebra
import Navigation

/// Finds that a receiver's places begin to drift: from step to step they go otherwise than rate and force
/// carry the car, and went as these do before.
///
/// That is a ``VelocityLeap`` of the mean velocities of their steps, which need no velocity of the
/// receiver's. A place that leaps once is another place (``PositionHypotheses``): only a pace that the next
/// step bears out is a drift.
package struct PlaceLeap: Sendable {
  /// Least length of a step, s: the noise of its ends is divided by it, and the car follows the drift
  /// meanwhile. Bursts 228001:228020 of `reckon stress` were lost for 355 s without any of it.
  /// [measured on these 500 variants: 0.7, 0.95 s lost for 223, 282 s]
  private static let leastStep = 0.7

  private var leap = VelocityLeap(borneOutBy: 1)
  private var last: (time: Timestamp, position: GeodeticPosition, reckoned: Vector3)?

  package init() {}

  /// Whether the places drift and have not come back.
  @inline(__always) package var isAstray: Bool { leap.isAstray }

  /// Variance per axis of what they have drifted by since then, m², as ``VelocityLeap`` has it.
  @inline(__always) package func variance(at time: Timestamp, innovation: Vector3) -> Double {
    leap.variance(at: time, innovation: innovation)
  }

  /// Takes the place that a fix tells.
  ///
  /// - Parameters:
  ///   - variance: per axis, of what changes from fix to fix, m².
  ///   - velocity: the navigator's then, NED, m/s, beside the sum of all that rate and force have added to it
  ///     (`reckoned`) and the acceleration, m/s².
  package mutating func add(
    _ position: GeodeticPosition, variance: Double, velocity: Vector3, reckoned: Vector3,
    acceleration: Vector3, at time: Timestamp
  ) {
    let elapsed = last.map { time.seconds(since: $0.time) } ?? .infinity
    guard elapsed > Self.leastStep else { return }
    defer { last = (time, position, reckoned) }
    guard let last, elapsed < VelocityLeap.longestPause else { return }
    let way = position.ned(from: last.position)
    let measured = Vector3(way.x, way.y, 0) * (1 / elapsed)
    // Velocity and sum in the middle of the step.
    let felt = (reckoned - last.reckoned) * 0.5
    let own = velocity - felt
    // Of two steps that share a place: 1 + 4 + 1.
    let sigma = (6 * variance).squareRoot() / elapsed
    leap.add(
      .init(
        measured: measured, reckoned: last.reckoned + felt, acceleration: acceleration, delay: 0, sigma: sigma
      ),
      innovation: Vector3(measured.x - own.x, measured.y - own.y, 0), at: time)
  }

  /// Rate and force were not heard: nothing carries the velocity on.
  package mutating func interrupt() {
    leap.interrupt()
    last = nil
  }
}
