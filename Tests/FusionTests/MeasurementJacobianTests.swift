import Fusion
import Simulation
import Testing

/// Every measurement model against central differences through `NavigationState.inject`, at random states.
@Suite struct MeasurementJacobianTests {
  /// Steps of the differences by block: metres, m/s, rad and so on, each small against what bends the model.
  private static let steps: [Double] = {
    var steps = Array(repeating: 1e-4, count: StateBlock.count)
    steps[StateBlock.position] = 0.1
    steps[StateBlock.gnssPositionBias] = 0.1
    return steps
  }()

  /// The measurement's Jacobian by columns.
  private func columns(_ measurement: Measurement<some Relation>) -> [Vector3] {
    var columns = Array(repeating: Vector3.zero, count: States.dimension)
    measurement.forEachLink { link in
      columns[3 * link.from] += link.matrix.x
      columns[3 * link.from + 1] += link.matrix.y
      columns[3 * link.from + 2] += link.matrix.z
    }
    return columns
  }

  /// Compares with central differences; `leftOut` are blocks and components that the
  /// model leaves out on purpose.
  private func check<Links: Relation>(
    _ state: NavigationState, leftOut: [Int] = [],
    holdingRates: Bool = false, model: (NavigationState) -> Measurement<Links>,
    location: SourceLocation = #_sourceLocation
  ) {
    let analytic = columns(model(state))
    let perturbed = holdingRates ? perturbedHoldingRates : perturbed
    for component in 0..<States.dimension where !leftOut.contains(component) {
      let h = Self.steps[component / 3]
      // Metres a radian of longitude change along the meridian: 10 m of innovation · tan 1.2 / R.
      let tolerance = component / 3 == StateBlock.position ? 2e-5 : 2e-6
      let plus = model(perturbed(state, States.error(component, h))).innovation
      let minus = model(perturbed(state, States.error(component, -h))).innovation
      let numeric = (minus - plus) * (1 / (2 * h))
      let error = (numeric - analytic[component]).norm
      #expect(
        error < tolerance * (1 + analytic[component].norm),
        "block \(component / 3) component \(component % 3): \(analytic[component]) against \(numeric)",
        sourceLocation: location)
    }
  }

  /// The state with an error, where rate and force that the IMU measured stay what they are: a bias
  /// changes what is left of them, and a tilt what the force makes of the acceleration.
  private func perturbed(_ state: NavigationState, _ error: ErrorState) -> NavigationState {
    var moved = state
    moved.inject(error)
    moved.angularRate -= error[StateBlock.gyroBias]
    moved.smoothRate -= error[StateBlock.gyroBias]
    let force = state.acceleration - Vector3(0, 0, Gravity.standard)
    moved.acceleration -=
      force.cross(error[StateBlock.attitude]) + state.navFromBody * error[StateBlock.accelBias]
    return moved
  }

  /// The same for VehicleVelocity, which leaves out how mounting and biases change rate and force in vehicle
  /// axes: they enter by small factors, and are held.
  private func perturbedHoldingRates(_ state: NavigationState, _ error: ErrorState) -> NavigationState {
    var moved = perturbed(state, error)
    let turn = moved.vehicleFromBody.inverse * state.vehicleFromBody
    moved.smoothRate = turn * state.smoothRate
    moved.smoothForce = turn * state.smoothForce
    return moved
  }

  @Test func barometricHeight() {
    forEachState { state, random in
      let height = state.position.height + random.uniform(in: -20...20)
      check(state) { BarometricHeight.measurement(excess: height - $0.position.height, variance: 0.1) }
    }
  }

  private func block(_ i: Int) -> [Int] { [3 * i, 3 * i + 1, 3 * i + 2] }

  private func forEachState(_ body: (NavigationState, inout RandomSource) -> Void) {
    var random = RandomSource(seed: 11, stream: "states")
    for _ in 0..<20 {
      let state = States.random(&random)
      body(state, &random)
    }
  }

  /// −d · δv is left out of the velocity's column: its comment says why.
  @Test func gnssPosition() {
    forEachState { state, random in
      let measured = state.position.moved(byNED: Vector3(normal: &random) * 10)
      check(state, leftOut: block(StateBlock.velocity)) {
        GNSSPosition.measurement($0, position: measured, noise: .identity)
      }
      let delay = GNSSPosition.measurement(state, position: measured, noise: .identity)
      #expect(columns(delay)[3 * StateBlock.velocity] == .zero)
    }
  }

  /// The gyroscope's scale is left out: a hundredth of the rate times the arm is under 5 mm/s.
  @Test func gnssVelocity() {
    forEachState { state, random in
      let measured = state.velocity + Vector3(normal: &random)
      check(state, leftOut: [3 * StateBlock.delaysAndGyroScale + 2]) {
        GNSSVelocity.measurement(
          $0, velocity: measured, noise: .identity, knownLag: $0.velocityDelay)
      }
    }
  }

  @Test func vehicleVelocityWithWheelSpeed() {
    forEachState { state, _ in
      check(state, holdingRates: true) {
        VehicleVelocity.measurement($0, wheelSpeed: 7, noise: Vector3(1, 1, 1))
      }
    }
  }

  @Test func vehicleVelocityWithoutWheelSpeed() {
    forEachState { state, _ in
      check(state, holdingRates: true) {
        VehicleVelocity($0).constraint(velocity: $0.velocity, noise: Vector3(1, 1, 1))
      }
    }
  }

  /// The error of the mounting, which turns the place into body axes, is in the noise.
  @Test func placeOfTheAntennaIsTheLeverArm() {
    forEachState { state, _ in
      check(state, leftOut: block(StateBlock.mountingAndOdometer)) {
        AntennaPlace.measurement($0, place: Vector3(-1.2, 0.1, -0.9), noise: 1)
      }
    }
  }

  /// Without tyres, springs and lever the whole Jacobian is exact, mounting included.
  @Test func vehicleVelocityOnRailsIsExactInTheMounting() {
    forEachState { state, _ in
      var rigid = state
      rigid.axleDistance = 0
      rigid.sideslipGradient = 0
      rigid.pitchPerForce = 0
      for component in block(StateBlock.mountingAndOdometer) {
        let h = 1e-4
        func innovation(_ h: Double) -> Vector3 {
          var moved = rigid
          moved.inject(States.error(component, h))
          return VehicleVelocity.measurement(moved, wheelSpeed: 7, noise: Vector3(1, 1, 1)).innovation
        }
        let numeric = (innovation(-h) - innovation(h)) * (1 / (2 * h))
        let analytic = columns(VehicleVelocity.measurement(rigid, wheelSpeed: 7, noise: Vector3(1, 1, 1)))
        #expect((numeric - analytic[component]).norm < 1e-5)
      }
    }
  }

  @Test func wheelSpeedTakesItsSignFromTheMotion() {
    forEachState { state, random in
      for direction in [1.0, -1] {
        var moving = state
        let along = Vector3(direction * 8, 0.1, -0.1)
        moving.velocity = state.navFromBody * (state.vehicleFromBody.inverse * along)
        for reported in [8.5, -8.5] {
          let sensed = VehicleVelocity(moving).sensed(reported, variance: 1)
          #expect(abs(sensed.speed - direction * 8.5) < 1e-12 && sensed.variance < 1e-12)
        }
        check(moving, holdingRates: true) {
          VehicleVelocity.measurement($0, wheelSpeed: direction * 8.5, noise: Vector3(1, 1, 1))
        }
      }
    }
  }

  /// A car that hardly moves goes forward rather than backward, and which of the two is not certain.
  @Test func aCreepingWheelDoesNotTellForwardFromBackward() {
    func sensed(_ speed: Double, sigma: Double) -> (speed: Double, variance: Double) {
      let state = NavigationState(
        position: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 0),
        velocity: Vector3(speed, 0, 0), navFromBody: Quaternion(rotationVector: .zero))

      return VehicleVelocity(state).sensed(0.5, variance: sigma * sigma)
    }
    let standing = sensed(0, sigma: 0.2)
    #expect(standing.speed > 0.3 && standing.speed < 0.5)
    #expect(abs(standing.variance - (0.25 - standing.speed * standing.speed)) < 1e-12)
    // By 0.1 m/s backward it is open; by 0.4 m/s it is not.
    #expect(abs(sensed(-0.1, sigma: 0.2).speed) < 0.2)
    #expect(sensed(-0.4, sigma: 0.2).speed < -0.49)
  }

  @Test func standstillVelocity() {
    forEachState { state, _ in check(state) { Standstill.velocity($0, noise: 1) } }
  }

  /// The attitude turns the Earth's rate: left out, and no larger than that rate. So is the scale of the
  /// gyroscope, as a standing car has no rate to scale.
  @Test func standstillAngularRate() {
    let earth = Vector3(5e-5, 0, -5e-5)
    forEachState { state, _ in
      let leftOut = block(StateBlock.attitude) + [3 * StateBlock.delaysAndGyroScale + 2]
      check(state, leftOut: leftOut) { Standstill.angularRate($0, earthRate: earth, noise: 1) }
      for component in block(StateBlock.attitude) {
        let plus = Standstill.angularRate(
          perturbed(state, States.error(component, 1e-3)), earthRate: earth, noise: 1)
        let minus = Standstill.angularRate(
          perturbed(state, States.error(component, -1e-3)), earthRate: earth, noise: 1)
        #expect((plus.innovation - minus.innovation).norm / 2e-3 < WGS84.earthRate)
      }
    }
  }

  @Test func whatIsNotMeasuredLeavesNoTrace() {
    forEachState { state, _ in
      var flat = state.position
      flat.height = .nan
      let position = GNSSPosition.measurement(state, position: flat, noise: Matrix3(scalar: 4))
      let level = Vector3(state.velocity.x, state.velocity.y, .nan)
      let velocity = GNSSVelocity.measurement(state, velocity: level, noise: Matrix3(scalar: 4))
      let constraint = VehicleVelocity(state).constraint(velocity: state.velocity, noise: Vector3(4, 5, 6))
      #expect(position.dimension == 2 && velocity.dimension == 2 && constraint.dimension == 2)
      // What is measured comes first, also where the component that is not was the first.
      #expect(position.innovation.z == 0 && velocity.innovation.z == 0 && constraint.innovation.z == 0)
      #expect(position.noise.diagonal == Vector3(4, 4, 1) && velocity.noise.diagonal == Vector3(4, 4, 1))
      #expect(constraint.noise.diagonal == Vector3(5, 6, 1))
      for column in columns(position) { #expect(column.z == 0) }
      for column in columns(velocity) { #expect(column.z == 0) }
      for column in columns(constraint) { #expect(column.z == 0) }
      let full = VehicleVelocity.measurement(state, wheelSpeed: 0, noise: Vector3(4, 5, 6))
      #expect(constraint.innovation == Vector3(full.innovation.y, full.innovation.z, 0))
      for (two, three) in zip(columns(constraint), columns(full)) {
        #expect(two == Vector3(three.y, three.z, 0))
      }
      check(state, leftOut: block(StateBlock.velocity)) {
        GNSSPosition.measurement($0, position: flat, noise: .identity)
      }
      check(state, leftOut: [3 * StateBlock.delaysAndGyroScale + 2]) {
        GNSSVelocity.measurement(
          $0, velocity: level, noise: .identity, knownLag: $0.velocityDelay)
      }
    }
  }
}
