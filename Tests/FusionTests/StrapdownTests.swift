import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct StrapdownTests {
  private func earthRate(_ latitude: Double) -> Vector3 {
    Vector3(WGS84.earthRate * cos(latitude), 0, -WGS84.earthRate * sin(latitude))
  }

  private func gravity(_ position: GeodeticPosition) -> Vector3 {
    Vector3(0, 0, WGS84.gravity(sineLatitude: sin(position.latitude), height: position.height))
  }

  /// What a perfect IMU at constant velocity and attitude feels.
  private func steadyRates(_ state: NavigationState) -> InertialRates {
    let (s, c) = (sin(state.position.latitude), cos(state.position.latitude))
    let earth = earthRate(state.position.latitude)
    let north = WGS84.meridianRadius(sineLatitude: s) + state.position.height
    let east = WGS84.transverseRadius(sineLatitude: s) + state.position.height
    let v = state.velocity
    let transport = Vector3(v.y / east, -v.x / north, -v.y * s / c / east)
    let bodyFromNav = state.navFromBody.inverse
    return InertialRates(
      angularRate: bodyFromNav * (earth + transport),
      specificForce: bodyFromNav * ((earth * 2 + transport).cross(v) - gravity(state.position)))
  }

  /// A town with turns, hills and a lane change, by a perfect IMU at 100 Hz that lies askew off the axle.
  @Test func perfectIMUFollowsTheTruth() {
    var scenario = Scenario.ideal
    scenario.imu = IMUModel(part: .perfect)
    scenario.imu.vehicleFromIMU = Quaternion(roll: 2.8, pitch: -0.4, yaw: 1.9)
    scenario.imu.position = Vector3(2.1, -0.5, -0.7)
    let simulator = Simulator(scenario: scenario)
    var track = simulator.track
    let arm = scenario.imu.position
    let start = track.state(at: Timestamp(nanoseconds: 0))
    var state = NavigationState(
      position: start.position(at: arm), velocity: start.velocityNED(at: arm),
      navFromBody: start.navFromVehicle * scenario.imu.vehicleFromIMU)
    var strapdown = Strapdown()
    var last: InertialSample?
    var worst = (position: 0.0, velocity: 0.0, attitude: 0.0)
    for case .inertial(let sample) in simulator.run().samples where sample.time.seconds < 60.005 {
      defer { last = sample }
      guard let previous = last else { continue }
      strapdown.step(
        &state, from: InertialRates(angularRate: previous.angularRate, specificForce: previous.specificForce),
        to: InertialRates(angularRate: sample.angularRate, specificForce: sample.specificForce), dt: 0.01)
      let truth = track.state(at: sample.time)
      worst.position = max(worst.position, state.position.ned(from: truth.position(at: arm)).norm)
      worst.velocity = max(worst.velocity, (state.velocity - truth.velocityNED(at: arm)).norm)
      let attitude = truth.navFromVehicle * scenario.imu.vehicleFromIMU
      worst.attitude = max(worst.attitude, (state.navFromBody * attitude.inverse).rotationVector.norm)
    }
    #expect(last?.time == Timestamp(seconds: 60))
    #expect(worst.position < 0.02 && worst.velocity < 1e-3 && worst.attitude < 1e-5, "\(worst)")
  }

  @Test func standingOnTheTurningEarthDoesNotDrift() {
    for latitude in [-70.0, 0, 47.5, 85] {
      let start = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 8.7, height: 430)
      var state = NavigationState(
        position: start, velocity: .zero, navFromBody: Quaternion(roll: 2, pitch: 0.5, yaw: -2))
      let attitude = state.navFromBody
      let rates = steadyRates(state)
      var strapdown = Strapdown()
      for _ in 0..<60_000 { strapdown.step(&state, from: rates, to: rates, dt: 0.01) }
      #expect(state.position.ned(from: start).norm < 1e-5)
      #expect(state.velocity.norm < 1e-7)
      #expect((state.navFromBody * attitude.inverse).rotationVector.norm < 1e-10)
    }
  }

  /// Once around the Earth along a parallel, over the antimeridian and home.
  @Test func aParallelLeadsAroundTheEarth() {
    let start = GeodeticPosition(latitudeDegrees: 85, longitudeDegrees: 8.7, height: 1000)
    var state = NavigationState(
      position: start, velocity: Vector3(0, 1000, 0), navFromBody: Quaternion(roll: 0.3, pitch: -0.1, yaw: 1))
    let attitude = state.navFromBody
    let rates = steadyRates(state)
    let length = Curvature(at: start).metresPerLongitude * 2 * .pi
    let steps = 100_000
    var strapdown = Strapdown()
    var westernmost = 0.0
    for _ in 0..<steps {
      strapdown.step(&state, from: rates, to: rates, dt: length / 1000 / Double(steps))
      westernmost = min(westernmost, state.position.longitude)
    }
    #expect(westernmost < -3.13)
    #expect(state.position.ned(from: start).norm < 0.01)
    #expect((state.velocity - Vector3(0, 1000, 0)).norm < 1e-4)
    #expect((state.navFromBody * attitude.inverse).rotationVector.norm < 1e-8)
  }

  /// A body axis that circles on a cone of half angle a turns nothing in the end, though its gyroscopes never
  /// rest: ω = (−2Ω sin² a/2, −Ω sin a sin Ωt, Ω sin a cos Ωt).
  @Test func coningTurnsNothing() {
    let position = GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.7, height: 0)
    let (a, omega, dt) = (0.05, 2 * Double.pi * 2, 1e-3)
    func attitude(_ t: Double) -> Quaternion {
      Quaternion(w: cos(a / 2), x: 0, y: sin(a / 2) * cos(omega * t), z: sin(a / 2) * sin(omega * t))
    }
    func rates(_ t: Double) -> InertialRates {
      let bodyFromNav = attitude(t).inverse
      let cone = Vector3(
        -2 * omega * sin(a / 2) * sin(a / 2), -omega * sin(a) * sin(omega * t),
        omega * sin(a) * cos(omega * t))
      return InertialRates(
        angularRate: cone + bodyFromNav * earthRate(position.latitude),
        specificForce: bodyFromNav * -gravity(position))
    }
    var state = NavigationState(position: position, velocity: .zero, navFromBody: attitude(0))
    var strapdown = Strapdown()
    for i in 0..<20_000 {
      strapdown.step(&state, from: rates(Double(i) * dt), to: rates(Double(i + 1) * dt), dt: dt)
    }
    // The axis has turned the cone's solid angle, 0.31 rad, in 20 s: samples on a straight
    // line miss (Ω dt)² / 6 of it.
    let missed = omega * 20 * (1 - cos(a)) * (omega * dt) * (omega * dt) / 6
    #expect((state.navFromBody * attitude(20).inverse).rotationVector.norm < 2 * missed)
    #expect(state.velocity.norm < 0.01)
  }

  /// One step of linear rate and force against 2000 small ones: what is left of the attitude is of fifth
  /// order, a hundredth of the coning term, and of the velocity of third, α² υ / 6.
  @Test func coningAndScullingTermsAreThoseOfLinearRates() {
    var random = RandomSource(seed: 3, stream: "coning")
    for _ in 0..<10 {
      let dt = 0.05
      let (r0, r1) = (Vector3(normal: &random) * 0.7, Vector3(normal: &random) * 0.7)
      let (f0, f1) = (Vector3(normal: &random) * 8, Vector3(normal: &random) * 8)
      let position = GeodeticPosition(latitude: 0.7, longitude: 0, height: 0)
      var state = NavigationState(
        position: position, velocity: .zero, navFromBody: Quaternion(rotationVector: Vector3(normal: &random))
      )
      var (attitude, velocity) = (state.navFromBody, Vector3.zero)
      let steps = 2000
      let h = dt / Double(steps)
      let earth = earthRate(0.7)
      func rate(_ t: Double) -> Vector3 { r0 + (r1 - r0) * (t / dt) }
      func force(_ t: Double) -> Vector3 { f0 + (f1 - f0) * (t / dt) }
      for i in 0..<steps {
        let t = Double(i) * h
        let half = attitude * Quaternion(rotationVector: rate(t + h / 4) * (h / 2))
        velocity += (half * force(t + h / 2) + gravity(position) - (earth * 2).cross(velocity)) * h
        attitude =
          Quaternion(rotationVector: -earth * h)
          * (attitude * Quaternion(rotationVector: rate(t + h / 2) * h))
      }
      var strapdown = Strapdown()
      strapdown.step(
        &state, from: InertialRates(angularRate: r0, specificForce: f0),
        to: InertialRates(angularRate: r1, specificForce: f1), dt: dt)
      let coning = r0.cross(r1).norm * dt * dt / 12
      let sculling = (r0.cross(f1) + f0.cross(r1)).norm * dt * dt / 12
      #expect((state.navFromBody * attitude.inverse).rotationVector.norm < 0.01 * coning + 1e-9)
      let (alpha, upsilon) = (max(r0.norm, r1.norm) * dt, max(f0.norm, f1.norm) * dt)
      let third = alpha * alpha * upsilon / 6
      #expect((state.velocity - velocity).norm < 1.5 * third + 0.02 * sculling)
    }
  }

  /// Dropped from rest, a body lands east of the plumb line by ω g t³ cos φ / 3.
  @Test func aFallingBodyDriftsEast() {
    for latitude in [-0.9, 0, 0.8] {
      let start = GeodeticPosition(latitude: latitude, longitude: 0, height: 2000)
      var state = NavigationState(position: start, velocity: .zero, navFromBody: .identity)
      let free = InertialRates(angularRate: .zero, specificForce: .zero)
      var strapdown = Strapdown()
      for _ in 0..<1000 { strapdown.step(&state, from: free, to: free, dt: 0.01) }
      let fallen = state.position.ned(from: start)
      let g = gravity(start).z
      #expect(abs(fallen.z / (g * 50) - 1) < 1e-3)
      #expect(abs(fallen.y / (WGS84.earthRate * g * 1000 * cos(latitude) / 3) - 1) < 2e-3)
    }
  }

  /// Sliding north without friction, a body turns right in the north and left in the south: ω sin φ v t².
  @Test func aSlidingBodyTurnsWithFoucault() {
    for latitude in [-0.9, 0.8] {
      let start = GeodeticPosition(latitude: latitude, longitude: 0, height: 0)
      var state = NavigationState(position: start, velocity: Vector3(20, 0, 0), navFromBody: .identity)
      var strapdown = Strapdown()
      for _ in 0..<1000 {
        let lift = state.navFromBody.inverse * -gravity(state.position)
        let rates = InertialRates(angularRate: .zero, specificForce: lift)
        strapdown.step(&state, from: rates, to: rates, dt: 0.01)
      }
      let east = state.position.ned(from: start).y
      #expect(abs(east / (WGS84.earthRate * sin(latitude) * 20 * 100) - 1) < 5e-3)
    }
  }

  @Test func polesGiveNumbers() {
    for latitude in [90, 89.9999999, -89.9999999] {
      var state = NavigationState(
        position: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 0, height: 0),
        velocity: Vector3(10, 10, 0), navFromBody: .identity)
      let rates = InertialRates(angularRate: .zero, specificForce: Vector3(0, 0, -9.83))
      var strapdown = Strapdown()
      for _ in 0..<1000 { strapdown.step(&state, from: rates, to: rates, dt: 0.01) }
      #expect(state.velocity.isFinite && state.navFromBody.vector.isFinite)
      #expect(state.position.latitude.isFinite && abs(state.position.longitude) <= .pi)
    }
  }
}
