import CLibrary
import LinearAlgebra
import Navigation

/// What the guard makes of wheels, of the car's axis and of rest.
extension PlanarNavigator {
  /// Takes a wheel speed that holds at the navigator's time.
  package mutating func update(_ wheel: WheelSample) {
    let speed = velocity.horizontalNorm
    if abs(wheel.speed) < WheelSpeedMonitor.zero {
      // Below some speed many sensors give no pulses.
      let sigma = settings.wheel.deadband
      guard speed < 3 * (sigma + acrossSigma) + 1, !hypotheses.isContested, !hypotheses.isBiased else {
        return
      }
      _ = apply(
        -velocity, Term(Block.velocity, IdentityMatrix()), noise: Matrix3(scalar: sigma * sigma),
        dimension: 2,
        degreesOfFreedom: settings.axleDegreesOfFreedom)
      return
    }
    guard speed > 0.5, acrossSigma < 0.5 * speed else { return }
    let u = Vector3(velocity.x / speed, velocity.y / speed, 0)
    // A car that pulls away may go either way yet, and wheels do not tell which.
    guard u.dot(velocityCovariance * u) * Self.clearSense * Self.clearSense < speed * speed else { return }
    let sigma = settings.wheel.sigma(speed: speed)
    _ = apply(
      Vector3(abs(wheel.speed) - (1 + wheelScale) * speed, 0, 0),
      Term(Block.velocity, FirstRowMatrix(u * (1 + wheelScale)))
        + Term(Block.calibration, FirstRowMatrix(Vector3(0, speed, 0))),
      noise: Matrix3(diagonal: Vector3(4 * sigma * sigma, 1, 1)), dimension: 1,
      degreesOfFreedom: settings.axleDegreesOfFreedom)
  }

  /// A car moves along the axis that it was last seen to drive along: what a start from
  /// rest knows of its course.
  package mutating func keepToHeading() {
    let speed = velocity.horizontalNorm
    guard headingSigma < 0.3, speed < 1.5 * Self.courseSpeed else { return }
    let n = Vector3(-sin(heading), cos(heading), 0)
    let sigma = 0.15 + speed * headingSigma
    _ = apply(
      Vector3(-n.dot(velocity), 0, 0), Term(Block.velocity, FirstRowMatrix(n)),
      noise: Matrix3(diagonal: Vector3(sigma * sigma, 1, 1)), dimension: 1, degreesOfFreedom: 4)
  }

  /// Keeps where it was when the IMU became steady, for as long as that is, or until another place has been
  /// told for as long as counts: the fixes were wrong then.
  package mutating func keepPlace(isSteady: Bool) {
    guard isSteady else { return steadyPlace = nil }
    if let steadyPlace, !steadyPlace.isLeft || hypotheses.support < PositionHypotheses.longestHold { return }
    let own = (positionCovariance + gnssPositionBiasCovariance).diagonal
    steadyPlace = SteadyPlace(foreseen: foreseen, variance: (own.x + own.y) / 2)
  }

  /// Where it foresees fixes.
  var foreseen: GeodeticPosition { position.moved(byNED: Vector3(gnssPositionBias.x, gnssPositionBias.y, 0)) }

  /// Takes it that a car whose IMU is steady stands, where it is slow enough, and that its rate about gravity
  /// is the gyroscope's bias, rad/s.
  ///
  /// - Returns: whether it was slow enough.
  @discardableResult package mutating func rest(rate: Double) -> Bool {
    let speed = velocity.horizontalNorm
    let p = covariance[Block.velocity, Block.velocity].diagonal
    // What the fixes contradict is not assumed.
    guard speed < Self.restSpeed, max(p.x, p.y) < Self.restSpeed * Self.restSpeed, !hypotheses.isContested,
      !hypotheses.isBiased
    else { return false }
    _ = apply(
      -velocity, Term(Block.velocity, IdentityMatrix()),
      noise: Matrix3(scalar: Self.restSigma * Self.restSigma), dimension: 2, degreesOfFreedom: 4)
    _ = apply(
      Vector3(rate - turnBias, 0, 0),
      Term(Block.calibration, FirstRowMatrix(Vector3(1, 0, 0))),
      noise: Matrix3(diagonal: Vector3(Self.restRateSigma * Self.restRateSigma, 1, 1)), dimension: 1,
      degreesOfFreedom: 4)
    return true
  }
}
