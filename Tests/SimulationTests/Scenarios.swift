import Navigation
import Simulation

/// Scenarios that several tests share.
enum Scenarios {
  static let start = GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.7, height: 430)

  /// A little of everything: lights, turns, a roundabout, a hill, a lane change, reverse and parking.
  static var everything: Scenario {
    let v = 50 / 3.6
    let slow = 25 / 3.6
    let hill = 0.08
    return Scenario(
      name: "everything", start: start, heading: 0.7,
      road: [
        RoadElement(.stop(seconds: 5), speed: v),
        RoadElement(.straight(length: 250), speed: v),
        RoadElement(.turn(angle: .pi / 2, radius: 12), speed: slow),
        RoadElement(.straight(length: 200), speed: v, grade: hill),
        RoadElement(.laneChange(offset: 3.5, length: 60), speed: v, grade: hill),
        RoadElement(.stop(seconds: 8), speed: v, grade: hill),
        RoadElement(.turn(angle: 0.9, radius: 16), speed: slow),
        RoadElement(.turn(angle: -1.8, radius: 16), speed: slow),
        RoadElement(.turn(angle: 0.9, radius: 16), speed: slow),
        RoadElement(.straight(length: 300), speed: 80 / 3.6, grade: -0.05),
        RoadElement(.stop(seconds: 2), speed: v),
        RoadElement(.reverse(length: 12, angle: 1), speed: 1.5),
        RoadElement(.park(seconds: 10), speed: v),
      ])
  }

  /// Ways to move without driving, between two drives round a corner, without any sensor error.
  static var carried: Scenario {
    var ferry = Carriage.Ferry()
    ferry.bow = 0.4
    ferry.turn = -2
    var tow = Manoeuvre.Tow()
    tow.isBackward = true
    tow.wheelsRoll = false
    tow.pitch = 0.15
    let v = 10.0
    func corner() -> [RoadElement] {
      [
        RoadElement(.straight(length: 60), speed: v), RoadElement(.turn(angle: 1, radius: 15), speed: v),
        RoadElement(.stop(seconds: 2), speed: v),
      ]
    }
    var creep = RoadElement(.straight(length: 4), speed: 0.4)
    creep.acceleration = 0.1
    var scenario = Scenario(
      name: "carried", start: start, heading: 0.7,
      road: corner() + [
        RoadElement(.carried(.ferry(ferry, seconds: 120)), speed: v, environment: .open),
        RoadElement(.carried(.turntable(angle: 3, seconds: 40, axis: 1.3)), speed: v),
        RoadElement(.carried(.lift(height: -9, seconds: 25)), speed: v, environment: .garage),
        RoadElement(.towed(tow, length: 200, angle: 0.5), speed: 12), creep,
      ] + corner())
    scenario.imu = IMUModel(part: .perfect)
    scenario.imu.vehicleFromIMU = Quaternion(roll: 2.8, pitch: -0.4, yaw: 1.9)
    return scenario
  }

  /// The same without any sensor error.
  static var perfect: Scenario {
    var scenario = everything
    scenario.imu = IMUModel(part: .perfect)
    scenario.imu.vehicleFromIMU = Quaternion(roll: 2.8, pitch: -0.4, yaw: 1.9)
    scenario.imu.position = Vector3(2.1, -0.5, -0.7)
    return scenario
  }
}
