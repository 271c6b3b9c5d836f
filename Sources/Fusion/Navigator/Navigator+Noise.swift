import LinearAlgebra
import Navigation

/// What is learned of the IMU's errors from what fixes and rear axle correct.
extension Navigator {
  /// Learns from a fix that was used.
  mutating func learnNoise(at time: Timestamp) {
    guard mounting.isKnown, !isOdometry, !isDisabled(.learnedNoise) else { return }
    learnTiltNoise(at: time)
    if inertial.verticalBias.isDue(at: time) { learnVerticalBias(at: time) }
    if inertial.gyroDrift.isDue(at: time) { learnGyroDrift(at: time) }
  }

  private mutating func learnTiltNoise(at time: Timestamp) {
    let variance = filter.covariance[StateBlock.attitude, StateBlock.attitude].diagonal
    let speed = filter.state.velocity.horizontalNorm
    let base = settings.processNoise
    let horizontal = base.gyroHorizontal + base.gyroHorizontalPerSpeed * speed
    let hasLearned = inertial.tiltNoise.add(
      time, corrected: filter.attitudeCorrections, variance: (variance.x + variance.y) / 2,
      density: horizontal * horizontal + noise.aliasedGyro.x + noise.restingGyro.x, speed: speed)
    if hasLearned { inertial.tiltNoise.apply(to: &noise, base: base) }
  }

  @inline(never) private mutating func learnVerticalBias(at time: Timestamp) {
    let down = self.down
    let own = filter.covariance[StateBlock.accelBias, StateBlock.accelBias]
    inertial.verticalBias.add(
      bias: filter.state.accelBias, down: down, variance: down.dot(own * down),
      speed: filter.state.velocity.horizontalNorm, at: time)
    noise.verticalAccelBias = inertial.verticalBias.walk
  }

  @inline(never) private mutating func learnGyroDrift(at time: Timestamp) {
    let walk = settings.processNoise.gyroBias * settings.processNoise.gyroBias
    let hasLearned = inertial.gyroDrift.add(
      bias: filter.state.gyroBias,
      variance: filter.covariance[StateBlock.gyroBias, StateBlock.gyroBias].diagonal, at: time, walk: walk)
    guard hasLearned else { return }
    noise.gyroBias = (walk + inertial.gyroDrift.density).squareRoot()
    noise.gyroBiasRate = inertial.gyroDrift.rate
  }
}
