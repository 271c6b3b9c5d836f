import LinearAlgebra
import Navigation

/// Finds that a receiver's velocity has leapt as no car does: rate and force carry the velocity on from fix
/// to fix, whoever drives or carries the car, and were not felt to change like that.
///
/// Only a leap is told for certain: an attitude that is wrong, a ship that gathers way and a lag make the two
/// part by and by. From then on the receiver is off by as much, and its places go astray at that pace, until
/// it comes back or nobody can tell any more which of the two is right.
package struct VelocityLeap: Sendable {
  /// Least leap, m/s, standard deviations of one velocity, and the part of the change of the acceleration
  /// that a lag not known yet may shift, s. [chosen: a kerb taken hard, within a fix]
  private static let least = 1.5, gate = 6.0, lag = 0.3
  /// Part of a leap, at least, by which the velocity has changed more, or less, than was felt.
  /// [chosen: where most of it is a turn the attitude may be wrong; half a circle off has 0]
  private static let leastShare = 0.5
  /// Longest time from fix to fix, s. [chosen: two of a receiver of 1 Hz]
  static let longestPause = 2.5
  /// A fault of the receiver's lasts no longer than this, s. [chosen: faults last 3 to 30 s; twice that]
  private static let longest = 60.0

  /// What a fix says, and what was reckoned up to it.
  package struct Motion: Sendable {
    /// Velocity as the receiver has it, sum of all that rate and force have added to the velocity,
    /// and acceleration, in NED.
    package var measured: Vector3, reckoned: Vector3, acceleration: Vector3
    /// Lag of the receiver's velocity, s, and its standard deviation per axis, m/s.
    package var delay: Double, sigma: Double

    package init(
      measured: Vector3, reckoned: Vector3, acceleration: Vector3, delay: Double, sigma: Double
    ) {
      self.measured = measured
      self.reckoned = reckoned
      self.acceleration = acceleration
      self.delay = delay
      self.sigma = sigma
    }
  }

  private var last: (time: Timestamp, motion: Motion)?
  /// How far the last velocity lay from the navigator's, m/s.
  private var lastOff = 0.0
  /// How far the receiver is off since its velocity leapt, m/s, and when that was.
  private var offset = Vector3.zero
  private var since: Timestamp?
  /// Fixes since then that went on as it leapt, and how many have to.
  private var borneOut = 0
  private let needed: Int

  /// - Parameter needed: fixes after a leap that have to go on as it leapt before it counts.
  package init(borneOutBy needed: Int = 0) { self.needed = needed }

  /// Whether the receiver's velocity has leapt and not come back.
  package var isAstray: Bool { since != nil && borneOut >= needed }

  /// Variance per axis of what the receiver's places may have gone astray by since then, m²: no more than
  /// this one, which lies `innovation` m off, is seen to.
  @inline(__always) package func variance(at time: Timestamp, innovation: Vector3) -> Double {
    guard let since, isAstray else { return 0 }
    let distance = min(
      innovation.horizontalNorm, offset.horizontalNorm * max(0, time.seconds(since: since)))
    return distance * distance
  }

  /// Takes a fix with a velocity.
  ///
  /// - Parameter innovation: of the velocity, m/s.
  package mutating func add(_ motion: Motion, innovation: Vector3, at time: Timestamp) {
    let off = innovation.horizontalNorm
    let limit = Self.least + Self.gate * motion.sigma
    let before = since
    note(motion, off: off, limit: limit, at: time)
    (last, lastOff) = ((time, motion), off)
    guard let since else { return }
    borneOut = since == before ? borneOut + 1 : 0
    // A receiver comes back, or stays as far off as it leapt: what goes on to part is the navigator.
    let parted = (Vector3(innovation.x, innovation.y, 0) - offset).norm
    if off < limit || parted > limit || time.seconds(since: since) > Self.longest {
      self.since = nil
    }
  }

  private mutating func note(_ motion: Motion, off: Double, limit: Double, at time: Timestamp) {
    guard let (before, earlier) = last, time.seconds(since: before) < Self.longestPause else { return }
    let change = motion.acceleration - earlier.acceleration
    let measured = motion.measured - earlier.measured + change * motion.delay
    let felt = motion.reckoned - earlier.reckoned
    let leap = measured - felt
    let unfelt = limit + Self.lag * change.horizontalNorm
    guard leap.horizontalNorm > unfelt else { return }
    // As large as was felt, but to another side: it is the attitude that is wrong.
    let larger = abs(measured.horizontalNorm - felt.horizontalNorm)
    guard larger > Self.leastShare * leap.horizontalNorm else { return }
    if since != nil {
      // To another wrong velocity, or back, wherever the navigator may have got to without it.
      offset += Vector3(leap.x, leap.y, 0)
      if offset.norm < unfelt { since = nil }
    } else if off > limit, lastOff < limit {
      (since, offset) = (time, Vector3(leap.x, leap.y, 0))
    }
  }

  /// Rate and force were not heard: nothing carries the velocity on.
  package mutating func interrupt() { last = nil }
}
