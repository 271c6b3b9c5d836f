import Foundation
import Navigation
import Simulation
import Testing

@Suite struct ScenarioTests {
  private static let start = #""start": {"latitudeDegrees": 47, "longitudeDegrees": 8}"#

  private func error(_ json: String) -> SimulationError? {
    do {
      _ = try Scenario(json: Data(json.utf8), file: "a.json")
      return nil
    } catch {
      return error
    }
  }

  private func error(road: String) -> SimulationError? {
    error(#"{"name": "a", \#(Self.start), "road": [\#(road)]}"#)
  }

  @Test func unknownKeysAreNamedWithTheirPlace() {
    let known = ["do", "environment", "gradePercent", "speedKmh", "lengthMetres"]
    #expect(
      error(road: #"{"do": "stop", "seconds": 1}, {"do": "straight", "lengthMetres": 5, "speed": 3}"#)
        == .unknownKey(file: "a.json", key: "road[1].speed", known: known))
    guard
      case .unknownKey(_, "imu.gyroscope.nose", _)? = error(
        #"{"name": "a", \#(Self.start), "imu": {"gyroscope": {"nose": 1}}, "road": [{"do": "stop", "seconds": 1}]}"#
      )
    else {
      Issue.record("imu.gyroscope.nose went unnoticed")
      return
    }
    for section in ["driver", "vehicle", "imu", "receiver", "wheel"] {
      guard
        case .unknownKey(_, "\(section).x", _)? = error(
          #"{"name": "a", \#(Self.start), "\#(section)": {"x": 1}, "road": [{"do": "stop", "seconds": 1}]}"#)
      else {
        Issue.record("\(section).x went unnoticed")
        continue
      }
    }
  }

  @Test func missingFilesAndTextsThatAreNotJSONAreSaid() {
    #expect(throws: SimulationError.self) { try Scenario(path: "/no/such/scenario.json") }
    guard case .notJSON("a.json", _)? = error("{\"name\": ") else {
      Issue.record("half an object passed as JSON")
      return
    }
    guard case .notJSON(_, let reason)? = error("{\"name\": \"a\",\n  \"seed\": }") else {
      Issue.record("a key without a value passed as JSON")
      return
    }
    #expect(reason.hasPrefix("line 2, column "))
    #expect(
      error("[1]")
        == .wrongValue(
          file: "a.json", key: "the scenario", found: "an array of 1", expected: "an object"))
  }

  @Test func missingKeysAreNamed() {
    #expect(error(#"{"name": "a", \#(Self.start)}"#) == .missingKey(file: "a.json", key: "road"))
    #expect(error(road: #"{"lengthMetres": 1}"#) == .missingKey(file: "a.json", key: "road[0].do"))
    #expect(
      error(road: #"{"do": "turn", "angleDegrees": 3}"#)
        == .missingKey(file: "a.json", key: "road[0].radiusMetres"))
    #expect(
      error(#"{"name": "a", "start": {"longitudeDegrees": 1}, "road": [{"do": "stop", "seconds": 1}]}"#)
        == .missingKey(file: "a.json", key: "start.latitudeDegrees"))
  }

  @Test(arguments: [
    #"{"do": "straight", "lengthMetres": -5}"#, #"{"do": "straight", "lengthMetres": 1e99}"#,
    #"{"do": "straight", "lengthMetres": "5"}"#, #"{"do": "straight", "lengthMetres": 5, "speedKmh": 0}"#,
    #"{"do": "turn", "angleDegrees": 0, "radiusMetres": 10}"#,
    #"{"do": "turn", "angleDegrees": 90, "radiusMetres": 0.1}"#, #"{"do": "fly"}"#,
    #"{"do": "stop", "seconds": 0}"#, #"{"do": "stop", "seconds": true}"#,
    #"{"do": "straight", "lengthMetres": 5, "environment": "sea"}"#,
    #"{"do": "repeat", "times": 2, "road": []}"#,
    #"{"do": "repeat", "times": 1000, "road": [{"do": "repeat", "times": 1000, "road": [{"do": "stop", "seconds": 1}]}]}"#,
  ]) func nonsenseIsRefusedWithItsKey(road: String) {
    guard case .wrongValue("a.json", let key, _, let expected)? = error(road: road) else {
      Issue.record("\(road) passed")
      return
    }
    #expect(key.hasPrefix("road[0]") && !expected.isEmpty)
  }

  @Test func speedSlopeAndSurroundingsHoldUntilStatedAnew() throws {
    let json = #"""
      {"name": "a", \#(Self.start), "road": [
        {"do": "straight", "lengthMetres": 5, "speedKmh": 36, "gradePercent": 10, "environment": "urban"},
        {"do": "repeat", "times": 2, "road": [{"do": "stop", "seconds": 3}, {"do": "straight", "lengthMetres": 7}]},
        {"do": "roundabout", "exitDegrees": 90, "environment": "open", "gradePercent": 0}]}
      """#
    let road = try Scenario(json: Data(json.utf8)).road
    #expect(road.count == 8)
    #expect(road[4].manoeuvre == .straight(length: 7))
    #expect(road[4].speed == 10 && road[4].environment == .urban)
    #expect(road[4].grade == road[0].grade && abs(road[0].grade - 0.0996687) < 1e-6)
    var turned = 0.0
    for element in road[5...] {
      guard case .turn(let angle, _) = element.manoeuvre else { continue }
      #expect(element.environment == .open && element.grade == 0)
      turned += angle
    }
    #expect(abs(turned - .pi / 2) < 1e-12)
  }

  @Test func sensorsTakeTheirKeys() throws {
    let json = #"""
      {"name": "a", "seed": 12, \#(Self.start), "vehicle": {"slipDegreesPerAcceleration": 0},
       "imu": {"part": "BMI160", "rateHz": 200, "mountingDegrees": [0, 0, 90], "gyroscope": {"noise": 0.5}},
       "receiver": {"preset": "white", "horizontalSigmaMetres": 4, "velocity": false},
       "wheel": {"signed": true}, "road": [{"do": "stop", "seconds": 3}]}
      """#
    let scenario = try Scenario(json: Data(json.utf8))
    #expect(scenario.seed == 12 && scenario.vehicle.slipPerAcceleration == 0)
    #expect(scenario.imu.part == .bmi160 && scenario.imu.rate == 200 && scenario.imu.gyroscope.noise == 0.5)
    #expect(abs(scenario.imu.vehicleFromIMU.yaw - .pi / 2) < 1e-12)
    #expect(scenario.receiver.uniform?.horizontalSigma == 4 && !scenario.receiver.hasVelocity)
    #expect(scenario.wheel?.isSigned == true)
    // It only stands, and that works too.
    #expect(Simulator(scenario: scenario).run().samples.count > 600)
  }
}
