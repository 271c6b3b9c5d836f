import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Navigation once heading is known: strapdown, fixes, wheels and standstill, each at its time.
package struct Navigator: Sendable {
  package var filter: NavigationFilter
  package var receiver: ReceiverModel
  package internal(set) var isMountingKnown = false
  package internal(set) var isStandingStill = false
  let settings: FusionConfiguration
  var noise: ProcessNoise
  var time: Timestamp
  var stillness = StillnessDetector()
  var lastFix: Timestamp
  var lastConstraint: Timestamp
  var lastWheel: WheelSample?
  /// Level and turning rates of a car without an IMU stand in for one.
  let isOdometry: Bool
  private var backwardFor = 0.0
  private var extrapolation = ExtrapolationCheck()
  /// Sum of the logarithms of the innovations' densities: how well this navigator explains what was measured.
  var logLikelihood = 0.0

  package init(
    filter: NavigationFilter, receiver: ReceiverModel, settings: FusionConfiguration, time: Timestamp,
    isOdometry: Bool
  ) {
    self.filter = filter
    self.receiver = receiver
    self.settings = settings
    self.time = time
    self.isOdometry = isOdometry
    noise = isOdometry ? settings.odometryNoise : settings.processNoise
    lastFix = time
    lastConstraint = time
    isMountingKnown = isOdometry
  }

  /// A navigator that waits for a start, somewhere.
  init(idle settings: FusionConfiguration) {
    let nowhere = GeodeticPosition(latitude: 0, longitude: 0, height: 0)
    self.init(
      filter: NavigationFilter(
        state: NavigationState(position: nowhere, velocity: .zero, navFromBody: .identity),
        covariance: ErrorCovariance()),
      receiver: ReceiverModel(), settings: settings, time: Timestamp(nanoseconds: 0), isOdometry: false)
  }

  /// Moves on to `end`, over which the measured rate and force go linearly from one sample to the next.
  mutating func propagate(to end: Timestamp, from a: InertialSample, to b: InertialSample) {
    let dt = end.seconds(since: time)
    guard dt > 0 else { return }
    let start = filter.state.corrected(a)
    let finish = filter.state.corrected(b)
    filter.propagate(from: start, to: finish, dt: dt, noise: noise)
    time = end
  }

  /// Goes on to `end` without an IMU: straight ahead at constant velocity, and less and less sure of it.
  mutating func coast(to end: Timestamp) {
    var rest = end.seconds(since: time)
    let level = filter.state.navFromBody.inverse * Vector3(0, 0, -filter.strapdown.gravity)
    let rates = InertialRates(angularRate: .zero, specificForce: level)
    while rest > 1e-9 {
      let dt = min(rest, 0.1)
      filter.propagate(from: rates, to: rates, dt: dt, noise: settings.coastingNoise)
      rest -= dt
    }
    time = end
  }

  /// Yaw of the body's flattest axis, and the variance of the rotation about down.
  var levelYaw: Double {
    let axis = abs(filter.state.verticalAxis.x) < 0.8 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
    let ahead = filter.state.navFromBody * axis
    return atan2(ahead.y, ahead.x)
  }
  var levelYawVariance: Double { filter.covariance[StateBlock.attitude, StateBlock.attitude].z.z }

  // MARK: Fixes

  /// Takes a fix that holds at the navigator's time: velocity first, it survives canyons better than position.
  mutating func update(_ fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    let finding = extrapolation.examine(fix, speed: filter.state.velocity.horizontalNorm)
    advanceFixError(to: fix)
    if finding.velocity {
      report(.init(fix.time, .gnssVelocity, .extrapolated))
    } else if let velocity = fix.velocityNED {
      let measurement = GNSSVelocity.measurement(
        filter.state, velocity: velocity, noise: receiver.velocityNoise(fix))
      let update = filter.apply(measurement, degreesOfFreedom: settings.velocityDegreesOfFreedom)
      if let update {
        logLikelihood += update.logDensity
        receiver.adaptVelocity(update, dimension: measurement.dimension)
      }
      report(.init(fix.time, .gnssVelocity, update, measurement.dimension))
    }
    guard !finding.position else {
      report(.init(fix.time, .gnssPosition, .extrapolated))
      return
    }
    let measurement = GNSSPosition.measurement(
      filter.state, position: fix.position, noise: receiver.positionNoise(fix))
    let fixError = filter.state.fixError
    let update = filter.apply(measurement, degreesOfFreedom: settings.positionDegreesOfFreedom)
    if let update {
      logLikelihood += update.logDensity
      let growth = receiver.learn(
        fix, error: measurement.innovation + fixError, share: update.noiseShare,
        isMoving: filter.state.velocity.horizontalNorm > 1)
      if growth > 1 { doubtStart(growth) }
    }
    report(.init(fix.time, .gnssPosition, update, measurement.dimension))
    lastFix = fix.time
  }

  /// Position and heading were found with fixes that turn out worse than they were taken for.
  private mutating func doubtStart(_ growth: Double) {
    filter.covariance.scale(StateBlock.position, by: Vector3(growth, growth, 1))
    filter.covariance.scale(StateBlock.attitude, by: Vector3(1, 1, growth))
  }

  /// Lets the lasting error of the fixes fade since the one before, nominal and covariance alike.
  private mutating func advanceFixError(to fix: GNSSFix) {
    let speed = filter.state.velocity.horizontalNorm
    let fade = receiver.correlation(at: fix.time, speed: speed)
    filter.state.fixError *= fade
    filter.covariance.scale(StateBlock.fixError, by: Vector3(repeating: fade))
    filter.covariance.addNoise(
      StateBlock.fixError, variances: receiver.lastingVariance(fix) * (1 - fade * fade))
  }

  // MARK: Vehicle

  /// Takes a wheel speed that holds at the navigator's time, and with it the constraint of the rear axle.
  mutating func update(_ wheel: WheelSample, report: (MeasurementVerdict) -> Void) {
    lastWheel = wheel
    guard isMountingKnown else { return }
    constrain(wheelSpeed: wheel.speed, report: report)
  }

  /// Applies the constraint of the rear axle, if it is due.
  mutating func constrainIfDue(report: (MeasurementVerdict) -> Void) {
    guard time.seconds(since: lastConstraint) >= settings.constraintInterval - 1e-6 else { return }
    if !isMountingKnown { findMounting() }
    guard isMountingKnown else { return }
    constrain(wheelSpeed: nil, report: report)
  }

  private mutating func constrain(wheelSpeed: Double?, report: (MeasurementVerdict) -> Void) {
    let interval = min(max(time.seconds(since: lastConstraint), 0.01), settings.constraintInterval)
    lastConstraint = time
    // The errors last for about a second: an update says as much less as it comes more often.
    let repeats = 1 / interval
    let lateral = settings.lateralSigma(
      yawRate: filter.state.angularRate.norm, speed: filter.state.velocity.norm)
    let vertical = settings.verticalSlipSigma
    let along = settings.wheelSigma(speed: wheelSpeed ?? 0)
    let noise = Vector3(
      along * along * (wheelSpeed == nil ? 1 : 0.1 * repeats), lateral * lateral * repeats,
      vertical * vertical * repeats)
    let measurement = VehicleVelocity.measurement(filter.state, wheelSpeed: wheelSpeed, noise: noise)
    let update = filter.apply(measurement, degreesOfFreedom: settings.vehicleDegreesOfFreedom)
    logLikelihood += update?.logDensity ?? 0
    report(.init(time, wheelSpeed == nil ? .nonHolonomic : .wheelSpeed, update, measurement.dimension))
  }

  /// Takes the direction of motion in body axes as the vehicle's forward, once the car clearly moves.
  private mutating func findMounting() {
    let velocity = filter.state.velocity
    let speed = velocity.horizontalNorm
    let sigma = filter.covariance[StateBlock.velocity, StateBlock.velocity].trace.squareRoot()
    guard speed > settings.mountingSpeed, sigma < 0.1 * speed, filter.state.angularRate.norm < 0.15 else {
      return
    }
    filter.state.vehicleFromBody = alignedMounting(reversed: false)
    let sigmas = settings.mountingSigma
    filter.covariance.isolate(
      StateBlock.vehicle,
      Matrix3(
        diagonal: Vector3(sigmas * sigmas, sigmas * sigmas, settings.odometerSigma * settings.odometerSigma)))
    isMountingKnown = true
    placeAntenna()
  }

  /// Takes the antenna's measured place as a measurement of the lever arm, which it is in vehicle axes.
  mutating func placeAntenna() {
    guard let measured = settings.antennaLeverArm else { return }
    let arm = filter.state.vehicleFromBody.inverse * measured
    let sigma = settings.measuredArmSigma + settings.mountingSigma * measured.norm
    _ = filter.apply(
      Measurement<1>(
        innovation: arm - filter.state.leverArm, links: [Link(StateBlock.leverArm, .identity)],
        noise: Matrix3(scalar: sigma * sigma), dimension: 3))
  }

  /// Forward along the velocity (or against it), right in the horizontal.
  private func alignedMounting(reversed: Bool) -> Quaternion {
    let bodyFromNav = filter.state.navFromBody.inverse
    let ahead = bodyFromNav * filter.state.velocity
    let forward = ahead * ((reversed ? -1 : 1) / ahead.norm)
    let down = bodyFromNav * Vector3(0, 0, 1)
    let right = down.cross(forward)
    let unitRight = right / right.norm
    return Quaternion(matrix: Matrix3(rows: forward, unitRight, forward.cross(unitRight)))
  }

  /// A car that goes backward for long and fast drives forward: the first motion seen was in reverse.
  mutating func checkDirection(dt: Double) {
    guard isMountingKnown, !isOdometry else { return }
    let forward = (filter.state.vehicleFromBody * (filter.state.navFromBody.inverse * filter.state.velocity))
      .x
    backwardFor = forward < -settings.reverseSpeedLimit ? backwardFor + dt : 0
    guard backwardFor > 2 else { return }
    backwardFor = 0
    let half = Quaternion(rotationVector: Vector3(0, 0, .pi))
    filter.state.vehicleFromBody = half * filter.state.vehicleFromBody
    filter.covariance.scale(StateBlock.vehicle, by: Vector3(-1, 1, 1))
  }

  // MARK: Standstill

  /// Looks for a standstill, and holds velocity and heading in one.
  mutating func watchStandstill(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    guard !isOdometry, stillness.process(sample) else { return }
    isStandingStill = stillness.steadyFor >= settings.stillnessDelay && isSlow
    guard isStandingStill else { return }
    let sigma = settings.standstillSigma
    let velocity = Standstill.velocity(filter.state, noise: sigma * sigma)
    report(.init(time, .stillness, filter.apply(velocity), 3))
    var atMean = filter.state
    atMean.angularRate = filter.state.corrected(angularRate: stillness.meanRate)
    let error = max(stillness.rateError, settings.standstillRateSigma)
    let earth = filter.strapdown.rates(velocity: .zero).earth
    _ = filter.apply(
      Standstill.angularRate(atMean, earthRate: earth, noise: error * error), degreesOfFreedom: 4)
  }

  private var isSlow: Bool {
    let velocity = filter.state.velocity
    if let wheel = lastWheel, time.seconds(since: wheel.time) < 0.5, abs(wheel.speed) > 0.3 { return false }
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let sigma = max(variance.x.x, variance.y.y).squareRoot()
    guard sigma < settings.standstillSpeedSigma else { return false }
    return velocity.horizontalNorm < min(settings.standstillSpeed + 2 * sigma, 3 * settings.standstillSpeed)
  }
}

extension MeasurementVerdict {
  /// A measurement that was not used.
  init(_ time: Timestamp, _ kind: Kind, _ outcome: Outcome) {
    self.init(time: time, kind: kind, outcome: outcome, normalizedInnovationSquared: .nan, dimension: 0)
  }

  init(_ time: Timestamp, _ kind: Kind, _ update: NavigationFilter.Update?, _ dimension: Int) {
    let outcome: Outcome =
      if let update { update.weight < 1 ? .weighedDown(update.weight) : .accepted } else { .nonFinite }
    self.init(
      time: time, kind: kind, outcome: outcome,
      normalizedInnovationSquared: update?.normalizedInnovationSquared ?? .nan, dimension: dimension)
  }
}
