import Foundation
import Navigation
import Simulation
import Testing

/// A car that is carried, turned, lifted or towed.
@Suite struct CarriageTests {
  private struct Passage {
    var first: VehicleState
    var last: VehicleState
    var top = 0.0
    var turned = 0.0
  }

  /// The motion over the part of a drive of one element that is neither driving nor the second of stopping.
  private func passage(_ carriage: Carriage) -> Passage {
    var scenario = Scenarios.perfect
    scenario.road = [RoadElement(.carried(carriage), speed: 10, environment: .garage)]
    var track = Simulator(scenario: scenario).track
    let first = track.state(at: Timestamp(seconds: 0))
    var passage = Passage(first: first, last: first)
    for step in 1...Int(track.duration * 20) {
      let state = track.state(at: Timestamp(seconds: Double(step) / 20))
      passage.top = max(passage.top, state.velocityNED.norm)
      passage.turned += Angle.wrapped(state.navFromVehicle.yaw - passage.last.navFromVehicle.yaw)
      passage.last = state
      #expect(state.speed == 0 && state.distance == 0 && state.environment == .garage)
    }
    return passage
  }

  @Test func aFerryArrivesAtRestWhereItsSpeedLeads() {
    var ferry = Carriage.Ferry()
    ferry.speed = 6
    ferry.bow = .pi / 2
    let passage = passage(.ferry(ferry, seconds: 300))
    let moved = passage.last.position.ned(from: passage.first.position)
    // 60 s to get under way and as long to stop; the bow points 90° right of the nose, which is at 0.7 rad.
    #expect(abs(moved.horizontalNorm - 6 * 240) < 1)
    #expect(abs(Angle.wrapped(atan2(moved.y, moved.x) - 0.7 - .pi / 2)) < 1e-3)
    #expect(passage.last.velocityNED.norm < 1e-3 && abs(passage.last.position.height - 430) < 0.2)
  }

  @Test func aFerryTurnsTheCar() {
    var ferry = Carriage.Ferry()
    ferry.turn = -2.5
    let passage = passage(.ferry(ferry, seconds: 200))
    #expect(abs(passage.turned + 2.5) < 1e-3)
  }

  @Test func aTurntableTurnsAboutItsAxis() {
    let passage = passage(.turntable(angle: .pi, seconds: 60, axis: 1.3))
    #expect(abs(passage.turned - .pi) < 1e-3)
    // Half round about a point 1.3 m ahead: the axle ends 2.6 m ahead, and never moves
    // faster than 1.3 m · 3.1°/s.
    let moved = passage.last.position.ned(from: passage.first.position)
    #expect(abs(moved.x * cos(0.7) + moved.y * sin(0.7) - 2.6) < 1e-3)
    #expect(passage.top < 0.08)
  }

  @Test func aLiftRisesStraight() {
    let passage = passage(.lift(height: 7.5, seconds: 20))
    let moved = passage.last.position.ned(from: passage.first.position)
    #expect(moved.horizontalNorm < 1e-6 && abs(moved.z + 7.5) < 1e-4)
    #expect(passage.turned == 0)
  }

  /// The independent integration of the samples knows nothing of carriages: force and rate
  /// must be those of the motion.
  @Test func theSensorsFeelTheCarriage() {
    let simulator = Simulator(scenario: Scenarios.carried)
    let imu = (
      position: simulator.scenario.imu.position, vehicleFromIMU: simulator.scenario.imu.vehicleFromIMU
    )
    var track = simulator.track
    var oracle: StrapdownOracle?
    var worst = 0.0
    for case .inertial(let sample) in simulator.run().samples {
      let state = track.state(at: sample.time)
      guard sample.time.seconds.truncatingRemainder(dividingBy: 60) != 0 else {
        oracle = StrapdownOracle(state, imu: imu, first: sample)
        continue
      }
      oracle?.add(sample)
      if let oracle {
        worst = max(worst, (oracle.position - WGS84.ecef(state.position(at: imu.position))).norm)
      }
    }
    #expect(track.duration > 250)
    #expect(worst < 0.1, "\(worst) m within 60 s")
  }

  @Test func velocityIsTheDerivativeOfPosition() {
    var track = Simulator(scenario: Scenarios.carried).track
    let h = 0.002
    for second in stride(from: 1.0, to: track.duration - 1, by: 0.37) {
      let a = track.state(at: Timestamp(seconds: second - h))
      let b = track.state(at: Timestamp(seconds: second))
      let c = track.state(at: Timestamp(seconds: second + h))
      let moved = c.position.ned(from: a.position)
      #expect((moved / (2 * h) - b.velocityNED).norm < 2e-4)
      #expect(((c.velocityNED - a.velocityNED) / (2 * h) - b.accelerationNED).norm < 0.01)
    }
  }

  @Test func wheelsStandWhileTheCarIsCarried() {
    var scenario = Scenarios.carried
    scenario.wheel = WheelModel()
    let simulator = Simulator(scenario: scenario)
    var track = simulator.track
    var carried = 0
    for case .wheel(let wheel) in simulator.run().samples {
      let state = track.state(at: wheel.time)
      guard state.velocityNED.norm > 2, !state.wheelsRoll || state.speed == 0 else { continue }
      carried += 1
      #expect(wheel.speed == 0)
    }
    // A ferry under way for some 100 s and 17 s of flatbed at 20 samples a second.
    #expect(carried > 1500)
  }

  @Test func aTowedCarGoesTailFirstWithItsNoseUp() {
    var track = Simulator(scenario: Scenarios.carried).track
    var seconds = 0
    for second in 0..<Int(track.duration) {
      let state = track.state(at: Timestamp(seconds: Double(second)))
      guard state.speed < -11 else { continue }
      seconds += 1
      #expect(abs(state.navFromVehicle.pitch - 0.15) < 0.02)
      #expect((state.navFromVehicle.inverse * state.velocityNED).x < -10)
    }
    #expect(seconds > 5)
  }

  @Test func aQueueCreeps() {
    var creep = RoadElement(.straight(length: 5), speed: 0.4)
    creep.acceleration = 0.1
    let scenario = Scenario(name: "queue", start: Scenarios.start, heading: 0, road: [creep, creep])
    var track = Simulator(scenario: scenario).track
    for step in 0..<Int(track.duration * 10) {
      let state = track.state(at: Timestamp(seconds: Double(step) / 10))
      #expect(state.speed < 0.4 + 1e-9 && state.accelerationNED.norm < 0.1 + 1e-9)
    }
    #expect(track.length == 10)
  }

  private func scenario(road: String) throws -> Scenario {
    try Scenario(
      json: Data(
        #"{"name": "a", "start": {"latitudeDegrees": 47, "longitudeDegrees": 8}, "road": [\#(road)]}"#.utf8))
  }

  @Test func everyKeyIsRead() throws {
    let road = try scenario(
      road: #"""
        {"do": "ferry", "seconds": 60, "speedKmh": 18, "bowDegrees": 180, "turnDegrees": 90, "rollDegrees": 2,
         "pitchDegrees": 1, "heaveMetres": 0.3, "environment": "suburban"},
        {"do": "turntable", "angleDegrees": -180, "seconds": 90, "axisMetres": 1.5},
        {"do": "lift", "heightMetres": -6, "seconds": 30, "environment": "garage"},
        {"do": "tow", "lengthMetres": 500, "angleDegrees": 90, "speedKmh": 54, "backward": true,
         "wheelsRoll": false, "pitchDegrees": 8, "environment": "open"},
        {"do": "creep", "times": 2, "lengthMetres": 3, "speedKmh": 1.8, "acceleration": 0.2, "seconds": 4}
        """#
    ).road
    #expect(road.count == 8)
    guard case .carried(.ferry(let ferry, 60)) = road[0].manoeuvre,
      case .towed(let tow, 500, let angle) = road[3].manoeuvre
    else {
      Issue.record("no ferry or no tow")
      return
    }
    #expect(ferry.speed == 5 && ferry.bow == .pi && ferry.turn == .pi / 2 && ferry.heave == 0.3)
    #expect(abs(ferry.roll - .pi / 90) < 1e-12 && abs(ferry.pitch - .pi / 180) < 1e-12)
    #expect(road[0].environment == .suburban && road[2].environment == .garage)
    #expect(road[1].manoeuvre == .carried(.turntable(angle: -.pi, seconds: 90, axis: 1.5)))
    #expect(road[2].manoeuvre == .carried(.lift(height: -6, seconds: 30)))
    #expect(tow.isBackward && !tow.wheelsRoll && abs(tow.pitch - 0.1396) < 1e-4 && abs(angle - 1.5708) < 1e-4)
    #expect(road[3].speed == 15 && road[4].speed == 0.5 && road[4].acceleration == 0.2)
    #expect(road[7].manoeuvre == .stop(seconds: 4))
  }

  @Test(arguments: [
    #"{"do": "ferry", "seconds": 60, "knots": 12}"#, #"{"do": "ferry"}"#,
    #"{"do": "turntable", "seconds": 60}"#, #"{"do": "turntable", "seconds": 60, "angleDegrees": 0}"#,
    #"{"do": "lift", "seconds": 60, "metres": 3}"#, #"{"do": "tow", "lengthMetres": 5}"#,
    #"{"do": "tow", "lengthMetres": 50, "backward": 1}"#, #"{"do": "creep", "lengthMetres": 5, "times": 0}"#,
  ])
  func wrongKeysAreRefused(road: String) {
    #expect(throws: SimulationError.self) { try scenario(road: road) }
  }
}
