import LinearAlgebra
import Navigation

extension Navigator {
  /// Looks for a standstill, and holds velocity and heading in one.
  mutating func watchStandstill(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    guard !isOdometry, !isDisabled(.stillness), stillness.process(sample) else { return }
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
