import LinearAlgebra
import Navigation

/// How late the receiver is: its velocity behind its positions, and both behind the IMU.
extension Navigator {
  /// Takes it that the receiver's velocity lags behind its positions by so many seconds.
  mutating func recallDelay(_ lag: KnownLag) {
    fixes.seemToLag = true
    var state = filter.state
    state.lagShare = lag.share
    filter.set(state)
    let position = filter.state.positionDelay
    resetDelays(
      position: position, velocity: position + lag.value, variance: delayVariances.x,
      lagVariance: lag.variance)
  }

  /// The same, where the navigator believes otherwise by three standard deviations of it.
  mutating func correctDelay(_ lag: KnownLag) {
    let off = filter.state.velocityDelay - filter.state.positionDelay - lag.value
    if off * off > 9 * lag.variance { recallDelay(lag) }
  }

  /// The lag of the receiver's velocity where it makes a difference, is known by two standard deviations, and
  /// shows in the fixes alone as well, s; else 0: of what cannot be seen no error is foreseen.
  @inline(__always) var knownLag: Double {
    guard fixes.seemToLag else { return 0 }
    let lag = filter.state.velocityDelay
    return lag > VelocityLag.least && lag * lag > 4 * delayVariances.y ? lag : 0
  }

  /// Gives up the belief that fixes are on time where they contradict it.
  @inline(__always) mutating func doubtDelay() {
    guard !fixes.isDelayOpen, mounting.isKnown, !isOdometry, !isDisabled(.receiverLag) else { return }
    let sigma = settings.start.positionDelaySigma
    let delay = filter.state.positionDelay
    let likely =
      FixTimeOffset.contradicted * FixTimeOffset.contradicted * max(0, sigma * sigma - delayVariances.x)
    guard delay * delay > max(likely, FixTimeOffset.leastDoubt * FixTimeOffset.leastDoubt) else { return }
    fixes.isDelayOpen = true
    filter.inflate(
      StateBlock.delaysAndGyroScale,
      variances: Vector3(FixTimeOffset.openSigma * FixTimeOffset.openSigma, 0, 0))
  }

  /// By how much the fixes are late by the IMU's clock, s, where that is clear: from the positions, or from a
  /// velocity that is late with them.
  ///
  /// - Parameter velocity: the lag of the velocity behind the positions where that may be none, s, and its
  ///   variance; nil where it may not, or there is no velocity.
  @inline(__always) func clearDelay(velocity: (value: Double, variance: Double)?) -> Double? {
    let own = delayVariances
    let (position, late) = (filter.state.positionDelay, filter.state.velocityDelay)
    let error = FixTimeOffset.velocityError * FixTimeOffset.velocityError
    if let velocity,
      let delay = FixTimeOffset.clear(late - velocity.value, variance: own.y + velocity.variance + error)
    {
      return delay
    }
    return FixTimeOffset.clear(position, variance: own.x)
  }

  /// Goes on from where fixes were late by `seconds` to where they are not any more; by how much they still
  /// are is not known.
  mutating func advance(by seconds: Double) {
    settleDelay(seconds, sigma: FixTimeOffset.openSigma)
    fixes.isDelayOpen = true
  }

  /// Takes it again that fixes are on time.
  mutating func forgetDelay() {
    settleDelay(0, sigma: settings.start.positionDelaySigma)
    fixes.isDelayOpen = false
  }

  /// Takes it that fixes were late by `seconds`, and are by 0 from here on, with this standard deviation, s.
  private mutating func settleDelay(_ seconds: Double, sigma: Double) {
    let state = filter.state
    let unknown = seconds - state.positionDelay
    let way = state.velocity * sigma, turn = state.acceleration * unknown
    filter.hold(at: state.position.moved(byNED: state.velocity * unknown))
    filter.inflate(StateBlock.position, variances: way.scaled(by: way))
    filter.inflate(StateBlock.velocity, variances: turn.scaled(by: turn))
    resetDelays(
      position: 0, velocity: max(0, state.velocityDelay - seconds), variance: sigma * sigma,
      lagVariance: delayVariances.y)
  }

  /// Takes other lags, s: the variance of the position's is that of the velocity's as well, which has its own
  /// on top, s².
  private mutating func resetDelays(
    position: Double, velocity: Double, variance: Double, lagVariance: Double
  ) {
    let scaleVariance = delayVariances.z
    filter.reset(
      StateBlock.delaysAndGyroScale, value: Vector3(position, velocity, filter.state.gyroScale),
      covariance: Matrix3(
        rows: Vector3(variance, variance, 0), Vector3(variance, variance + lagVariance, 0),
        Vector3(0, 0, scaleVariance)))
  }

  /// Variances of the lags of position and velocity, s², and of the gyroscope's scale.
  @inline(__always) private var delayVariances: Vector3 {
    filter.covariance[StateBlock.delaysAndGyroScale, StateBlock.delaysAndGyroScale].diagonal
  }
}
