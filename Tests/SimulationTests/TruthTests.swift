import Navigation
import Simulation
import Testing

@Suite struct TruthTests {
  /// Worst distance in metres between the integrated samples and the truth, over windows of 60 s.
  private func worstDrift(_ scenario: Scenario) -> Double {
    let simulator = Simulator(scenario: scenario)
    let samples = simulator.run().samples.compactMap { sample -> InertialSample? in
      if case .inertial(let inertial) = sample { inertial } else { nil }
    }
    let imu = (position: scenario.imu.position, vehicleFromIMU: scenario.imu.vehicleFromIMU)
    var worst = 0.0
    #expect(simulator.track.duration > 90, "the drive is too short for windows of 60 s")
    for start in stride(from: 0.0, to: simulator.track.duration - 60, by: 7) {
      let first = Int(start * scenario.imu.rate)
      var track = simulator.track
      var oracle = StrapdownOracle(track.state(at: samples[first].time), imu: imu, first: samples[first])
      for sample in samples[(first + 1)...] where sample.time.seconds <= start + 60 { oracle.add(sample) }
      let end = track.state(
        at: Timestamp(seconds: ((start + 60) * scenario.imu.rate).rounded(.down) / scenario.imu.rate))
      worst = max(worst, (oracle.position - WGS84.ecef(end.position(at: scenario.imu.position))).norm)
    }
    return worst
  }

  @Test func integratingPerfectSamplesGivesBackTheTruth() {
    let drift = worstDrift(Scenarios.perfect)
    #expect(drift < 0.1, "\(drift) m after 60 s")
  }

  @Test func theRestOfTheDriftIsTheTrapezoidRule() {
    // Four times the rate must leave a small part of it: what is left is not an error of the equations.
    var scenario = Scenarios.perfect
    scenario.imu.rate = 400
    let drift = worstDrift(scenario)
    #expect(drift < 0.02, "\(drift) m after 60 s at 400 Hz")
  }

  @Test func atRestTheAccelerometerHoldsUpTheCar() {
    var track = Simulator(scenario: Scenarios.perfect).track
    let state = track.state(at: Timestamp(seconds: 2))
    let force = state.navFromVehicle * state.specificForce(at: Vector3(2, 1, -1))
    let gravity = WGS84.gravity(sineLatitude: 0.7372773368101241, height: 430)  // sin 47.5°
    #expect(abs(force.z + gravity) < 1e-9 && force.horizontalNorm < 1e-7)
    #expect(abs(state.angularRate.norm - WGS84.earthRate) < 1e-15)
  }

  @Test func velocityIsTheDerivativeOfPosition() {
    var track = Simulator(scenario: Scenarios.everything).track
    let h = 0.002
    for second in stride(from: 1.0, to: track.duration - 1, by: 0.37) {
      let a = track.state(at: Timestamp(seconds: second - h))
      let b = track.state(at: Timestamp(seconds: second))
      let c = track.state(at: Timestamp(seconds: second + h))
      for arm in [Vector3.zero, Vector3(3, -1, -1.5)] {
        let moved = c.position(at: arm).ned(from: a.position(at: arm))
        #expect((moved / (2 * h) - b.velocityNED(at: arm)).norm < 2e-4)
      }
      let change = (c.velocityNED - a.velocityNED) / (2 * h)
      #expect((change - b.accelerationNED).norm < 0.01)
    }
  }

  @Test func accelerationHasNoSteps() {
    var track = Simulator(scenario: Scenarios.everything).track
    var last = track.state(at: Timestamp(seconds: 0))
    for step in 1..<Int(track.duration * 100) {
      let state = track.state(at: Timestamp(seconds: Double(step) / 100))
      // 1.5 m/s³ along; across, a turn of 2.2 m/s² that is reached within 4 m, and the change of slope.
      #expect((state.accelerationNED - last.accelerationNED).norm < 0.12)
      let turn = (state.navFromVehicle.inverse * last.navFromVehicle).rotationVector.norm
      #expect(turn < 0.02)
      last = state
    }
  }

  @Test func rearAxleDoesNotSlideOnRails() {
    var scenario = Scenarios.everything
    scenario.vehicle = .rigid
    var track = Simulator(scenario: scenario).track
    for second in stride(from: 0.0, to: track.duration, by: 0.1) {
      let state = track.state(at: Timestamp(seconds: second))
      let velocity = state.navFromVehicle.inverse * state.velocityNED
      #expect(abs(velocity.y) < 1e-9 && abs(velocity.z) < 1e-9)
      #expect(abs(velocity.x - state.speed) < 1e-9)
    }
  }

  @Test func slipAndLeanFollowTheForces() {
    let scenario = Scenario(
      name: "circle", start: Scenarios.start, heading: 0,
      road: [RoadElement(.turn(angle: 30, radius: 40), speed: 8)])
    var track = Simulator(scenario: scenario).track
    let state = track.state(at: Timestamp(seconds: 60))
    let across = state.speed * state.angularRateNav.z
    let velocity = state.navFromVehicle.inverse * state.velocityNED
    let slip = scenario.vehicle.slipPerAcceleration * across
    #expect(abs(across - 1.6) < 0.1)
    #expect(abs(-velocity.y / velocity.x - slip) < 0.02 * slip)
    #expect(abs(state.navFromVehicle.roll + scenario.vehicle.rollPerAcceleration * across) < 2e-4)
  }

  @Test func reverseKeepsTheNoseAndTurnsTheCourse() {
    var track = Simulator(scenario: Scenarios.everything).track
    var metres = 0.0
    for second in stride(from: 0.0, to: track.duration, by: 0.1) {
      let state = track.state(at: Timestamp(seconds: second))
      if state.speed < -0.5 {
        #expect((state.navFromVehicle.inverse * state.velocityNED).x < -0.4)
        metres -= state.speed * 0.1
      }
    }
    #expect(abs(metres - 12) < 1)
  }

  @Test func distanceAndTurnsAreTheScenarios() {
    let scenario = Scenario(
      name: "corner", start: Scenarios.start, heading: 0.2,
      road: [
        RoadElement(.straight(length: 100), speed: 10), RoadElement(.turn(angle: -2, radius: 20), speed: 10),
        RoadElement(.laneChange(offset: 3, length: 60), speed: 10),
        RoadElement(.straight(length: 100), speed: 10),
      ])
    var track = Simulator(scenario: scenario).track
    let end = track.state(at: Timestamp(seconds: track.duration))
    #expect(abs(end.distance - track.length) < 1e-6)
    #expect(abs(Angle.wrapped(end.navFromVehicle.yaw - (0.2 - 2))) < 1e-3)
    #expect(abs(end.speed) < 1e-9)
  }

  @Test func slopeLiftsTheCar() {
    let scenario = Scenario(
      name: "hill", start: Scenarios.start, heading: 1,
      road: [
        RoadElement(.straight(length: 100), speed: 10),
        RoadElement(.straight(length: 500), speed: 10, grade: 0.1),
      ])
    var track = Simulator(scenario: scenario).track
    let end = track.state(at: Timestamp(seconds: track.duration))
    // 25 m of the 500 m go into the change of slope, which is symmetric.
    #expect(abs(end.position.height - 430 - 487.5 * 0.0998334) < 0.1)
  }

  @Test func statesDoNotDependOnWhatElseIsAsked() {
    let track = Simulator(scenario: Scenarios.everything).track
    var (often, once) = (track, track)
    for step in 0..<1234 { _ = often.state(at: Timestamp(seconds: Double(step) * 0.0371)) }
    let time = Timestamp(seconds: 1234 * 0.0371)
    #expect(often.state(at: time).position == once.state(at: time).position)
  }
}
