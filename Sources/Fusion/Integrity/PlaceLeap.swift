import CLibrary
import LinearAlgebra
import Navigation

/// Finds that a receiver's places begin to drift: from step to step they go otherwise than rate and force
/// carry the car, and went as these do before.
///
/// That is a ``VelocityLeap`` of the mean velocities of their steps, which need no velocity of the
/// receiver's. A place that leaps once is another place (``PositionHypotheses``): only a pace that the next
/// step bears out is a drift.
package struct PlaceLeap: Sendable {
  /// Length of a step, s: the noise of its ends is divided by it, and the car follows the drift meanwhile.
  /// [measured on 500 burst variants of `reckon stress`, 228001:228020: 0.7, 0.95 s lost for 223, 282 s, for
  /// 355 s without any of it]
  private static let step = 0.7
  /// Longest step, s. [chosen: two of a receiver of 1 Hz]
  private static let longestStep = 2.5

  private var leap = VelocityLeap(borneOutBy: 1)
  private var last: (time: Timestamp, position: GeodeticPosition, reckoned: Vector3)?

  package init() {}

  /// Whether the places drift and have not come back.
  @inline(__always) package var isAstray: Bool { leap.isAstray }

  /// Variance per axis of what they have drifted by since then, m², as ``VelocityLeap`` has it.
  package func variance(at time: Timestamp, innovation: Vector3) -> Double {
    leap.variance(at: time, innovation: innovation)
  }

  /// What the navigator has at a fix: velocity, sum of all that rate and force have added to it, and
  /// acceleration, in NED.
  package struct Motion: Sendable {
    package var velocity: Vector3, reckoned: Vector3, acceleration: Vector3

    package init(velocity: Vector3, reckoned: Vector3, acceleration: Vector3) {
      self.velocity = velocity
      self.reckoned = reckoned
      self.acceleration = acceleration
    }
  }

  /// Takes a fix.
  ///
  /// - Parameter variance: per axis, of what changes from fix to fix, m².
  package mutating func add(
    _ position: GeodeticPosition, variance: Double, _ motion: Motion, at time: Timestamp
  ) {
    let elapsed = last.map { time.seconds(since: $0.time) } ?? .infinity
    guard elapsed > Self.step else { return }
    defer { last = (time, position, motion.reckoned) }
    guard let last, elapsed < Self.longestStep else { return }
    let way = position.ned(from: last.position)
    let measured = Vector3(way.x, way.y, 0) * (1 / elapsed)
    // Velocity and sum in the middle of the step.
    let felt = (motion.reckoned - last.reckoned) * 0.5
    let velocity = motion.velocity - felt
    // Of two steps that share a place: 1 + 4 + 1.
    let sigma = (6 * variance).squareRoot() / elapsed
    leap.add(
      .init(
        measured: measured, reckoned: last.reckoned + felt, acceleration: motion.acceleration, delay: 0,
        sigma: sigma),
      innovation: Vector3(measured.x - velocity.x, measured.y - velocity.y, 0), at: time)
  }

  /// Rate and force were not heard: nothing carries the velocity on.
  package mutating func interrupt() {
    leap.interrupt()
    last = nil
  }
}
