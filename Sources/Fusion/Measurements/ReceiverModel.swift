import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is believed of the receiver's errors, learned from the innovations: its stated accuracy is a hint.
///
/// A fix's position error has a white part and a part that lasts: a Gauss-Markov process tied to time and to
/// distance driven, since multipath changes with the place and freezes at a stop. (On the real Berlin canyon an
/// error of white noise alone makes a filter certain of a wrong place.)
package struct ReceiverModel: Sendable {
  /// Settings of the model.
  package struct Parameters: Sendable {
    /// Standard deviation in metres, per axis, of a fix that states none.
    package var unstatedPositionSigma = 2.5
    /// Standard deviation in m/s, per axis, of a velocity that states none.
    package var unstatedVelocitySigma = 0.15
    /// Share of the stated variance in the white part.
    package var whiteShare = 0.4
    /// Share of the stated variance in the lasting part.
    package var lastingShare = 0.8
    /// Correlation time of the lasting part in s.
    package var correlationTime = 60.0
    /// Correlation distance of the lasting part in m.
    package var correlationDistance = 150.0
    /// Vertical errors against horizontal ones where only the horizontal accuracy is stated.
    package var verticalRatio = 2.0
    /// Smallest standard deviation of a position: timing and lever arm errors of a perfect receiver, m.
    package var positionFloor = 0.03
    /// Smallest standard deviation of a velocity, m/s.
    package var velocityFloor = 0.03
    /// Velocity errors last this long: a faster receiver says less per fix, s.
    package var velocityCorrelationTime = 0.4
    /// How fast the scales follow the innovations, per fix.
    package var adaptation = 0.08
  }

  package var parameters = Parameters()
  /// True over stated standard deviation of the position.
  package private(set) var positionScale = 1.0
  /// True over stated standard deviation of the velocity.
  package private(set) var velocityScale = 1.0
  private var lastFix: Timestamp?
  private var interval = 1.0

  package init() {}

  /// Standard deviations north, east and down of a fix's position in metres, as believed.
  package func positionSigma(_ fix: GNSSFix) -> Vector3 {
    let unstated = parameters.unstatedPositionSigma
    let stated = fix.positionSigma ?? Vector3(unstated, unstated, unstated * parameters.verticalRatio)
    let scaled = stated * positionScale
    let floor = parameters.positionFloor
    return Vector3(max(scaled.x, floor), max(scaled.y, floor), max(scaled.z, floor))
  }

  /// Standard deviation per axis of a fix's velocity in m/s, as believed.
  package func velocitySigma(_ fix: GNSSFix) -> Double {
    max((fix.speedSigma ?? parameters.unstatedVelocitySigma) * velocityScale, parameters.velocityFloor)
  }

  /// Covariance of the white part of the position error.
  package func positionNoise(_ fix: GNSSFix) -> Matrix3 {
    let sigma = positionSigma(fix)
    return Matrix3(diagonal: sigma.scaled(by: sigma) * parameters.whiteShare)
  }

  /// Variances of the lasting part of the position error.
  package func lastingVariance(_ fix: GNSSFix) -> Vector3 {
    let sigma = positionSigma(fix)
    return sigma.scaled(by: sigma) * parameters.lastingShare
  }

  /// Covariance of the velocity error, enlarged for a fast receiver whose errors last longer than its interval.
  package func velocityNoise(_ fix: GNSSFix) -> Matrix3 {
    let sigma = velocitySigma(fix)
    let repeats = max(1, parameters.velocityCorrelationTime / interval)
    return Matrix3(diagonal: Vector3(1, 1, 2) * (sigma * sigma * repeats))
  }

  /// Notes a fix's time, and returns what is left of the lasting error since the fix before, 0 to 1.
  package mutating func correlation(at time: Timestamp, speed: Double) -> Double {
    defer { lastFix = time }
    guard let lastFix else { return 0 }
    let elapsed = max(0, time.seconds(since: lastFix))
    if elapsed < 2 { interval += 0.2 * (max(elapsed, 0.02) - interval) }
    return exp(-elapsed / parameters.correlationTime - elapsed * speed / parameters.correlationDistance)
  }

  /// Follows the innovations of the position: their size over what was expected, horizontal part.
  package mutating func adaptPosition(_ update: NavigationFilter.Update, dimension: Int) {
    positionScale = adapted(positionScale, update, dimension, 0.02...20)
  }

  /// Follows the innovations of the velocity.
  package mutating func adaptVelocity(_ update: NavigationFilter.Update, dimension: Int) {
    velocityScale = adapted(velocityScale, update, dimension, 0.1...20)
  }

  /// One step of a stochastic approximation of E[NIS] = dimension. A step counts as far as the innovation's spread is
  /// the measurement's own: after an outage it is the filter's, and says nothing of the receiver.
  private func adapted(
    _ scale: Double, _ update: NavigationFilter.Update, _ dimension: Int, _ range: ClosedRange<Double>
  ) -> Double {
    let excess = min(update.normalizedInnovationSquared / Double(dimension), 6) - 1
    let next = scale * exp(parameters.adaptation * update.noiseShare * excess)
    return min(max(next, range.lowerBound), range.upperBound)
  }
}
