import LinearAlgebra
import Navigation

extension Navigator {
  /// Whether the wheels' shaking can tell something that they do not say themselves.
  @inline(__always) var needsVibration: Bool {
    guard mounting.isKnown, !isOdometry, !rest.isStanding, !isCarried else { return false }
    guard let wheel = wheels.last, wheels.watch.isTrusted, !isDisabled(.wheelSpeed) else { return true }
    return time.seconds(since: wheel.time) > 2
  }

  /// Variance of the mean speed over a window whose middle lies `lag` seconds back, (m/s)².
  @inline(__always) func speedVariance(lag: Double) -> Double {
    let measurement = MeanSpeed.measurement(
      filter.state, excess: 0, lag: lag, gravity: filter.strapdown.gravity, variance: 0)
    // White noise of the accelerometers between then and now.
    return filter.covariance.own(of: measurement.links).x.x + noise.accel * noise.accel * lag
  }

  /// Takes what a window of shaking says of the speed.
  mutating func update(_ word: SpeedPosterior, lag: Double, report: (MeasurementVerdict) -> Void) {
    let measurement = MeanSpeed.measurement(
      filter.state, excess: word.innovation, lag: lag, gravity: filter.strapdown.gravity,
      variance: word.variance + noise.accel * noise.accel * lag)
    let update = filter.apply(measurement, degreesOfFreedom: settings.vehicle.degreesOfFreedom)
    report(.init(time, .wheelVibration, update, 1))
  }
}
