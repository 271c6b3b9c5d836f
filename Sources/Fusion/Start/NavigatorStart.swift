import LinearAlgebra
import Navigation

extension Navigator {
  /// A navigator about a first fix, level and with its nose to the north: it can only coast.
  init(fix: GNSSFix, receiver: ReceiverModel, settings: FusionConfiguration) {
    var position = fix.position
    let hasHeight = position.height.isFinite
    if !hasHeight { position.height = 0 }
    var velocity = fix.velocityNED ?? .zero
    if !velocity.z.isFinite { velocity.z = 0 }
    let state = NavigationState(position: position, velocity: velocity, navFromBody: .identity)
    var p = ErrorCovariance()
    // The first fix's lasting error is in the position from the start: with its
    // cross-covariance, or it would stay.
    let lasting = Matrix3(diagonal: receiver.correlatedVariance(fix))
    p[StateBlock.position, StateBlock.position] = receiver.positionNoise(fix) + lasting
    p[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias] = lasting
    p[StateBlock.position, StateBlock.gnssPositionBias] = -lasting
    p[StateBlock.velocity, StateBlock.velocity] =
      fix.velocityNED == nil ? Matrix3(diagonal: Vector3(400, 400, 4)) : receiver.velocityNoise(fix)
    self.init(
      filter: ErrorStateFilter(state: state, covariance: p), receiver: receiver, settings: settings,
      time: fix.time, isOdometry: false)
    if !hasHeight { forgetHeight(at: fix) }
    record()
  }

  /// Gives it an attitude, at the same position and velocity: level axes found from the
  /// mean force, turned by `yaw`.
  ///
  /// - Parameters:
  ///   - force: mean specific force in body axes, m/s²; any mounting will do, sideways or upside down.
  ///   - tiltSigma: of the attitude found from it, rad: large where the car may have been accelerating.
  ///   - warm: a saved state whose parts, as far as they were borne out, are known from the start.
  ///   - gyroBias: as the gyroscope last showed it at rest, rad/s, with its variance per axis.
  mutating func orient(
    yaw: Double, yawSigma: Double, force: Vector3, tiltSigma: Double, recalling warm: WarmStart? = nil,
    gyroBias: (value: Vector3, variance: Double)? = nil
  ) {
    let isKnown = warm?.isIMUKnown == true
    let force = force - (isKnown ? warm?.saved.calibration.accelBias.value ?? .zero : .zero)
    let level = Self.levelFromBody(down: force * (-1 / force.norm))
    let down = level.transpose.z
    var state = filter.state
    state.navFromBody = Quaternion(rotationVector: Vector3(0, 0, yaw)) * Quaternion(matrix: level)
    state.verticalAxis = down
    if !isOdometry, !isDisabled(.chassis) {
      state.axleDistance = settings.vehicle.axleDistance
      state.sideslipGradient = settings.vehicle.sideslipGradient
      state.pitchPerForce = settings.vehicle.pitchPerForce
    }
    filter.set(state)
    setCovariance(tiltSigma: tiltSigma, yawSigma: yawSigma)
    if let warm, warm.isUsable, !isOdometry {
      if isKnown { recallIMU(warm) }
      filter.set(verticalAxis: down)
      mounting.remembered = warm.remembered
    }
    if let gyroBias {
      filter.reset(
        StateBlock.gyroBias, value: gyroBias.value, covariance: Matrix3(scalar: gyroBias.variance))
    }
    if isOdometry { placeAntenna() } else { tieTiltToBias(sigma: tiltSigma) }
  }

  /// The same position and velocity for a car whose wheel speed and yaw rate stand in for an IMU.
  func odometry(yaw: Double, yawSigma: Double) -> Navigator {
    var other = withoutIMU(isOdometry: true)
    other.orient(yaw: yaw, yawSigma: yawSigma, force: Vector3(0, 0, -9.81), tiltSigma: 0.005)
    return other
  }

  /// A car without an IMU whose track has been matched with its fixes, the newest of which is `fix`.
  func odometry(_ match: TrackMatch.Result, newest fix: GNSSFix) -> Navigator {
    var matched = odometry(yaw: match.heading, yawSigma: match.headingVariance.squareRoot())
    var state = matched.filter.state
    state.position = match.position
    state.velocity = match.velocity
    state.gnssPositionBias = .zero
    state.gyroBias = Vector3(0, 0, match.bias)
    state.odometerScale = match.scale
    matched.filter.set(state)
    matched.receiver.seed(
      spread: match.spread, white: match.white, independent: match.independent, of: fix)
    let turned = Vector3(-match.velocity.y, match.velocity.x, 0)
    let speedVariance = 0.01 + match.velocity.squaredNorm * match.scaleVariance
    matched.filter.isolate(StateBlock.position, match.positionCovariance)
    matched.filter.isolate(
      StateBlock.velocity,
      Matrix3(scalar: speedVariance) + Matrix3(outer: turned, turned) * match.headingVariance)
    matched.filter.correlate(
      StateBlock.position, StateBlock.attitude, Matrix3(columns: .zero, .zero, match.positionHeading))
    matched.filter.correlate(
      StateBlock.velocity, StateBlock.attitude,
      Matrix3(columns: .zero, .zero, turned * match.headingVariance))
    matched.filter.correlate(
      StateBlock.velocity, StateBlock.position, Matrix3(outer: turned, match.positionHeading))
    matched.filter.isolate(
      StateBlock.gnssPositionBias, Matrix3(diagonal: matched.receiver.correlatedVariance(fix)))
    matched.filter.isolate(
      StateBlock.gyroBias, Matrix3(diagonal: Vector3(1e-6, 1e-6, max(match.biasVariance, 1e-8))))
    return matched
  }

  /// The same position and velocity, and what was learned of the receiver and the wheels, for another source
  /// of rate and force: what belongs to the one so far does not go on.
  func withoutIMU(isOdometry: Bool) -> Navigator {
    let old = filter.state
    var state = NavigationState(position: old.position, velocity: old.velocity, navFromBody: .identity)
    state.gnssPositionBias = old.gnssPositionBias
    state.odometerScale = old.odometerScale
    state.positionDelay = old.positionDelay
    state.velocityDelay = old.velocityDelay
    state.lagShare = old.lagShare
    var other = Navigator(
      filter: ErrorStateFilter(state: state, covariance: filter.covariance, recorder: filter.recorder),
      receiver: receiver,
      settings: settings, time: time, isOdometry: isOdometry)
    other.barometer = barometer
    other.releaseBarometer()
    return other
  }

  /// The same car without its IMU: its heading is known, as far as it was.
  var asOdometry: Navigator {
    let navFromVehicle = self.navFromVehicle
    let variance = vehicleAttitudeCovariance(navFromVehicle.matrix).z.z
    let sigma = mounting.isKnown ? max(max(0, variance).squareRoot(), 0.01) : .pi
    return odometry(yaw: navFromVehicle.yaw, yawSigma: min(sigma, 1))
  }

  /// Level axes: forward is the body axis that lies flattest, turned into the horizontal.
  private static func levelFromBody(down: Vector3) -> Matrix3 {
    let ahead = abs(down.x) < 0.8 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
    let flat = ahead - down * ahead.dot(down)
    let forward = flat / flat.norm
    return Matrix3(rows: forward, down.cross(forward), down)
  }

  mutating func setCovariance(tiltSigma: Double, yawSigma: Double) {
    func square(_ sigma: Double) -> Double { sigma * sigma }
    // An IMU's tilt is as good as unknown until `tieTiltToBias` says what the accelerometer knows of it.
    let tilt = square(isOdometry ? tiltSigma : 0.5)
    filter.isolate(StateBlock.attitude, Matrix3(diagonal: Vector3(tilt, tilt, square(yawSigma))))
    for block in StateBlock.learned {
      guard
        let variances = LearnedState.startVariances(
          of: block, once: .heading, settings, isOdometry: isOdometry)
      else { continue }
      filter.isolate(block, Matrix3(diagonal: variances))
    }
  }

  /// Tilt came from the accelerometer: its error is the accelerometer's bias over
  /// gravity, and both must know it.
  mutating func tieTiltToBias(sigma: Double) {
    let measurement = Measurement(
      innovation: .zero,
      links: Term(StateBlock.attitude, CrossProductMatrix(of: Vector3(0, 0, 9.81)))
        + Term(StateBlock.accelBias, filter.state.navFromBody.matrix * -1),
      noise: Matrix3(scalar: 9.81 * 9.81 * sigma * sigma), dimension: 3)
    _ = filter.apply(measurement.keeping(first: 2))
  }
}
