import CLibrary
import Fusion
import Simulation
import Testing

/// `ErrorPropagation` against central differences of `Strapdown.step`.
@Suite struct ErrorPropagationTests {
  private static let still: ProcessNoise = {
    var noise = ProcessNoise()
    noise.gyroHorizontal = 0
    noise.gyroHorizontalPerSpeed = 0
    noise.accel = 0
    noise.position = 0
    noise.positionPerSpeed = 0
    noise.gyroBias = 0
    noise.accelBias = 0
    noise.mounting = 0
    noise.odometerScale = 0
    return noise
  }()

  private struct Case {
    var state: NavigationState
    var rate: Vector3
    var force: Vector3

    /// The step as the engine takes it: bias and scale out of the measured rate and force.
    func stepped(_ error: ErrorState, dt: Double) -> (state: NavigationState, strapdown: Strapdown) {
      var moved = state
      moved.inject(error)
      let turning = rate - moved.gyroBias
      let axis = moved.verticalAxis
      let rates = InertialRates(
        angularRate: turning + axis * (moved.gyroScale * turning.dot(axis)),
        specificForce: force - moved.accelBias)
      var strapdown = Strapdown()
      strapdown.step(&moved, from: rates, to: rates, dt: dt)
      return (moved, strapdown)
    }

    static let steps = [10, 1, 1e-4, 1e-4, 1e-2, 1, 1e-3, 1, 1e-3, 1e-3]

    /// Column of Φ by central differences.
    func numeric(_ component: Int, dt: Double) -> [Double] {
      let h = Self.steps[component / 3]
      let plus = stepped(States.error(component, h), dt: dt).state
      let minus = stepped(States.error(component, -h), dt: dt).state
      let difference = States.difference(plus, minus)
      return (0..<States.dimension).map { difference[$0 / 3][$0 % 3] / (2 * h) }
    }

    /// The same column by the filter: a covariance e eᵀ becomes (Φe)(Φe)ᵀ.
    func analytic(_ component: Int, dt: Double) -> [Double] {
      let (after, strapdown) = stepped(ErrorState(), dt: dt)
      var p = ErrorCovariance()
      let unit = States.error(component, 1)[component / 3]
      p[component / 3, component / 3] = Matrix3(outer: unit, unit)
      ErrorPropagation.step(
        &p, state: after, strapdown: strapdown, noise: ErrorPropagationTests.still, dt: dt)
      let (block, entry) = (component / 3, component % 3)
      let own = p[block, block][entry, entry].squareRoot()
      return (0..<States.dimension).map { p[$0 / 3, block][$0 % 3, entry] / own }
    }

    /// What leads the errors, F = lim (Φ − 1) / dt, by Richardson's extrapolation from three steps.
    func generator(_ component: Int, _ column: (Int, Double) -> [Double]) -> [Double] {
      let rates = [0.02, 0.01, 0.005].map { dt in
        column(component, dt).enumerated().map { ($1 - ($0 == component ? 1 : 0)) / dt }
      }
      return rates[0].indices.map { (rates[0][$0] - 6 * rates[1][$0] + 8 * rates[2][$0]) / 3 }
    }
  }

  private func cases() -> [Case] {
    var random = RandomSource(seed: 5, stream: "propagation")
    return (0..<8).map { _ in
      Case(
        state: States.random(&random), rate: Vector3(normal: &random) * 0.3,
        force: Vector3(normal: &random) * 3 + Vector3(0, 0, -9.8))
    }
  }

  /// Exact to first order in dt, but for the curvature of the Earth: a velocity error of 1 m/s turns NED by
  /// 1.6e-7 rad/s more, and a position error moves the meridians; both are of the order v / (R cos² φ).
  @Test func leadingOrderIsThatOfTheStrapdown() {
    for sample in cases() {
      let c = cos(sample.state.position.latitude)
      let curvature = (1 + 4 * sample.state.velocity.norm) / (WGS84.semiMajorAxis * c * c)
      for component in 0..<States.dimension {
        let numeric = sample.generator(component, sample.numeric)
        let analytic = sample.generator(component, sample.analytic)
        for row in 0..<States.dimension {
          let error = abs(numeric[row] - analytic[row])
          // Angles of 3 rad are known to 3 nm on the ground, and are divided by the steps.
          let rounding = row / 3 == StateBlock.position ? 3e-9 / (Case.steps[component / 3] * 0.005) : 0
          #expect(
            error < 3e-6 + rounding + curvature + 1e-6 * abs(numeric[row]),
            "row \(row) column \(component): \(analytic[row]) against \(numeric[row])")
        }
      }
    }
  }

  /// Over a step what is left is of second order: a quarter at half the step.
  @Test func whatIsLeftOutIsOfSecondOrder() {
    var worst = [0.0, 0.0]
    for sample in cases() {
      for (i, dt) in [0.02, 0.01].enumerated() {
        for component in 0..<States.dimension {
          let (numeric, analytic) = (sample.numeric(component, dt: dt), sample.analytic(component, dt: dt))
          for row in 0..<States.dimension { worst[i] = max(worst[i], abs(numeric[row] - analytic[row])) }
        }
      }
    }
    #expect(worst[1] < 20 * 0.01 * 0.01, "\(worst)")
    #expect(worst[0] / worst[1] > 3.5 && worst[0] / worst[1] < 4.5, "\(worst)")
  }

  /// A sure position is less sure after a second, the more so the faster the car goes, and the
  /// height by a third of it.
  @Test(arguments: [0.0, 10, 30]) func thePositionWanders(speed: Double) {
    var p = ErrorCovariance()
    var state = NavigationState(
      position: GeodeticPosition(latitude: 0.8, longitude: 0.1, height: 0), velocity: Vector3(0, speed, 0),
      navFromBody: .identity)
    state.specificForce = .zero
    var noise = Self.still
    (noise.position, noise.positionPerSpeed) = (0.1, 0.02)
    let variance = 0.01 + 0.0004 * speed * speed
    for _ in 0..<10 { ErrorPropagation.step(&p, state: state, strapdown: Strapdown(), noise: noise, dt: 0.1) }
    let wandered = p[StateBlock.position, StateBlock.position].diagonal
    // Gravity and the earth's rate make a part in a million of it.
    #expect(abs(wandered.x / variance - 1) < 1e-5 && abs(wandered.y / variance - 1) < 1e-5)
    #expect(abs(wandered.z / (variance / 10) - 1) < 1e-5)
  }

  /// The accelerometer's bias walks along gravity, however the IMU lies.
  @Test func theBiasAlongGravityWalks() {
    let attitude = Quaternion(rotationVector: Vector3(0.3, -0.5, 1))
    let state = NavigationState(
      position: GeodeticPosition(latitude: 0.8, longitude: 0.1, height: 0), velocity: .zero,
      navFromBody: attitude)
    var noise = Self.still
    noise.verticalAccelBias = 0.01
    var p = ErrorCovariance()
    for _ in 0..<10 { ErrorPropagation.step(&p, state: state, strapdown: Strapdown(), noise: noise, dt: 0.1) }
    let own = p[StateBlock.accelBias, StateBlock.accelBias]
    let down = attitude.inverse * Vector3(0, 0, 1)
    let across = down.cross(Vector3(1, 0, 0))
    #expect(abs(down.dot(own * down) / 1e-4 - 1) < 1e-6)
    #expect(abs(across.dot(own * across)) < 1e-10)
  }

  /// Twenty steps a second instead of a hundred sum the couplings to first order, which leaves out a
  /// five-hundredth of what they add in curves; a hundredth is promised. A measurement finds the covariance
  /// at its own time either way.
  @Test(arguments: [0.05, .infinity, .nan]) func aCoarserCovarianceIsTheSameToAHundredth(interval: Double) {
    var fine = NavigationFilter(
      state: NavigationState(
        position: GeodeticPosition(latitude: 0.8, longitude: 0.1, height: 0), velocity: Vector3(15, 0, 0),
        navFromBody: .identity), covariance: ErrorCovariance())
    for (block, sigma) in [0.5, 0.1, 0.01, 0.001, 0.05].enumerated() {
      fine.isolate(block, Matrix3(scalar: sigma * sigma))
    }
    var coarse = fine
    var noise = ProcessNoise()
    let rates = InertialRates(angularRate: Vector3(0, 0, 0.3), specificForce: Vector3(1, 4.5, -9.8))
    for step in 1...300 {
      fine.propagate(from: rates, to: rates, dt: 0.01, noise: &noise)
      coarse.propagate(from: rates, to: rates, dt: 0.01, noise: &noise, interval: interval)
      #expect(coarse.state.position == fine.state.position)
      #expect(coarse.state.navFromBody.vector == fine.state.navFromBody.vector)
      guard step % 13 == 0, interval == 0.05 else { continue }
      coarse.settle()
      for i in 0..<StateBlock.count {
        let (a, b) = (coarse.covariance[i, i].diagonal, fine.covariance[i, i].diagonal)
        for k in 0..<3 { #expect(abs(a[k].squareRoot() - b[k].squareRoot()) <= 0.01 * b[k].squareRoot()) }
      }
    }
    // An interval that is none does not leave the covariance behind for longer than a second.
    let behind = fine.covariance[0, 0].x.x / coarse.covariance[0, 0].x.x
    #expect(behind < 1.5)
    let measurement = GNSSPosition.measurement(
      coarse.state, position: coarse.state.position, noise: Matrix3(scalar: 0.01))
    let (a, b) = (coarse.apply(measurement), fine.apply(measurement))
    #expect(a != nil && b != nil)
    if interval == 0.05 {
      #expect(abs(coarse.covariance[0, 0].x.x / fine.covariance[0, 0].x.x - 1) < 0.01)
    }
  }

  /// The noise of one second of steps is the stated density times a second.
  @Test func noiseGrowsByItsDensity() {
    var filter = NavigationFilter(
      state: NavigationState(
        position: GeodeticPosition(latitude: 0.8, longitude: 0.1, height: 0), velocity: Vector3(10, 0, 0),
        navFromBody: .identity), covariance: ErrorCovariance())
    var noise = ProcessNoise()
    (noise.position, noise.positionPerSpeed) = (0, 0)
    let rates = InertialRates(angularRate: .zero, specificForce: Vector3(0, 0, -9.8))
    for _ in 0..<1000 { filter.propagate(from: rates, to: rates, dt: 1e-3, noise: &noise) }
    let gyro = noise.gyroHorizontal + 10 * noise.gyroHorizontalPerSpeed
    let p = filter.covariance
    func root(_ block: Int) -> Vector3 {
      let d = p[block, block].diagonal
      return Vector3(d.x.squareRoot(), d.y.squareRoot(), d.z.squareRoot())
    }
    #expect(abs(root(StateBlock.attitude).x / gyro - 1) < 1e-3)
    #expect(abs(root(StateBlock.attitude).z / (gyro * noise.gyroVerticalRatio) - 1) < 1e-3)
    #expect(abs(root(StateBlock.velocity).z / noise.accel - 1) < 1e-3)
    #expect(abs(root(StateBlock.gyroBias).y / noise.gyroBias - 1) < 1e-9)
    #expect(abs(root(StateBlock.accelBias).y / noise.accelBias - 1) < 1e-9)
    #expect(abs(root(StateBlock.mountingAndOdometer).x / noise.mounting - 1) < 1e-9)
    #expect(abs(root(StateBlock.mountingAndOdometer).z / noise.odometerScale - 1) < 1e-9)
    // Position is the twice integrated accelerometer: σ² t³ / 3.
    #expect(abs(root(StateBlock.position).z / (noise.accel / 3.0.squareRoot()) - 1) < 5e-3)
  }
}
