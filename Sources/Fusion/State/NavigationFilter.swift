import LinearAlgebra
import Navigation

/// The filter of the live engine, which keeps no history.
package typealias NavigationFilter = ErrorStateFilter<NoRecorder>

/// The error-state Kalman filter proper: an estimate, its covariance, and the ways they change.
package struct ErrorStateFilter<Recorder: StepRecorder>: Sendable {
  package var state: NavigationState
  package var covariance: ErrorCovariance
  package var strapdown = Strapdown()
  package var recorder: Recorder
  /// What the strapdown has done since the covariance was last moved on, and the noise meanwhile.
  private var pending = ErrorTransition()
  private var pendingNoise = ProcessNoise()

  package init(state: NavigationState, covariance: ErrorCovariance, recorder: Recorder = Recorder()) {
    self.state = state
    self.covariance = covariance
    self.recorder = recorder
  }

  /// Moves on by `dt` seconds, over which the corrected rate and force go linearly from `start` to `end`.
  ///
  /// - Parameter interval: the covariance follows in steps that are no shorter than this, s, nor longer than one second
  ///   and a sample, and before any update.
  package mutating func propagate(
    from start: InertialRates, to end: InertialRates, dt: Double, noise: ProcessNoise, interval: Double = 0
  ) {
    strapdown.step(&state, from: start, to: end, dt: dt)
    let step = ErrorTransition(state, dt: dt)
    if !(interval > 0), pending.duration == 0 {
      ErrorPropagation.step(
        &covariance, step, state: state, strapdown: strapdown, noise: noise, recorder: &recorder)
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
      &covariance, pending, state: state, strapdown: strapdown, noise: pendingNoise, recorder: &recorder)
    pending = ErrorTransition()
  }

  /// Moves on by `dt` seconds in which no sensor tells what the car does: it may brake, gather speed and turn, and what
  /// speed it had fades.
  ///
  /// - Parameter fade: what is left of the velocity, 0 to 1.
  package mutating func coast(dt: Double, fade: Double, noise: CoastingNoise) {
    settle()
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
    // An angle that is not known at all cannot become less known.
    let known = covariance[StateBlock.attitude, StateBlock.attitude].diagonal
    func growth(_ density: Double, _ variance: Double, _ limit: Double) -> Double {
      min(density * density * dt, max(0, limit - variance))
    }
    covariance.addNoise(
      StateBlock.attitude,
      variances: Vector3(
        growth(noise.tilt, known.x, 0.25), growth(noise.tilt, known.y, 0.25), growth(noise.yaw, known.z, 10)))
  }

  package typealias Update = FilterUpdate

  /// Conditions estimate and covariance on a measurement.
  ///
  /// - Parameter degreesOfFreedom: of the t distribution that weighs large innovations down; nil for none.
  /// - Returns: nil, with nothing changed, if the measurement is not finite or its innovation covariance not
  ///   positive definite.
  package mutating func apply<let k: Int>(
    _ measurement: Measurement<k>, degreesOfFreedom: Double? = nil
  ) -> Update? {
    guard measurement.innovation.isFinite, measurement.noise.isFinite else { return nil }
    settle()
    let projection = covariance.project(measurement.links)
    guard let plain = projection.whitening(noise: measurement.noise) else { return nil }
    let q = (plain * measurement.innovation).squaredNorm
    var weight = 1.0
    if let degreesOfFreedom {
      weight = RobustWeight.studentT(
        normalizedInnovationSquared: q, dimension: measurement.dimension, degreesOfFreedom: degreesOfFreedom)
    }
    let noise = measurement.noise * (1 / weight)
    guard let whitening = weight == 1 ? plain : projection.whitening(noise: noise) else { return nil }
    let correction = covariance.update(
      projection, whitening: whitening, innovation: measurement.innovation, dimension: measurement.dimension)
    recorder.update(measurement.links, projection, noise: noise, innovation: measurement.innovation)
    inject(correction)
    // Components that are not measured have variance 1 in the noise.
    let own = measurement.noise.trace - Double(3 - measurement.dimension)
    return Update(
      normalizedInnovationSquared: q, weight: weight, noiseShare: own / (own + projection.own.trace),
      dimension: measurement.dimension, degreesOfFreedom: degreesOfFreedom,
      spread: (projection.own + measurement.noise).determinant)
  }

  /// How well a measurement was foreseen; nothing changes but that the covariance is moved on.
  package mutating func examine<let k: Int>(
    _ measurement: Measurement<k>, degreesOfFreedom: Double? = nil
  ) -> Update? {
    guard measurement.innovation.isFinite, measurement.noise.isFinite else { return nil }
    settle()
    let projection = covariance.project(measurement.links)
    guard
      let q = projection.normalizedInnovationSquared(
        noise: measurement.noise, innovation: measurement.innovation)
    else { return nil }
    let own = measurement.noise.trace - Double(3 - measurement.dimension)
    return Update(
      normalizedInnovationSquared: q, weight: 0, noiseShare: own / (own + projection.own.trace),
      dimension: measurement.dimension, degreesOfFreedom: degreesOfFreedom,
      spread: (projection.own + measurement.noise).determinant)
  }

  /// Adds a correction to the estimate. The attitude error is from then on one of the corrected attitude: to first
  /// order a rotation of its covariance by half the correction (Solà, "Quaternion kinematics", section 6.3).
  package mutating func inject(_ correction: ErrorState) {
    state.inject(correction)
    let turned = correction[StateBlock.attitude]
    if turned.squaredNorm > 1e-8 {
      let half = Term(StateBlock.attitude, CrossProductMatrix(of: turned * 0.5))
      covariance.couple(StateBlock.attitude, half)
      recorder.couple(StateBlock.attitude, half)
    }
  }

  /// Scales the error of a block, component by component; the caller does the same to the estimate.
  package mutating func scale(_ block: Int, by factors: Vector3) {
    settle()
    covariance.scale(block, by: factors)
    recorder.scale(block, by: factors)
  }

  /// Gives a block a new error, independent of all others; the caller gives it a new estimate.
  package mutating func isolate(_ block: Int, _ own: Matrix3) {
    settle()
    covariance.isolate(block, own)
    recorder.isolate(block)
  }
}

/// What became of a measurement.
package struct FilterUpdate: Sendable {
  /// νᵀS⁻¹ν with the noise as it was given.
  package var normalizedInnovationSquared: Double
  /// 1, or less where the noise was enlarged.
  package var weight: Double
  /// Part of the innovation's variance that the measurement's own noise makes up, 0 to 1.
  package var noiseShare: Double
  /// Number of components of the innovation.
  var dimension: Int
  /// Of the t distribution, if one was asked for.
  var degreesOfFreedom: Double?
  /// Determinant of the innovation's covariance with the noise as it was given.
  var spread: Double

  /// Logarithm of the innovation's density, without constants: of the t distribution where one was asked for.
  package var logDensity: Double {
    RobustWeight.logDensity(
      normalizedInnovationSquared: normalizedInnovationSquared, determinant: spread, dimension: dimension,
      degreesOfFreedom: degreesOfFreedom)
  }
}
