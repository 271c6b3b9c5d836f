import CLibrary
import LinearAlgebra
import Navigation

/// How the guard moves, and how sure it is of that.
struct GuardMotion {
  var velocity: Vector3
  var velocityCovariance: Matrix3
  /// Variance of its place per level axis, m².
  var positionVariance: Double
  /// Standard deviation of the direction of motion, rad.
  var courseSigma: Double
  /// Of the rate about gravity, rad/s.
  var rateBias: (value: Double, variance: Double)
  /// True over stated standard deviation of the receiver's velocity.
  var velocityScale: Double
  var isContested: Bool
  var isBiased: Bool
  /// How often it has gone to another place.
  var moves: Int

  /// Whether it should judge nobody.
  var isInDoubt: Bool { isContested || isBiased }
}

extension PlanarNavigator {
  /// How it moves. Nothing changes; but what is not `mutating` would be copied from an optional.
  var motion: GuardMotion {
    mutating get {
      GuardMotion(
        velocity: velocity, velocityCovariance: velocityCovariance,
        positionVariance: (positionCovariance.x.x + positionCovariance.y.y) / 2, courseSigma: courseSigma,
        rateBias: rateBias, velocityScale: receiver.velocityScale, isContested: hypotheses.isContested,
        isBiased: hypotheses.isBiased, moves: moves)
    }
  }
}

/// Tells a navigator that has gone astray by how it moves against the guard.
///
/// The guard assumes next to nothing, so its covariance bounds that of the difference (Blanch and others, on
/// solution separation: where one of two estimates is the better on the same data, the covariance of their
/// difference is that of the other less its own). A receiver whose fixes drift makes the two part as well:
/// the difference has to last, and longer where the fixes are seen to have left first.
struct SolutionSeparation: Sendable {
  /// Standard deviations, and m/s, by which the velocities have to differ. [chosen]
  fileprivate static let gate = 4.0, leastSpeed = 1.5
  /// For how long, s.
  /// [measured on nagoya-rtk, its IMU turned by 90° on the way: P95 9.9 m with 8, 37.3 m with 16]
  fileprivate static let patience = 8.0
  /// What the guard's velocity is off by besides its covariance, m/s. [chosen]
  fileprivate static let allowance = 0.4
  /// Standard deviation of a place that is as good as not known beside fixes, m, and times the guard's.
  /// [measured on 500 variants with bursts and on 192 simulated ones without velocity: lost for 408 and 878 s
  /// without it, for 356 and 255 s with 20 m and 5, for 328 and 124 s with 10 m and 4]
  private static let blindSigma = 10.0, blindRatio = 4.0
  /// The same of its rate bias, rad/s: slopes and banks turn what it takes for vertical, and a part that
  /// warms gets ahead of it.
  /// [measured on simulated hills with an MPU-6050: outages end with a P95 of 242, 9, 9 m with 2, 4, 6 e-3]
  private static let biasAllowance = 0.005

  private var partedFor = 0.0
  private var departed = DepartedFixes()

  /// Takes both at the time of a fix, `elapsed` seconds after the one before; true where
  /// the navigator is astray.
  @inline(__always) mutating func observe<Recorder>(
    _ navigator: Navigator<Recorder>, _ planar: GuardMotion, elapsed: Double
  ) -> Bool {
    departed.observe(Self.sight(navigator, planar), partedFor: partedFor, elapsed: elapsed)
    if departed.areBack { partedFor = 0 }
    // Beside a car that is felt to stand it is the guard that moves, with the fixes.
    let isAtRest = navigator.rest.isStanding && navigator.isRestBorneOut && navigator.isMountingProven
    let elapsed = (isAtRest ? PositionHypotheses.standingPace : 1) * DwellTimer.counted(elapsed)
    let isParted =
      Self.parts(navigator, planar) || !planar.isInDoubt && Self.turnsOtherwise(navigator, planar)
    partedFor = isParted ? partedFor + elapsed : max(0, partedFor - 2 * elapsed)
    return partedFor > Self.patience && !departed.isExcuse
  }

  @inline(__always) private static func sight<Recorder>(
    _ navigator: Navigator<Recorder>, _ planar: GuardMotion
  ) -> DepartedFixes.Sight {
    let difference = planar.velocity - navigator.filter.state.velocity
    return DepartedFixes.Sight(
      isContested: navigator.hypotheses.isContested, areAway: navigator.areFixesAway,
      speed: difference.horizontalNorm)
  }

  /// Whether the navigator moves otherwise than the guard, where that is in no doubt itself.
  @inline(__always) static func parts<Recorder>(
    _ navigator: Navigator<Recorder>, _ planar: GuardMotion
  ) -> Bool {
    let difference = planar.velocity - navigator.filter.state.velocity
    let own = navigator.filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let spread = planar.velocityCovariance + own
    let variance = allowance * allowance
    let (a, b, c) = (spread.x.x + variance, spread.x.y, spread.y.y + variance)
    let determinant = a * c - b * b
    let (x, y) = (difference.x, difference.y)
    let q = determinant > 0 ? (c * x * x - 2 * b * x * y + a * y * y) / determinant : 0
    let isAside = q > gate * gate && difference.horizontalNorm > leastSpeed
    return !planar.isInDoubt && (isAside || isBlind(navigator, planar))
  }

  /// Whether the navigator no longer knows where it is, and the guard, which assumes less, does: it has come
  /// to take its own wandering for errors of the fixes.
  @inline(__always) private static func isBlind<Recorder>(
    _ navigator: Navigator<Recorder>, _ planar: GuardMotion
  ) -> Bool {
    // Fixes of another place that it leaves out are no fixes that it knows nothing beside.
    if navigator.hypotheses.isContested { return false }
    let own = navigator.filter.covariance[StateBlock.position, StateBlock.position]
    let variance = (own.x.x + own.y.y) / 2
    let known = Self.blindRatio * Self.blindRatio * planar.positionVariance
    return variance > max(Self.blindSigma * Self.blindSigma, known)
  }

  /// Whether both take the gyroscope to be biased about gravity by other amounts: one that has followed
  /// drifting fixes round a bend keeps the bias that it has made of them.
  @inline(__always) private static func turnsOtherwise<Recorder>(
    _ navigator: Navigator<Recorder>, _ planar: GuardMotion
  ) -> Bool {
    let down = navigator.down
    let own = navigator.filter.covariance[StateBlock.gyroBias, StateBlock.gyroBias]
    let variance = down.dot(own * down) + planar.rateBias.variance + Self.biasAllowance * Self.biasAllowance
    let off = planar.rateBias.value - navigator.filter.state.gyroBias.dot(down)
    return off * off > Self.gate * Self.gate * variance
  }
}

extension Navigator {
  /// Notes by how much the guard's course differs from the nose for certain, rad, whether it moves as this
  /// does, and for how long it has been where the fixes are; `elapsed` seconds after the fix before.
  mutating func witness(_ planar: GuardMotion, elapsed: Double) {
    witness.guardAgreement.observe(
      isAtFixes: !planar.isContested && !planar.isBiased, moves: planar.moves, isStanding: rest.isStanding,
      elapsed: elapsed)
    let off = Angle.wrapped(atan2(planar.velocity.y, planar.velocity.x) - navFromVehicle.yaw)
    carriage.courseOff = max(0, min(abs(off), .pi - abs(off)) - 3 * planar.courseSigma)
    let difference = (planar.velocity - filter.state.velocity).horizontalNorm
    let spread = planar.velocityCovariance + filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let sigma = max(spread.x.x, spread.y.y, 0).squareRoot()
    witness.movesAsGuard = difference < SolutionSeparation.gate * sigma + SolutionSeparation.allowance
  }

  /// Takes place, velocity and course from the guard, where that knows them; false where it does not.
  mutating func adopt(_ planar: PlanarNavigator) -> Bool {
    let speed = planar.velocity.horizontalNorm
    guard mounting.isKnown, speed > settings.vehicle.mountingSpeed, planar.courseSigma < 0.15,
      time.seconds(since: witness.adoptedAt) > 30
    else { return false }
    witness.adoptedAt = time
    let off = Angle.wrapped(atan2(planar.velocity.y, planar.velocity.x) - navFromVehicle.yaw)
    let isReverse = abs(off) > 0.75 * .pi
    let turn = isReverse ? 0 : off
    let left = filter.state.position.ned(from: planar.position)
    let rate = filter.state.velocity - planar.velocity
    let own = fixSpread
    take(planar)
    // Drifting fixes take the guard along too: when they end, they are back where this was.
    hypotheses.leave(
      left, rate: rate, variance: (own.x.x + own.y.y) / 2, at: time, after: SolutionSeparation.patience)
    let yaw = 4 * planar.courseSigma * planar.courseSigma + 0.01
    filter.reset(
      attitude: (Quaternion(rotationVector: Vector3(0, 0, turn)) * filter.state.navFromBody).normalized,
      covariance: Matrix3(diagonal: Vector3(0.004, 0.004, yaw)))
    filter.inflate(StateBlock.accelBias, variances: Vector3(repeating: 0.01))
    recallRateBias(planar.rateBias)
    rest.isStanding = false
    return true
  }

  /// Direction of gravity in body axes.
  @inline(__always) var down: Vector3 { filter.state.navFromBody.inverse * Vector3(0, 0, 1) }

  /// The gyroscope's bias across gravity, in body axes, rad/s.
  @inline(__always) var gyroBiasAcross: Vector3 {
    let (bias, down) = (filter.state.gyroBias, down)
    return bias - down * bias.dot(down)
  }

  /// Takes the gyroscope's bias about gravity from the guard.
  mutating func recallRateBias(_ bias: (value: Double, variance: Double)) {
    let down = self.down
    let own = filter.covariance[StateBlock.gyroBias, StateBlock.gyroBias].diagonal
    let variance = 4 * bias.variance + Self.leastRateBiasSigma * Self.leastRateBiasSigma
    filter.reset(
      StateBlock.gyroBias,
      value: filter.state.gyroBias + down * (bias.value - filter.state.gyroBias.dot(down)),
      covariance: Matrix3(diagonal: Vector3(max(own.x, variance), max(own.y, variance), max(own.z, variance)))
    )
  }

  /// Standard deviation of a rate bias that was taken from the guard, at least, rad/s. [chosen: 0.1 °/s]
  private static var leastRateBiasSigma: Double { 0.002 }

  private mutating func take(_ planar: PlanarNavigator) {
    filter.reset(position: planar.position, covariance: planar.positionCovariance)
    filter.reset(StateBlock.velocity, value: planar.velocity, covariance: planar.velocityCovariance)
    filter.reset(
      StateBlock.gnssPositionBias, value: planar.gnssPositionBias, covariance: planar.gnssPositionBiasOwn)
    filter.correlate(StateBlock.position, StateBlock.gnssPositionBias, planar.positionGNSSBias)
    receiver = planar.receiver
    hypotheses = planar.hypotheses
    witness.agreement = 1
    rest.detector = StillnessDetector()
  }

  /// The same car at the guard's place, with no attitude: what was learned of the
  /// receiver and the wheels goes on.
  func withoutAttitude(at planar: PlanarNavigator) -> Navigator {
    var lost = withoutIMU(isOdometry: false)
    lost.take(planar)
    lost.time = planar.time
    return lost
  }
}
