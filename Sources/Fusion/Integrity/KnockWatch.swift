import LinearAlgebra
import Navigation

/// Finds that the IMU is turned in the car, or turns as nothing does: by the angular rate that no car has.
///
/// A car tilts little at a time, and its nose turns and rises as its way does: by the force that is felt
/// across the way, and slowly where it hardly goes. What falls, or is turned by hand, turns more for a
/// moment, and measures that rightly: its attitude goes on, and it is the mounting that is another. A
/// gyroscope that is broken does so for longer, or again. All this is seen in NED, and by no mounting.
package struct KnockWatch: Sendable {
  package enum Finding: Sendable {
    /// The IMU has been turned in the car.
    case knocked
    /// It turns as neither a car nor a hand does.
    case spinning
  }

  /// Rates of tilting, and of turning otherwise than the way does, that are looked into, rad/s.
  /// [chosen: the noise of a worse IMU is less]
  private static let tiltRate = 0.15, turnRate = 0.15
  /// Angles of which both together are no car's, rad.
  /// [measured on 25 drives: up to 0.14 of tilt, on a phone, and 0.06 on others; up to 0.04 of turn]
  private static let largestTilt = 0.2, largestTurn = 0.1
  /// Part of that which may have been a knock, should the motion leave the nose within `suspicion` s after.
  /// [measured on a knock by 9° in ontario-manoeuvres: a false heading for 44 s without, for 1.5 s with]
  private static let suspectedPart = 0.25, suspicion = 60.0
  /// Longest time that a knock takes, s, and that from one knock to the next.
  /// [chosen: a fall takes half a second, a hand one; a broken gyroscope comes again in the next bend]
  private static let longest = 2.0, again = 30.0
  /// Time for which all is as a car does it before a knock is over, s.
  /// [chosen: the second constraint that is calm, 0.1 s after the first, ends it]
  private static let calm = 0.15
  /// Smallest radius of a way, m, and rate of a nose whose car hardly goes, rad/s.
  /// [chosen: half a turning circle of 10 m, less; 3°/s are what a bias may be off by at first]
  private static let radius = 3.5, slack = 0.05
  /// What the force across the way may be wrong by, m/s²: the tilt's part, and so many times the part that
  /// goes to and fro from one constraint to the next, over `roughnessTime` s.
  /// [measured on 480 variants with a broken IMU: false headings for 2,467 s with 1 of them, 2,213 with 2]
  private static let force = 1.0, forcePerRoughness = 2.0, roughnessTime = 3.0

  /// Acceleration that is a shock, m/s², and time after it in which nothing is concluded, s: what is measured
  /// in one is not to be relied on. [chosen: no car brakes or turns at 2 g]
  private static let shock = 20.0, afterShock = 1.0

  /// How the car moves in NED, as the navigator has it.
  package struct Motion {
    /// Attitude C_b^n.
    package var navFromBody: Quaternion
    /// rad/s, m/s², m/s.
    package var rate: Vector3, acceleration: Vector3, velocity: Vector3
    /// Of the velocity along the axis that is known worse, m/s.
    package var speedSigma: Double

    @inline(__always) package init(
      navFromBody: Quaternion, rate: Vector3, acceleration: Vector3, velocity: Vector3, speedSigma: Double
    ) {
      (self.navFromBody, self.rate, self.acceleration) = (navFromBody, rate, acceleration)
      (self.velocity, self.speedSigma) = (velocity, speedSigma)
    }
  }

  /// Attitude at the last two looks, and before what is looked into.
  private var last = Quaternion.identity, secondLast = Quaternion.identity, before = Quaternion.identity
  private var acceleration = Vector3.zero, roughness = 0.0
  /// What is looked into: for how long, and for how long it has been calm, s; angles of tilt and turn that
  /// are no car's, of the nose and of the way, rad.
  private var duration = 0.0, calmFor = 0.0
  private var odd = Vector3.zero, turned = 0.0, way = 0.0
  private var sinceKnock = Double.infinity, sinceSuspicion = Double.infinity, sinceShock = Double.infinity

  package init() {}

  /// Whether something is looked into: until then nobody knows where the nose points.
  package var isLooking: Bool { duration > 0 }
  /// Whether the IMU may have been knocked a little of late.
  package var isSuspected: Bool { sinceSuspicion < Self.suspicion }
  /// Where the body would be had it not been turned in the car; nil as long as it does as a car.
  package private(set) var undisturbed: Quaternion?
  /// The same, knocked or not.
  private var expected: Quaternion { Quaternion(rotationVector: Vector3(0, 0, way)) * before }

  /// By how much what is looked into is no car's: 1 is too much.
  private var size: Double { Self.size(tilt: odd.horizontalNorm, turn: odd.z) }
  private static func size(tilt: Double, turn: Double) -> Double {
    let (x, y) = (tilt / largestTilt, turn / largestTurn)
    return (x * x + y * y).squareRoot()
  }
  /// Whether it is the body that turns: a way that turns alone is a skid's, or the gyroscope is dead.
  private var isKnock: Bool {
    let isNose = abs(turned) > abs(odd.z) / 2 && turned * odd.z > 0
    return Self.size(tilt: odd.horizontalNorm, turn: isNose ? odd.z : 0) > 1
  }

  /// Looks at the motion, `elapsed` seconds after the last time.
  ///
  /// - Returns: what has been found, and where the body would be without.
  package mutating func add(_ motion: Motion, elapsed: Double) -> (finding: Finding, expected: Quaternion)? {
    defer {
      (secondLast, last) = (last, motion.navFromBody)
      undisturbed = isLooking && size > 1 ? expected : nil
    }
    sinceKnock += elapsed
    sinceSuspicion += elapsed
    let wayRate = wayRate(motion, elapsed: elapsed)
    let oddRate = motion.rate - wayRate
    let isOdd = oddRate.horizontalNorm > Self.tiltRate || abs(oddRate.z) > Self.turnRate
    sinceShock = motion.acceleration.norm > Self.shock ? 0 : sinceShock + elapsed
    if sinceShock < Self.afterShock {
      (duration, sinceSuspicion) = (0, 0)
      return nil
    }
    if !isLooking {
      guard isOdd else { return nil }
      before = secondLast
      (odd, turned, way, calmFor) = (.zero, 0, 0, 0)
    }
    duration += elapsed
    odd += oddRate * elapsed
    turned += motion.rate.z * elapsed
    way += wayRate.z * elapsed
    calmFor = isOdd ? 0 : calmFor + elapsed
    if size > 1, duration > Self.longest { return (conclude(.spinning), expected) }
    guard calmFor > Self.calm || duration > Self.longest else { return nil }
    if isKnock { return (conclude(sinceKnock < Self.again ? .spinning : .knocked), expected) }
    if size > Self.suspectedPart { sinceSuspicion = 0 }
    duration = 0
    return nil
  }

  private mutating func conclude(_ finding: Finding) -> Finding {
    duration = 0
    sinceKnock = 0
    return finding
  }

  /// The rate of the body as far as it is that of the way, rad/s: a bend, a ramp.
  private mutating func wayRate(_ motion: Motion, elapsed: Double) -> Vector3 {
    let change = (motion.acceleration - acceleration).horizontalNorm
    acceleration = motion.acceleration
    roughness += (change - roughness) * min(1, elapsed / Self.roughnessTime)
    let (v, rate) = (motion.velocity, motion.rate)
    let speed = max(v.horizontalNorm, 1)
    let error = 2 * motion.speedSigma
    let slow = (v.horizontalNorm + error) / Self.radius + Self.slack
    let force = Self.force + Self.forcePerRoughness * roughness + acceleration.horizontalNorm * error / speed
    let margin = force / speed
    let felt = v.cross(acceleration) * (1 / (speed * speed))
    let turn = min(max(min(max(rate.z, -slow), slow), felt.z - margin), felt.z + margin)
    let tilt = rate.x * rate.x + rate.y * rate.y
    let share = tilt > 0 ? min(max((felt.x * rate.x + felt.y * rate.y) / tilt, 0), 1) : 0
    return Vector3(share * rate.x, share * rate.y, turn)
  }
}
