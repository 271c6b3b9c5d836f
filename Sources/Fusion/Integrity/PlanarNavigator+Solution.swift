import CLibrary
import LinearAlgebra
import Navigation

/// What the guard says.
extension PlanarNavigator {
  /// Bias of the rate about gravity, rad/s, and its variance.
  @inline(__always) var rateBias: (value: Double, variance: Double) {
    (turnBias, max(0, covariance[Block.calibration, Block.calibration].x.x))
  }

  /// The gyroscope's bias about gravity where it is known, rad/s.
  @inline(__always) var knownRateBias: Double? {
    rateBias.variance < Self.knownBiasSigma * Self.knownBiasSigma ? turnBias : nil
  }

  @inline(__always) package var positionCovariance: Matrix3 { covariance[Block.position, Block.position] }
  @inline(__always) package var velocityCovariance: Matrix3 { covariance[Block.velocity, Block.velocity] }
  /// Covariance of the lasting error of the fixes, and of the position with it, m².
  @inline(__always) var gnssPositionBiasOwn: Matrix3 {
    covariance[Block.gnssPositionBias, Block.gnssPositionBias]
  }
  @inline(__always) var positionGNSSBias: Matrix3 { covariance[Block.position, Block.gnssPositionBias] }
  /// Standard deviation of the velocity across the way, m/s.
  @inline(__always) var acrossSigma: Double {
    let speed = max(velocity.horizontalNorm, 1e-6)
    let n = Vector3(-velocity.y / speed, velocity.x / speed, 0)
    return max(0, n.dot(velocityCovariance * n)).squareRoot()
  }
  /// Whether the car drives for certain.
  @inline(__always) var isDriving: Bool {
    let p = velocityCovariance.diagonal
    return time.seconds(since: lastFix) < Self.recent && !hypotheses.isContested && !hypotheses.isBiased
      && velocity.horizontalNorm > Self.drivingSpeed + 3 * max(p.x, p.y, 0).squareRoot()
  }
  /// Whether the direction of motion is known.
  package var isCourseKnown: Bool { headingSigma < 0.35 }
  /// Standard deviation of the direction of motion, rad.
  @inline(__always) package var courseSigma: Double {
    min(.pi, acrossSigma / max(velocity.horizontalNorm, 1e-6))
  }
  @inline(__always) var gnssPositionBiasCovariance: Matrix3 {
    let cross = covariance[Block.position, Block.gnssPositionBias]
    return covariance[Block.gnssPositionBias, Block.gnssPositionBias] + cross + cross.transpose
  }

  /// What is known, predicted to `time` at constant velocity; course, and heading as far as
  /// the car's axis is known.
  @inline(__always) package func solution(at time: Timestamp) -> NavigationSolution {
    let ahead = max(-60, min(60, time.seconds(since: self.time)))
    let cross = covariance[Block.position, Block.velocity] * ahead
    let growth = ahead * ahead / 2
    let isKnown = headingSigma < 1
    return NavigationSolution(
      time: time, mode: .aligning, position: position.moved(byNED: velocity * ahead), velocityNED: velocity,
      navFromVehicle: Quaternion(rotationVector: Vector3(0, 0, isKnown ? heading : 0)), angularRate: .zero,
      positionCovariance: settings.modelError.position(
        positionCovariance + velocityCovariance * (ahead * ahead) + cross
          + cross.transpose + Matrix3(scalar: growth * growth)
          + Matrix3(diagonal: receiver.unknownVariance + Vector3(1, 1, 0) * hypotheses.variance)),
      velocityCovariance: settings.modelError.velocity(velocityCovariance) + Matrix3(scalar: ahead * ahead),
      attitudeCovariance: Matrix3(
        diagonal: Vector3(0.1, 0.1, isKnown ? headingSigma * headingSigma : .pi * .pi)))
  }
}
