import Fusion
import Navigation
import Simulation
import Testing

/// What is believed of the rear axle's constraint.
@Suite struct VehicleVelocityTests {
  /// Velocity to the right and down of a car that goes north at 18 m/s and is off by these errors, m/s.
  private func slip(speed: Double = 0, tilt: Double = 0, heading: Double = 0) -> (right: Double, down: Double)
  {
    var state = Self.state
    var error = ErrorState()
    error[StateBlock.velocity] = Vector3(speed, 0, 0)
    error[StateBlock.attitude] = Vector3(0, tilt, heading)
    state.inject(error)
    return VehicleVelocity(state).slip
  }

  private static let state = NavigationState(
    position: GeodeticPosition(latitude: 0.9, longitude: 0.2, height: 80), velocity: Vector3(18, 0, 0),
    navFromBody: Quaternion(rotationVector: .zero))

  /// Variances by `nonlinearity` with these standard deviations, m/s and rad.
  private func predicted(speed: Double, tilt: Double, heading: Double) -> (right: Double, down: Double) {
    VehicleVelocity(Self.state).nonlinearity(
      velocity: Matrix3(diagonal: Vector3(speed * speed, 1, 1)),
      attitude: Matrix3(diagonal: Vector3(tilt * tilt, tilt * tilt, heading * heading)))
  }

  /// Mean square over errors that are drawn.
  private func meanSquare(_ seed: UInt64, _ value: (inout RandomSource) -> Double) -> Double {
    var random = RandomSource(seed: seed, stream: "nonlinear")
    let count = 4000
    var sum = 0.0
    for _ in 0..<count {
      let x = value(&random)
      sum += x * x
    }
    return sum / Double(count)
  }

  /// What two errors together make of the velocity down, besides what each of them does.
  @Test func theProductOfTheErrorsOfSpeedAndTiltIsInTheNoise() {
    let (speedSigma, tiltSigma) = (4.0, 0.04)
    let square = meanSquare(4) { random in
      let (speed, tilt) = (speedSigma * random.normal(), tiltSigma * random.normal())
      return slip(speed: speed, tilt: tilt).down - slip(speed: speed).down - slip(tilt: tilt).down
        + slip().down
    }
    let ratio: Double = square / predicted(speed: speedSigma, tilt: tiltSigma, heading: 0).down
    #expect(ratio > 0.9 && ratio < 1.1)
  }

  /// The same of speed and heading, and to the right.
  @Test func theProductOfTheErrorsOfSpeedAndHeadingIsInTheNoise() {
    let (speedSigma, headingSigma) = (4.0, 0.04)
    let square = meanSquare(5) { random in
      let (speed, heading) = (speedSigma * random.normal(), headingSigma * random.normal())
      return slip(speed: speed, heading: heading).right - slip(speed: speed).right
        - slip(heading: heading).right + slip().right
    }
    let ratio: Double = square / predicted(speed: speedSigma, tilt: 0, heading: headingSigma).right
    #expect(ratio > 0.9 && ratio < 1.1)
  }

  /// Of a heading that is hardly known, the constraint sees the sine and takes it for the line.
  @Test(arguments: [0.2, 0.3]) func whatTheLineLeavesOutOfTheSineIsInTheNoise(sigma: Double) {
    let slope = (slip(heading: 1e-4).right - slip(heading: -1e-4).right) / 2e-4
    let square = meanSquare(6) { random in
      let heading = sigma * random.normal()
      return slip(heading: heading).right - slope * heading
    }
    let ratio: Double = square / predicted(speed: 0, tilt: 0, heading: sigma).right
    #expect(ratio > 0.8 && ratio < 1.1)
  }

  /// A body is along the road to tenths of a degree, less so under the brakes: fast, what is assumed of the
  /// velocity down must not tell its tilt any better.
  @Test(arguments: [10.0, 20, 30]) func bodyPitchesByTenthsOfADegree(speed: Double) {
    let vehicle = VehicleConfiguration()
    func angle(force: Double) -> Double {
      let slow = vehicle.verticalSlipSigma(pitchRate: 0, force: force, speed: 0)
      return (vehicle.verticalSlipSigma(pitchRate: 0, force: force, speed: speed) - slow) / speed
    }
    let degree = Double.pi / 180
    #expect(angle(force: 0) > 0.1 * degree && angle(force: 0) < 0.5 * degree)
    #expect(angle(force: -3) > angle(force: 0) + 0.3 * degree)
    #expect(abs(angle(force: 3) - angle(force: -3)) < 1e-12)
  }
}
