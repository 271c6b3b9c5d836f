import CLibrary
import LinearAlgebra
import Navigation

extension Navigator {
  /// A navigator that goes on from a saved state.
  ///
  /// - Parameters:
  ///   - rest: mean angular rate and specific force of the car at rest, rad/s and m/s², from which tilt and
  ///     gyroscope bias are taken anew; nil where it is not at rest.
  init(
    _ warm: WarmStart, rest: (rate: Vector3, force: Vector3)?, receiver: ReceiverModel, time: Timestamp,
    settings: FusionConfiguration
  ) {
    let saved = warm.saved
    let elapsed = saved.isStandingStill ? 0 : saved.age ?? 0
    let state = NavigationState(
      position: saved.position.moved(byNED: saved.velocityNED * elapsed),
      velocity: saved.isStandingStill ? .zero : saved.velocityNED, navFromBody: saved.navFromBody.normalized)
    // A car that drove on may have braked or turned since: 2 m/s².
    let change = 2 * elapsed
    let speedSigma = saved.isStandingStill ? (rest != nil ? 0.1 : 1) : 0.3 + change
    var p = ErrorCovariance()
    p[StateBlock.position, StateBlock.position] =
      saved.positionCovariance.symmetrized + Matrix3(scalar: 1 + change * elapsed * change * elapsed)
    p[StateBlock.velocity, StateBlock.velocity] = Matrix3(scalar: speedSigma * speedSigma)
    self.init(
      filter: ErrorStateFilter(state: state, covariance: p), receiver: receiver, settings: settings,
      time: time, isOdometry: false)
    setCovariance(tiltSigma: 0.5, yawSigma: 1)
    recallIMU(warm)
    recallMounting(warm.remembered, lean: WarmStart.loadLean)
    recallReceiver(saved)
    let yaw = rootSumOfSquares(saved.headingSigma, 0.02) + 0.1 * elapsed
    if let rest {
      filter.reset(
        attitude: levelled(force: rest.force - filter.state.accelBias),
        covariance: Matrix3(diagonal: Vector3(0.25, 0.25, yaw * yaw)))
      tieTiltToBias(sigma: 0.005)
      var still = filter.state
      still.angularRate = still.corrected(angularRate: rest.rate)
      let sigma = settings.standstill.rateSigma
      _ = filter.apply(
        Standstill.angularRate(still, earthRate: .zero, noise: sigma * sigma), degreesOfFreedom: 4)
    } else {
      filter.isolate(StateBlock.attitude, Matrix3(diagonal: Vector3(0.0016, 0.0016, yaw * yaw)))
    }
    placeAntenna()
    // No fix has come yet: the mode is dead reckoning from the start.
    fixes.last = time.advanced(bySeconds: -settings.deadReckoningAfter)
  }

  /// The same car with the heading from its direction of motion, by the saved mounting; nil where
  /// the motion does not say.
  func heading(byMotion warm: WarmStart) -> Navigator? {
    let velocity = filter.state.velocity
    let speed = velocity.horizontalNorm
    let p = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let sigma = max(p.x.x, p.y.y).squareRoot()
    guard speed > WarmStart.courseSpeed, sigma < 0.1 * speed else { return nil }
    var known = self
    let navFromVehicle = Quaternion(roll: 0, pitch: 0, yaw: atan2(velocity.y, velocity.x))
    known.setCovariance(tiltSigma: 0.5, yawSigma: 1)
    known.recallIMU(warm)
    known.recallMounting(warm.remembered, lean: WarmStart.loadLean)
    known.recallReceiver(warm.saved)
    // Roads slope by 3° or so; tyres and turns part course and heading by about 2°.
    let yaw = rootSumOfSquares(sigma / speed, 0.035)
    known.filter.reset(
      attitude: (navFromVehicle * warm.mounting).normalized,
      covariance: Matrix3(diagonal: Vector3(0.0036, 0.0036, yaw * yaw)))
    known.placeAntenna()
    return known
  }

  /// Why a fix cannot be of the place that the navigator believes in: its distance in
  /// metres; nil where it can.
  func distance(contradictedBy fix: GNSSFix) -> Double? {
    let noise = receiver.positionNoise(fix)
    let innovation = GNSSPosition.measurement(filter.state, position: fix.position, noise: noise).innovation
    let lasting = receiver.correlatedVariance(fix)
    let p = filter.covariance[StateBlock.position, StateBlock.position]
    let variance = p.x.x + p.y.y + noise.x.x + noise.y.y + lasting.x + lasting.y
    if innovation.horizontalNorm > max(WarmStart.leastMove, 4 * variance.squareRoot()) {
      return innovation.horizontalNorm
    }
    guard let velocity = fix.velocityNED else { return nil }
    let v = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let n = receiver.velocityNoise(fix)
    let spread = (v.x.x + v.y.y + n.x.x + n.y.y).squareRoot()
    let isOther = (velocity - filter.state.velocity).horizontalNorm > max(3, 5 * spread)
    return isOther ? innovation.horizontalNorm : nil
  }

  /// The distance in metres to the place of another navigator, where no reflected signal makes
  /// it up; nil where it may.
  func distance(to other: Navigator) -> Double? {
    let offset = other.filter.state.position.ned(from: filter.state.position)
    let p =
      filter.covariance[StateBlock.position, StateBlock.position]
      + other.filter.covariance[StateBlock.position, StateBlock.position]
    let limit = max(WarmStart.noReflection, 4 * (p.x.x + p.y.y).squareRoot())
    return offset.horizontalNorm > limit ? offset.horizontalNorm : nil
  }

  /// The attitude turned, by the shortest way, so that the corrected force of a car at rest points up.
  private func levelled(force: Vector3) -> Quaternion {
    let up = filter.state.navFromBody * force
    let axis = up.cross(Vector3(0, 0, -1))
    let angle = atan2(axis.norm, -up.z)
    guard axis.norm > 1e-12 else { return filter.state.navFromBody }
    let turn = Quaternion(rotationVector: axis * (angle / axis.norm))
    return (turn * filter.state.navFromBody).normalized
  }

  /// Takes over biases, scale and chassis, less sure of them by what temperature may have changed.
  mutating func recallIMU(_ warm: WarmStart) {
    let c = warm.saved.calibration
    // Of an IMU that was not seen at rest nobody knows whether it is the same.
    let isSeen = warm.isIMUKnown || warm.isGoingOn
    func variances(_ sigma: Vector3, _ drift: Double, _ unknown: Double) -> Matrix3 {
      let g = isSeen ? drift * warm.drift : unknown
      return Matrix3(diagonal: sigma.scaled(by: sigma) + Vector3(repeating: g * g))
    }
    filter.set(verticalAxis: warm.saved.verticalAxis / warm.saved.verticalAxis.norm)
    filter.reset(
      StateBlock.gyroBias, value: c.gyroBias.value,
      covariance: variances(c.gyroBias.sigma, WarmStart.gyroDrift, WarmStart.otherGyro))
    filter.reset(
      StateBlock.accelBias, value: c.accelBias.value,
      covariance: variances(c.accelBias.sigma, WarmStart.accelDrift, settings.start.accelBiasSigma / 2))
    var timing = timingCovariance
    timing.z.z = c.gyroScale.sigma * c.gyroScale.sigma
    filter.reset(
      StateBlock.delaysAndGyroScale,
      value: Vector3(filter.state.positionDelay, filter.state.velocityDelay, c.gyroScale.value),
      covariance: timing)
    guard !isDisabled(.chassis) else { return }
    let sigma = Vector3(c.axleDistance.sigma, c.sideslipGradient.sigma, c.pitchPerForce.sigma)
    filter.reset(
      StateBlock.vehicleDynamics,
      value: Vector3(c.axleDistance.value, c.sideslipGradient.value, c.pitchPerForce.value),
      covariance: Matrix3(diagonal: sigma.scaled(by: sigma)))
  }

  private var timingCovariance: Matrix3 {
    filter.covariance[StateBlock.delaysAndGyroScale, StateBlock.delaysAndGyroScale]
  }

  /// Takes over the lags of the receiver.
  mutating func recallReceiver(_ saved: SavedState) {
    guard !isDisabled(.receiverLag) else { return }
    let c = saved.calibration
    let position = rootSumOfSquares(c.positionDelay.sigma, WarmStart.leastLagSigma)
    let velocity = rootSumOfSquares(c.velocityDelay.sigma, WarmStart.leastLagSigma)
    filter.reset(
      StateBlock.delaysAndGyroScale,
      value: Vector3(c.positionDelay.value, c.velocityDelay.value, filter.state.gyroScale),
      covariance: Matrix3(diagonal: Vector3(position * position, velocity * velocity, timingCovariance.z.z)))
  }

  /// Takes over the mounting and what is known in its axes.
  mutating func recallMounting(_ car: RememberedCar, lean: Double) {
    guard let vehicleFromBody = car.vehicleFromBody else { return }
    let odometer = rootSumOfSquares(car.odometerScale.sigma, WarmStart.tyreWear)
    let pitch = rootSumOfSquares(car.pitchSigma, lean)
    let yaw = rootSumOfSquares(car.yawSigma, lean)
    filter.reset(
      mounting: vehicleFromBody.normalized, odometerScale: car.odometerScale.value,
      covariance: Matrix3(diagonal: Vector3(pitch * pitch, yaw * yaw, odometer * odometer)))
    mounting.isKnown = true
    mounting.isRecalled = true
    guard !isDisabled(.leverArm) else { return }
    let sigma = car.leverArm.sigma + Vector3(repeating: WarmStart.leastArmSigma)
    filter.reset(
      StateBlock.leverArm, value: car.leverArm.value, covariance: Matrix3(diagonal: sigma.scaled(by: sigma)))
  }
}
