import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Carries what leveling and the heading bank have found over into the navigation filter.
struct NavigationStart {
  let winner: HeadingHypothesis
  let yawSigma: Double
  let origin: GeodeticPosition
  let leveling: Leveling
  let settings: FusionConfiguration
  let isOdometry: Bool

  var filter: NavigationFilter {
    let level = isOdometry ? Matrix3.identity : leveling.levelFromBody
    let down = level.transpose.z
    let navFromLevel = Quaternion(roll: 0, pitch: 0, yaw: winner.yaw)
    var state = NavigationState(
      position: origin.moved(byNED: winner.position), velocity: winner.velocity,
      navFromBody: navFromLevel * Quaternion(matrix: level))
    state.fixError = winner.fixError
    state.verticalAxis = down
    state.gyroBias = (isOdometry ? .zero : leveling.gyroBias) + down * winner.bias
    state.leverArm = settings.antennaLeverArm ?? .zero
    var filter = NavigationFilter(state: state, covariance: covariance(down: down))
    if !isOdometry { tieTiltToBias(&filter) }
    return filter
  }

  /// The bank's covariance where it has one, the settings' elsewhere.
  private func covariance(down: Vector3) -> ErrorCovariance {
    var p = ErrorCovariance()
    let bias = isOdometry ? 0.005 : leveling.gyroBiasSigma
    let flat = Matrix3.identity - Matrix3(outer: down, down)
    p[StateBlock.gyroBias, StateBlock.gyroBias] = flat * (bias * bias)
    let accel = isOdometry ? 1e-3 : settings.accelBiasSigma
    p[StateBlock.accelBias, StateBlock.accelBias] = Matrix3(scalar: accel * accel)
    let tilt = isOdometry ? 0.01 : leveling.tiltSigma + settings.accelBiasSigma / 9.81
    p[StateBlock.attitude, StateBlock.attitude] = Matrix3(diagonal: Vector3(tilt * tilt, tilt * tilt, 0))
    carry(into: &p, down: down)

    let arm = settings.antennaLeverArm == nil ? settings.leverArmSigma : 0.02
    p[StateBlock.leverArm, StateBlock.leverArm] = Matrix3(scalar: arm * arm)
    let delay = settings.delaySigma * settings.delaySigma
    let scale = settings.gyroScaleSigma * settings.gyroScaleSigma
    p[StateBlock.timing, StateBlock.timing] = Matrix3(diagonal: Vector3(delay, delay, scale))
    if isOdometry {
      let odometer = settings.odometerSigma * settings.odometerSigma
      p[StateBlock.vehicle, StateBlock.vehicle] = Matrix3(diagonal: Vector3(1e-6, 1e-6, odometer))
    }
    return p
  }

  /// Maps the bank's blocks, with all they have in common, on the filter's: yaw is the attitude about down, the
  /// bias left after leveling one about the down axis of the body.
  private func carry(into p: inout ErrorCovariance, down: Vector3) {
    let yaw = Matrix3(columns: Vector3(0, 0, 1), .zero, .zero)
    let bias = Matrix3(columns: .zero, down, .zero)
    let map: InlineArray<5, (block: Int, from: Int, matrix: Matrix3)> = [
      (StateBlock.position, HeadingHypothesis.Block.position, .identity),
      (StateBlock.velocity, HeadingHypothesis.Block.velocity, .identity),
      (StateBlock.attitude, HeadingHypothesis.Block.turn, yaw),
      (StateBlock.gyroBias, HeadingHypothesis.Block.turn, bias),
      (StateBlock.fixError, HeadingHypothesis.Block.fixError, .identity),
    ]
    for i in 0..<5 {
      for j in i..<5 {
        let (a, b) = (map[i], map[j])
        p[a.block, b.block] += a.matrix * winner.covariance[a.from, b.from] * b.matrix.transpose
      }
    }
    // The hypotheses' spread, and the tilt's part in the accelerations, that the winner knows nothing of.
    let own = winner.covariance[HeadingHypothesis.Block.turn, HeadingHypothesis.Block.turn].x.x
    p.addNoise(StateBlock.attitude, variances: Vector3(0, 0, max(0, yawSigma * yawSigma - own) + 2.5e-3))
    p.addNoise(StateBlock.velocity, variances: Vector3(0.01, 0.01, 0.01))
  }

  /// Tilt came from the accelerometer: its error is the accelerometer's bias over gravity, and both must know it.
  private func tieTiltToBias(_ filter: inout NavigationFilter) {
    let navFromBody = filter.state.navFromBody.matrix
    let gravity = Vector3(0, 0, -9.81)
    let measurement = Measurement<2>(
      innovation: .zero,
      links: [
        Link(StateBlock.attitude, Matrix3(crossProductOf: -gravity)), Link(StateBlock.accelBias, -navFromBody),
      ],
      noise: Matrix3(diagonal: Vector3(repeating: pow(9.81 * leveling.tiltSigma, 2))), dimension: 3)
    _ = filter.apply(measurement.keeping(Vector3(1, 1, 0)))
  }
}
