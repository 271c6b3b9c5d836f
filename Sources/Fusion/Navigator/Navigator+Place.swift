import LinearAlgebra
import Navigation

/// Where the place is taken from somewhere else than the filter's own way.
extension Navigator {
  /// Variance per horizontal axis of a fix whose height is not the car's, m²; `white` is that of what
  /// changes from fix to fix in its height.
  @inline(__always) func heightVariance(_ fix: GNSSFix, white: Double) -> Double {
    let distance = fix.position.height - filter.state.position.height
    // Not true of a fix without a height.
    guard abs(distance) > HeightWitness.notable, !isDisabled(.heightWitness) else { return 0 }
    return HeightWitness.variance(
      distance: distance,
      variance: filter.covariance[StateBlock.position, StateBlock.position].z.z + white,
      levelShare: receiver.levelShare(fix))
  }

  /// Takes the place that the fixes speak for, of which `fix` is the newest; all else stays, but where the
  /// fixes moved otherwise than the filter by `rate`, m/s: then velocity and what leads to it are doubtful.
  mutating func move(by offset: Vector3, at fix: GNSSFix, rate: Vector3?) {
    let errors = receiver.errors(of: fix)
    let betrayed = heightVariance(fix, white: errors.white.z)
    var place = filter.state.position.moved(byNED: offset)
    var error = Vector3.zero
    var lasting = errors.lasting + Vector3(betrayed, betrayed, 0)
    var own = errors.white + lasting
    var shared = -lasting
    if betrayed > 0 {
      // The car's own height is the better one.
      error.z = filter.state.gnssPositionBias.z
      own.z = filter.covariance[StateBlock.position, StateBlock.position].z.z
      lasting.z = filter.covariance[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias].z.z
      shared.z = filter.covariance[StateBlock.position, StateBlock.gnssPositionBias].z.z
    } else if fix.position.height.isFinite {
      place.height = fix.position.height
    }
    filter.reset(position: place, covariance: Matrix3(diagonal: own))
    filter.reset(StateBlock.gnssPositionBias, value: error, covariance: Matrix3(diagonal: lasting))
    filter.correlate(StateBlock.position, StateBlock.gnssPositionBias, Matrix3(diagonal: shared))
    fixes.heightDoubt = HeightDoubt()
    fixes.reanchored += 1
    guard let rate else { return }
    // Of a car that is felt to stand no heading explains how it moves otherwise.
    let turn =
      rest.isStanding ? 0 : rate.horizontalNorm / max(filter.state.velocity.horizontalNorm, 2)
    rest.isStanding = false
    rest.detector = StillnessDetector()
    let speed = 1 + rate.squaredNorm / 4
    filter.reset(
      StateBlock.velocity, value: filter.state.velocity + rate,
      covariance: Matrix3(diagonal: Vector3(speed, speed, 1)))
    filter.inflate(StateBlock.attitude, variances: Vector3(1e-3, 1e-3, min(1, turn * turn)))
  }

  /// Takes velocity, attitude and biases from a solution without the fixes that led astray.
  mutating func recall(_ separation: ErrorState) {
    func own(_ block: Int) -> Matrix3 {
      let off = separation[block] * 0.5
      return Matrix3(diagonal: filter.covariance[block, block].diagonal + off.scaled(by: off))
    }
    filter.reset(
      StateBlock.velocity, value: filter.state.velocity + separation[StateBlock.velocity],
      covariance: own(StateBlock.velocity))
    filter.reset(
      StateBlock.gyroBias, value: filter.state.gyroBias + separation[StateBlock.gyroBias],
      covariance: own(StateBlock.gyroBias))
    filter.reset(
      StateBlock.accelBias, value: filter.state.accelBias + separation[StateBlock.accelBias],
      covariance: own(StateBlock.accelBias))
    filter.reset(
      attitude: (Quaternion(rotationVector: separation[StateBlock.attitude]) * filter.state.navFromBody)
        .normalized,
      covariance: own(StateBlock.attitude))
    filter.unaided.forget()
  }

  /// Takes the height from the next fix that has one: the first may have had none, or a
  /// floor has changed unseen.
  mutating func forgetHeight(at fix: GNSSFix) {
    let any = settings.start.unknownHeightSigma * settings.start.unknownHeightSigma
    filter.inflate(StateBlock.position, variances: Vector3(0, 0, any))
    filter.decayGNSSPositionBias(
      by: Vector3(1, 1, 0), variances: Vector3(0, 0, receiver.correlatedVariance(fix).z))
    fixes.heightDoubt = HeightDoubt()
  }
}
