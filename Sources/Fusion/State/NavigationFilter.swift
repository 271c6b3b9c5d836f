import LinearAlgebra
import Navigation

/// The filter of the live engine, which keeps no history.
package typealias NavigationFilter = ErrorStateFilter<NoRecorder>

/// The error-state Kalman filter proper: an estimate, its covariance, and the ways they change.
package struct ErrorStateFilter<Recorder: StepRecorder>: Sendable {
  package private(set) var state: NavigationState
  package private(set) var covariance: ErrorCovariance
  package private(set) var strapdown = Strapdown()
  package var recorder: Recorder
  /// What the strapdown has done since the covariance was last moved on, and the noise meanwhile.
  private var pending = ErrorTransition()
  private var pendingNoise = ProcessNoise()
  /// Sum of all corrections of the attitude, in NED, rad.
  package private(set) var attitudeCorrections = Vector3.zero
  var nearbyCurvature = NearbyCurvature()
  /// What the filter would be had it believed no fix for a while.
  package internal(set) var unaided = UnaidedSolutions()

  package init(state: NavigationState, covariance: ErrorCovariance, recorder: Recorder = Recorder()) {
    self.state = state
    self.covariance = covariance
    self.recorder = recorder
  }

  /// Moves on by `dt` seconds, over which the corrected rate and force go linearly from `start` to `end`.
  ///
  /// - Parameters:
  ///   - noise: of which the drift of the gyroscope's bias fades.
  ///   - interval: the covariance follows in steps that are no shorter than this, s, nor longer than one
  ///     second and a sample, and before any update.
  package mutating func propagate(
    from start: InertialRates, to end: InertialRates, dt: Double, noise: inout ProcessNoise,
    interval: Double = 0
  ) {
    strapdown.step(&state, from: start, to: end, dt: dt)
    state.gyroBias += noise.gyroBiasRate * dt
    noise.gyroBiasRate *= 1 - min(dt / GyroBiasDrift.fading, 1)
    let step = ErrorTransition(state, dt: dt)
    unaided.append(step)
    if !(interval > 0), pending.duration == 0 {
      ErrorPropagation.step(
        &covariance, step, velocity: state.velocity, strapdown: strapdown, noise: &noise,
        recorder: &recorder)
      return
    }
    pending.append(step)
    pendingNoise = noise
    // A step's length is only known to rounding.
    if !(pending.duration < 0.999 * min(interval, 1)) { settle() }
  }

  /// Moves the covariance on to the estimate's time.
  package mutating func settle() {
    guard pending.duration > 0 else { return }
    ErrorPropagation.step(
      &covariance, pending, velocity: state.velocity, strapdown: strapdown, noise: &pendingNoise,
      recorder: &recorder)
    pending = ErrorTransition()
  }

  /// Moves on by `dt` seconds in which no sensor tells what the car does: it may brake, gather speed and
  /// turn, and what speed it had fades.
  ///
  /// - Parameter fade: what is left of the velocity, 0 to 1.
  package mutating func coast(dt: Double, fade: Double, noise: CoastingNoise) {
    settle()
    unaided.forget()
    let velocity = state.velocity
    state.position = state.position.moved(byNED: velocity * ((1 + fade) / 2 * dt))
    state.velocity = velocity * fade
    let position = Term(StateBlock.velocity, DiagonalMatrix(scalar: dt))
    covariance.couple(StateBlock.position, position)
    recorder.couple(StateBlock.position, position)
    if fade < 1 {
      covariance.scale(StateBlock.velocity, by: Vector3(repeating: fade))
      recorder.scale(StateBlock.velocity, by: Vector3(repeating: fade))
    }
    let a = noise.acceleration * noise.acceleration * dt
    covariance.addNoise(StateBlock.velocity, variances: Vector3(a, a, a / 10))
    let known = covariance[StateBlock.attitude, StateBlock.attitude].diagonal
    covariance.addNoise(StateBlock.attitude, variances: noise.attitudeVariances(over: dt, known: known))
  }

  package typealias Update = FilterUpdate
  package typealias Foresight = FilterForesight

  /// Foresees a measurement; nothing changes but that the covariance is moved on. Returns whether it is
  /// finite and its innovation covariance positive definite.
  @inline(__always)
  package mutating func foresee(
    _ measurement: Measurement<some Relation>, _ foresight: inout Foresight
  ) -> Bool {
    guard measurement.innovation.isFinite, measurement.noise.isFinite else { return false }
    settle()
    covariance.project(measurement.links, selecting: measurement.selection, to: &foresight.projection)
    guard let whitening = foresight.projection.whitening(noise: measurement.noise) else { return false }
    foresight.whitening = whitening
    foresight.normalizedInnovationSquared = (whitening * measurement.innovation).squaredNorm
    return true
  }

  /// Conditions estimate and covariance on a measurement.
  ///
  /// - Parameters:
  ///   - degreesOfFreedom: of the t distribution that weighs large innovations down; nil for none.
  ///   - isAiding: whether it is a receiver's: what is unaided does without.
  /// - Returns: nil, with nothing changed, if the measurement is not finite or its innovation covariance not
  ///   positive definite.
  package mutating func apply(
    _ measurement: Measurement<some Relation>, degreesOfFreedom: Double? = nil, isAiding: Bool = false
  ) -> Update? {
    var foresight = Foresight()
    return apply(apart: measurement, &foresight, degreesOfFreedom: degreesOfFreedom, isAiding: isAiding)
  }

  /// The same with memory for what is foreseen: apart, or the compiler would make it elsewhere and copy it.
  @inline(never) private mutating func apply(
    apart measurement: Measurement<some Relation>, _ foresight: inout Foresight, degreesOfFreedom: Double?,
    isAiding: Bool
  ) -> Update? {
    apply(measurement, foreseeing: &foresight, degreesOfFreedom: degreesOfFreedom, isAiding: isAiding)
  }

  /// The same where it is called, compiled for just this measurement.
  @inline(__always) package mutating func apply(
    _ measurement: Measurement<some Relation>, foreseeing foresight: inout Foresight,
    degreesOfFreedom: Double?, isAiding: Bool
  ) -> Update? {
    guard foresee(measurement, &foresight) else { return nil }
    return apply(measurement, foreseen: &foresight, degreesOfFreedom: degreesOfFreedom, isAiding: isAiding)
  }

  /// The same of a measurement that was foreseen, and nothing has changed since; `foresight` is used up.
  @inline(__always) package mutating func apply(
    _ measurement: Measurement<some Relation>, foreseen foresight: inout Foresight,
    degreesOfFreedom: Double?, isAiding: Bool
  ) -> Update? {
    let q = foresight.normalizedInnovationSquared
    var weight = 1.0
    if let degreesOfFreedom {
      weight = RobustWeight.studentT(
        normalizedInnovationSquared: q, dimension: measurement.dimension, degreesOfFreedom: degreesOfFreedom)
    }
    let noise = measurement.noise * (1 / weight)
    guard
      let whitening =
        weight == 1 ? foresight.whitening : foresight.projection.whitening(noise: noise)
    else { return nil }
    recorder.update(measurement, foresight.projection, noise: noise)
    let correction = covariance.update(
      &foresight.projection, whitening: whitening, innovation: whitening * measurement.innovation,
      dimension: measurement.dimension)
    unaided.settle(speed: state.velocity.horizontalNorm)
    if isAiding {
      unaided.widen(by: correction)
    } else {
      unaided.condition(on: measurement, whitened: &foresight.projection, whitening)
    }
    inject(correction)
    return Update(
      measurement, own: foresight.projection.own, normalizedInnovationSquared: q, weight: weight,
      degreesOfFreedom: degreesOfFreedom)
  }

  /// Adds a correction to the estimate. The attitude error is then one of the corrected attitude: its
  /// covariance turns by half the correction, to first order (Solà, "Quaternion kinematics", 6.3).
  package mutating func inject(_ correction: ErrorState) {
    state.inject(correction, by: curvature())
    let turned = correction[StateBlock.attitude]
    attitudeCorrections += turned
    if turned.squaredNorm > 1e-8 {
      let half = Term(StateBlock.attitude, CrossProductMatrix(of: turned * 0.5))
      covariance.couple(StateBlock.attitude, half)
      recorder.couple(StateBlock.attitude, half)
    }
  }
}

// Besides propagation and measurements the only ways to change estimate and covariance. What ties errors to
// those before is recorded for the smoother.
extension ErrorStateFilter {
  /// Gives a block that is a vector another value, and an error independent of all others.
  package mutating func reset(_ block: Int, value: Vector3, covariance: Matrix3) {
    change(block, covariance) { $0.set(block, value) }
  }

  package mutating func reset(position: GeodeticPosition, covariance: Matrix3) {
    change(StateBlock.position, covariance) { $0.position = position }
  }

  package mutating func reset(attitude navFromBody: Quaternion, covariance: Matrix3) {
    change(StateBlock.attitude, covariance) { $0.navFromBody = navFromBody }
  }

  private mutating func change(_ block: Int, _ own: Matrix3, _ set: (inout NavigationState) -> Void) {
    let before = state
    set(&state)
    unaided.part(by: before.separation(to: state))
    isolate(block, own)
  }

  package mutating func reset(
    mounting vehicleFromBody: Quaternion, odometerScale: Double, covariance: Matrix3
  ) {
    unaided.forget()
    (state.vehicleFromBody, state.odometerScale) = (vehicleFromBody, odometerScale)
    isolate(StateBlock.mountingAndOdometer, covariance)
  }

  /// Gives a block a new error, independent of all others.
  package mutating func isolate(_ block: Int, _ own: Matrix3) {
    settle()
    covariance.isolate(block, own)
    recorder.isolate(block)
  }

  /// Says what the errors of two blocks that have just been reset share.
  package mutating func correlate(_ a: Int, _ b: Int, _ shared: Matrix3) { covariance[a, b] = shared }

  /// Makes a block less known, by independent noise.
  package mutating func inflate(_ block: Int, variances: Vector3) {
    settle()
    covariance.addNoise(block, variances: variances)
  }

  /// Makes a block, and what it shares with others, less known, by factors on standard deviations.
  package mutating func inflate(_ block: Int, by factors: Vector3) {
    settle()
    covariance.scale(block, by: factors)
  }

  /// Lets the lasting error of the fixes fade, value and error alike, and adds noise.
  package mutating func decayGNSSPositionBias(by factors: Vector3, variances: Vector3 = .zero) {
    state.gnssPositionBias = state.gnssPositionBias.scaled(by: factors)
    scale(StateBlock.gnssPositionBias, by: factors)
    unaided.scale(StateBlock.gnssPositionBias, by: factors)
    covariance.addNoise(StateBlock.gnssPositionBias, variances: variances)
  }

  /// Takes the nose for the tail.
  package mutating func turnAround() {
    unaided.forget()
    state.vehicleFromBody = Quaternion(rotationVector: Vector3(0, 0, .pi)) * state.vehicleFromBody
    scale(StateBlock.mountingAndOdometer, by: Vector3(-1, 1, 1))
    recorder.turnAround()
  }

  /// Puts the car where it was, or is after all, no less sure of it.
  @inline(__always) package mutating func hold(at position: GeodeticPosition) { state.position = position }
  /// Moves the height by a part of `excess`, m up, which a measurement of `variance` says that it
  /// lies too low, and nothing else: the gain of all other states is 0, and the covariance is that of
  /// such a gain (Joseph's form).
  package mutating func takeHeight(_ excess: Double, gain: Double, variance: Double) {
    state.position.height += gain * excess
    scale(StateBlock.position, by: Vector3(1, 1, 1 - gain))
    covariance.addNoise(StateBlock.position, variances: Vector3(0, 0, gain * gain * variance))
  }

  /// Takes the height and the lasting height error of the fixes, `gnssPositionBias` down, as something else
  /// has kept them meanwhile: with these variances and covariance, m², on top of the height's own,
  /// and in place of the error's.
  package mutating func returnHeight(
    variance: Double, gnssPositionBias: Double, fixVariance: Double, shared: Double
  ) {
    scale(StateBlock.gnssPositionBias, by: Vector3(1, 1, 0))
    covariance.addNoise(StateBlock.position, variances: Vector3(0, 0, variance))
    covariance.addNoise(StateBlock.gnssPositionBias, variances: Vector3(0, 0, fixVariance))
    covariance[StateBlock.position, StateBlock.gnssPositionBias].z.z = shared
    state.gnssPositionBias.z = gnssPositionBias
  }

  /// Takes another estimate, as good as the one so far.
  package mutating func set(_ state: NavigationState) { self.state = state }
  /// Lets the oldest of the unaided solutions begin anew, where it is time.
  package mutating func renewUnaided(at time: Timestamp) {
    let v = covariance[StateBlock.velocity, StateBlock.velocity].diagonal
    let heading = covariance[StateBlock.attitude, StateBlock.attitude].z.z
    unaided.renew(
      at: time, velocitySigma: max(0, v.x, v.y).squareRoot(), courseSigma: max(0, heading).squareRoot())
  }

  /// Says which axis the scale of the gyroscope is about.
  package mutating func set(verticalAxis: Vector3) { state.verticalAxis = verticalAxis }

  private mutating func scale(_ block: Int, by factors: Vector3) {
    settle()
    covariance.scale(block, by: factors)
    recorder.scale(block, by: factors)
  }
}
