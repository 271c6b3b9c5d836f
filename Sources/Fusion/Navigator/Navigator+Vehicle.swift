import CLibrary
import LinearAlgebra
import Navigation

extension Navigator {
  /// Looks at a wheel speed that holds at the navigator's time, of a sensor of this step, m/s.
  mutating func note(_ wheel: WheelSample, resolution: Double = 0) {
    let before = wheels.last?.time
    wheels.last = wheel
    guard !isOdometry, !isDisabled(.wheelCheck) else { return }
    let ahead = filter.state.vehicleFromBody * (filter.state.navFromBody.inverse * filter.state.acceleration)
    wheels.watch.add(
      wheel, acceleration: mounting.isKnown ? ahead.x : 0,
      isFelt: mounting.isKnown && wheel.time.seconds(since: inertial.time) < SpeedHistory.longest,
      resolution: resolution)
    guard let before, !wheels.watch.isTrusted, !fixes.motion.isRecent(at: wheel.time) else { return }
    // With no fixes they come back where they agree with what rate and force have made of the speed.
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    wheels.watch.compare(
      speed: filter.state.velocity.horizontalNorm,
      sigma: min(max(variance.x.x, variance.y.y).squareRoot(), settings.standstill.speedSigma),
      elapsed: min(1, max(0, wheel.time.seconds(since: before))))
  }

  /// Takes a wheel speed that holds at the navigator's time, and with it the constraint of the rear axle.
  ///
  /// - Parameters:
  ///   - growth: by how much the speed has grown since it was measured, m/s, forward or backward.
  ///   - resolution: the sensor's step, m/s.
  mutating func update(
    _ wheel: WheelSample, growth: Double, resolution: Double, report: (MeasurementVerdict) -> Void
  ) {
    let rounding = settings.wheel.roundingVariance(
      resolution: resolution, interval: wheels.last.map { wheel.time.seconds(since: $0.time) } ?? .infinity)
    note(wheel, resolution: resolution)
    guard mounting.isKnown else { return }
    guard isOdometry || wheels.watch.isTrusted else {
      report(.init(wheel.time, .wheelSpeed, .contradicted))
      return
    }
    // A wheel that seems to creep while the car is felt to stand would teach a wrong scale.
    if rest.isStanding, abs(wheel.speed) < settings.wheel.deadband { return }
    // Where it stands in for an IMU there is no going without it.
    let isUsed = isOdometry || !isDisabled(.wheelSpeed)
    constrain(wheelSpeed: isUsed ? wheel.grown(by: growth).speed : nil, rounding: rounding, report: report)
  }

  /// Applies the constraint of the rear axle, if it is due.
  mutating func constrainIfDue(report: (MeasurementVerdict) -> Void) {
    guard time.seconds(since: wheels.constrainedAt) >= settings.vehicle.constraintInterval - 1e-6 else {
      return
    }
    if !mounting.isKnown {
      // What stood on a turntable, or seemed to, drives off like any other.
      endTurning(interval: settings.vehicle.constraintInterval)
      findMounting()
    }
    guard mounting.isKnown else { return }
    constrain(wheelSpeed: nil, report: report)
  }

  /// - Parameter rounding: variance of what the wheel speed is rounded by, (m/s)².
  private mutating func constrain(
    wheelSpeed: Double?, rounding: Double = 0, report: (MeasurementVerdict) -> Void
  ) {
    let interval = min(
      max(time.seconds(since: wheels.constrainedAt), 0.01), settings.vehicle.constraintInterval)
    wheels.constrainedAt = time
    watchKnock(interval: interval)
    if mounting.knock.isLooking {
      return report(.init(time, wheelSpeed == nil ? .nonHolonomic : .wheelSpeed, .outlier))
    }
    let vehicle = VehicleVelocity(filter.state)
    checkDriving(vehicle, interval: interval)
    guard mounting.isKnown else { return }
    if let reason = carriage.reason {
      report(.init(time, wheelSpeed == nil ? .nonHolonomic : .wheelSpeed, .carried(reason)))
      return
    }
    // The errors last for about a second: an update says as much less as it comes more often.
    let repeats = 1 / interval
    let lateral = settings.vehicle.lateralSigma(
      yawRate: filter.state.angularRate.norm, speed: filter.state.velocity.norm)
    let pitchRate = (filter.state.vehicleFromBody * filter.state.smoothRate).y
    // An IMU that is slower than a bump's swings makes pitching of all shaking.
    let isSeen = inertial.interval < settings.vehicle.longestBumpInterval
    inertial.pitching = max(
      isSeen ? abs(pitchRate) : 0, inertial.pitching * exp(-interval / settings.vehicle.bumpMemory))
    let vertical = settings.vehicle.verticalSlipSigma(
      pitchRate: inertial.pitching, force: vehicle.forceAlong, speed: filter.state.velocity.norm)
    let nonlinear = vehicle.nonlinearity(
      velocity: filter.covariance[StateBlock.velocity, StateBlock.velocity],
      attitude: filter.covariance[StateBlock.attitude, StateBlock.attitude])
    let lasting = settings.vehicle.nonlinearityTime * repeats
    let along = wheelSigma(speed: wheelSpeed ?? 0)
    let noise = Vector3(
      along * along * (wheelSpeed == nil ? 1 : 0.1 * repeats) + rounding,
      lateral * lateral * repeats + nonlinear.right * lasting,
      vertical * vertical * repeats + nonlinear.down * lasting)
    if let wheelSpeed {
      apply(wheelSpeed: wheelSpeed, vehicle, noise: noise, report: report)
    } else if !isDisabled(.nonHolonomic) {
      var foresight = ErrorStateFilter<Recorder>.Foresight()
      let update = apply(vehicle, noise: noise, foreseeing: &foresight)
      explain(update)
      report(.init(time, .nonHolonomic, update, 2))
    }
  }

  /// Applies the constraint alone. Apart, so that the filter is compiled for its blocks and their zeros.
  @inline(never) private mutating func apply(
    _ vehicle: VehicleVelocity, noise: Vector3,
    foreseeing foresight: inout ErrorStateFilter<Recorder>.Foresight
  ) -> FilterUpdate? {
    filter.apply(
      vehicle.constraint(velocity: filter.state.velocity, noise: noise, isRolling: isRolling),
      foreseeing: &foresight, degreesOfFreedom: settings.vehicle.degreesOfFreedom, isAiding: false)
  }

  private mutating func apply(
    wheelSpeed: Double, _ vehicle: VehicleVelocity, noise: Vector3, report: (MeasurementVerdict) -> Void
  ) {
    // Without an IMU nothing but the speed tells forward from backward: it is taken at its word.
    var forward = (speed: wheelSpeed, variance: 0.0)
    if !isOdometry {
      let own = vehicle.alongVariance(filter.covariance[StateBlock.velocity, StateBlock.velocity])
      forward = vehicle.sensed(wheelSpeed, variance: max(own, 0) + noise.x)
    }
    var measurement = VehicleVelocity.measurement(
      filter.state, wheelSpeed: forward.speed, noise: noise + Vector3(forward.variance, 0, 0),
      isRolling: isRolling)
    if isDisabled(.nonHolonomic) { measurement = measurement.keeping(first: 1) }
    let update = filter.apply(measurement, degreesOfFreedom: settings.vehicle.degreesOfFreedom)
    explain(update)
    filter.unaided.boundSpeed(0.1 + 0.01 * abs(wheelSpeed))
    report(.init(time, .wheelSpeed, update, measurement.dimension))
  }

  /// Only a car without an IMU finds its heading by its wheels.
  @inline(__always) private mutating func explain(_ update: FilterUpdate?) {
    if isOdometry { witness.logLikelihood += update?.logDensity ?? 0 }
  }

  /// Whether the car rolls: what turns one that hardly does may be a turntable, and
  /// nothing is learned of its axle.
  @inline(__always) private var isRolling: Bool {
    isOdometry || !(filter.state.velocity.norm < settings.vehicle.rollingSpeed)
  }

  /// Standard deviation of a wheel speed, m/s: near its dead band a sensor counts single pulses,
  /// or guesses between them.
  @inline(__always) private func wheelSigma(speed: Double) -> Double {
    if isBelowDeadband { return settings.wheel.deadband }
    let crawling = isOdometry ? 0 : settings.wheel.deadband * (1 - abs(speed) / settings.wheel.crawlingSpeed)
    return max(settings.wheel.sigma(speed: speed), crawling)
  }

  /// Whether a wheel that seems to stand may turn too slowly for its sensor: the car has
  /// just stopped, or pulls away.
  @inline(__always) private var isBelowDeadband: Bool {
    guard !isOdometry, !rest.isStanding, wheels.watch.standsFor > 0 else { return false }
    return wheels.watch.standsFor < 2
      || time.seconds(since: rest.last.stoodAt) < settings.standstill.pullingAwayTime
  }

  /// Takes the direction of motion in body axes as the vehicle's forward, once the car clearly moves.
  private mutating func findMounting() {
    let velocity = filter.state.velocity
    let speed = velocity.horizontalNorm
    let sigma = filter.covariance[StateBlock.velocity, StateBlock.velocity].trace.squareRoot()
    // What neither fixes nor the guard bear out may go anywhere.
    guard !isCarried, witness.movesAsGuard, fixes.motion.isRecent(at: time),
      speed > settings.vehicle.mountingSpeed,
      sigma < 0.1 * speed, filter.state.angularRate.norm < 0.15
    else {
      return
    }
    let variances = LearnedState.startVariances(
      of: StateBlock.mountingAndOdometer, once: .mounting, settings, isOdometry: false)
    filter.reset(
      mounting: alignedMounting(), odometerScale: filter.state.odometerScale,
      covariance: Matrix3(diagonal: variances ?? .zero))
    mounting.isKnown = true
    recallIfSeen()
    placeAntenna()
  }

  /// Takes up what an earlier drive knew, as far as the motion bears it out.
  private mutating func recallIfSeen() {
    guard let car = mounting.remembered else { return }
    mounting.remembered = nil
    if car.agrees(with: filter.state.vehicleFromBody) {
      recallMounting(car, lean: RememberedCar.leastSigma)
    }
  }

  /// Takes the antenna's measured place as a measurement of the lever arm, which it is in vehicle axes.
  mutating func placeAntenna() {
    guard let measured = settings.antennaLeverArm, !isDisabled(.leverArm) else { return }
    let sigma = settings.start.measuredArmSigma + settings.vehicle.mountingSigma * measured.norm
    _ = filter.apply(AntennaPlace.measurement(filter.state, place: measured, noise: sigma * sigma))
  }

  /// Forward along the velocity, right in the horizontal.
  private func alignedMounting() -> Quaternion {
    let bodyFromNav = filter.state.navFromBody.inverse
    let ahead = bodyFromNav * filter.state.velocity
    let forward = ahead * (1 / ahead.norm)
    let down = bodyFromNav * Vector3(0, 0, 1)
    let right = down.cross(forward)
    let unitRight = right / right.norm
    return Quaternion(matrix: Matrix3(rows: forward, unitRight, forward.cross(unitRight)))
  }

  /// A car that goes backward for long and fast drives forward: the first motion seen was in reverse. Once
  /// the mounting has stood the test, it is towed.
  mutating func checkDirection(dt: Double) {
    guard mounting.isKnown, !isOdometry, !isCarried else { return }
    let isBackward = -vehicleVelocity.x > settings.vehicle.reverseSpeedLimit
    mounting.backward.update(isBackward && fixes.motion.isRecent(at: time), elapsed: dt)
    guard mounting.backward.seconds > 2 else { return }
    mounting.backward = DwellTimer()
    if isMountingProven, !isDisabled(.carriage) { carriage.begin(.tailFirst) } else { flipMounting() }
  }

  /// Takes the nose for the tail.
  mutating func flipMounting() {
    carriage.end()
    filter.turnAround()
    mounting.isRecalled = false
  }
}
