import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells a navigator that has gone astray by how it moves against the guard.
///
/// The guard assumes next to nothing, so its covariance bounds that of the difference (Blanch and others, on solution
/// separation: where one of two estimates is the better on the same data, the covariance of their difference is that of
/// the other less its own). A receiver whose fixes drift makes the two part as well: the difference has to last.
struct SolutionSeparation: Sendable {
  /// Standard deviations, and m/s, by which the velocities have to differ. [chosen]
  private static let gate = 4.0, leastSpeed = 1.5
  /// For how long, s. [chosen]
  private static let patience = 8.0
  /// What the guard's velocity is off by besides its covariance, m/s. [chosen]
  private static let allowance = 0.4

  private var partedFor = 0.0

  /// Takes both at the time of a fix, `elapsed` seconds after the one before; true where the navigator is astray.
  mutating func observe<Recorder>(
    _ navigator: Navigator<Recorder>, _ planar: PlanarNavigator, elapsed: Double
  ) -> Bool {
    let elapsed = min(max(elapsed, 0), 1.5)
    let difference = planar.velocity - navigator.filter.state.velocity
    let own = navigator.filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let spread = planar.velocityCovariance + own
    let variance = Self.allowance * Self.allowance
    let (a, b, c) = (spread.x.x + variance, spread.x.y, spread.y.y + variance)
    let determinant = a * c - b * b
    let (x, y) = (difference.x, difference.y)
    let q = determinant > 0 ? (c * x * x - 2 * b * x * y + a * y * y) / determinant : 0
    let isParted =
      q > Self.gate * Self.gate && difference.horizontalNorm > Self.leastSpeed
      && !planar.hypotheses.isContested && !planar.hypotheses.isBiased
    partedFor = isParted ? partedFor + elapsed : max(0, partedFor - 2 * elapsed)
    return partedFor > Self.patience
  }
}

extension Navigator {
  /// Notes by how much the guard's course differs from the nose for certain, rad.
  mutating func witness(_ planar: PlanarNavigator) {
    let navFromVehicle = filter.state.navFromBody * filter.state.vehicleFromBody.inverse
    let off = Angle.wrapped(atan2(planar.velocity.y, planar.velocity.x) - navFromVehicle.yaw)
    courseOff = max(0, min(abs(off), .pi - abs(off)) - 3 * planar.courseSigma)
  }

  /// Takes place, velocity and course from the guard, where that knows them; false where it does not.
  mutating func adopt(_ planar: PlanarNavigator) -> Bool {
    let speed = planar.velocity.horizontalNorm
    guard isMountingKnown, speed > settings.mountingSpeed, planar.courseSigma < 0.15,
      time.seconds(since: adoptedAt) > 30
    else { return false }
    adoptedAt = time
    let navFromVehicle = filter.state.navFromBody * filter.state.vehicleFromBody.inverse
    let off = Angle.wrapped(atan2(planar.velocity.y, planar.velocity.x) - navFromVehicle.yaw)
    let isReverse = abs(off) > 0.75 * .pi
    let turn = isReverse ? 0 : off
    filter.state.navFromBody =
      (Quaternion(rotationVector: Vector3(0, 0, turn)) * filter.state.navFromBody).normalized
    take(planar)
    let yaw = 4 * planar.courseSigma * planar.courseSigma + 0.01
    filter.isolate(StateBlock.attitude, Matrix3(diagonal: Vector3(0.004, 0.004, yaw)))
    filter.covariance.addNoise(StateBlock.accelBias, variances: Vector3(repeating: 0.01))
    isStandingStill = false
    return true
  }

  private mutating func take(_ planar: PlanarNavigator) {
    filter.state.position = planar.position
    filter.state.velocity = planar.velocity
    filter.state.fixError = planar.fixError
    filter.isolate(StateBlock.position, planar.positionCovariance)
    filter.isolate(StateBlock.velocity, planar.velocityCovariance)
    filter.isolate(StateBlock.fixError, planar.fixErrorOwn)
    filter.covariance[StateBlock.position, StateBlock.fixError] = planar.positionFixError
    receiver = planar.receiver
    hypotheses = planar.hypotheses
    agreement = 1
    stillness = StillnessDetector()
  }

  /// The same car at the guard's place, with no attitude: what was learned of the receiver and the wheels goes on.
  func withoutAttitude(at planar: PlanarNavigator) -> Navigator {
    var lost = withoutIMU(isOdometry: false)
    lost.take(planar)
    lost.time = planar.time
    return lost
  }
}
