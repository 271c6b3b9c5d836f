import CLibrary
import LinearAlgebra
import Navigation

/// What is believed of the velocity's errors.
extension ReceiverModel {
  /// Standard deviation per axis of a fix's velocity in m/s, as believed.
  @inline(__always) package func velocitySigma(_ fix: GNSSFix) -> Double {
    let sigma = (fix.speedSigma ?? parameters.unstatedVelocitySigma) * velocityScale
    return min(max(sigma, parameters.velocityFloor), parameters.largestVelocitySigma)
  }

  /// Covariance of the velocity error, enlarged for a fast receiver whose errors last
  /// longer than its interval.
  ///
  /// - Parameter lag: of the velocity, s: what is foreseen of one that lags errs for longer.
  @inline(__always) package func velocityNoise(_ fix: GNSSFix, lag: Double = 0) -> Matrix3 {
    let sigma = velocitySigma(fix)
    let vertical = parameters.verticalRatio * parameters.verticalRatio * verticalRepeats
    return Matrix3(
      diagonal: Vector3(1, 1, vertical) * (sigma * sigma * velocityRepeats * repeats(lag: lag)))
  }

  /// Fixes that come in so many seconds, at least 1: what errs alike for as long counts once, and not with
  /// every one of them.
  @inline(__always) func fixes(in seconds: Double) -> Double { max(1, seconds / interval) }

  /// Fixes for which an error of the velocity lasts.
  @inline(__always) private var velocityRepeats: Double { fixes(in: parameters.velocityCorrelationTime) }

  /// So many times as many where it lags, at least 1.
  @inline(__always) private func repeats(lag: Double) -> Double {
    max(1, parameters.lagCorrelation * lag / (velocityRepeats * interval))
  }

  /// So many times as many of its vertical part, at least 1.
  @inline(__always) private var verticalRepeats: Double {
    max(1, verticalVelocity.repeats / velocityRepeats)
  }

  /// Hears by how much a fix's vertical velocity is off what was foreseen of it while driving, m/s; nil where
  /// it does not state one.
  @inline(__always) package mutating func hear(vertical innovation: Double?, of fix: GNSSFix) {
    verticalVelocity.add(innovation.map { $0 / (parameters.verticalRatio * velocitySigma(fix)) })
  }

  /// Bounds what is believed of the velocity's noise by what a navigator that assumes next to nothing makes
  /// of it: one that has gone astray finds all velocities wrong.
  package mutating func bound(velocityScale other: Double) {
    velocityScale = min(velocityScale, parameters.largestVelocityRatio * max(other, 1))
  }

  /// Follows the innovations of the velocity: one step of a stochastic approximation of E[NIS] = dimension,
  /// which counts as far as the innovation's spread is the measurement's own. What was added to that because
  /// of a lag, or to its vertical part, says how long it lasts, and not how large it is.
  package mutating func adaptVelocity(_ update: FilterUpdate, dimension: Int, lag: Double = 0) {
    let added = update.noiseShare * (1 - 1 / repeats(lag: lag))
    let square = update.normalizedInnovationSquared / (1 - added)
    let less = dimension == 3 ? update.noiseShare * (1 - 1 / verticalRepeats) : 0
    let excess = min(square / (Double(dimension) - less), 6) - 1
    let next = velocityScale * exp(parameters.adaptation * update.noiseShare * excess)
    velocityScale = min(max(next, 0.1), 20)
  }
}
