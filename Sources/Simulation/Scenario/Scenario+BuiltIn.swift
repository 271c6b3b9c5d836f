import Navigation

extension Scenario {
  /// Scenarios that need no file: ``town`` and ``ideal``.
  public static var builtIn: [Scenario] { [town, ideal] }

  /// Three minutes of town with all errors of a phone-grade IMU.
  public static var town: Scenario {
    var scenario = Scenario(
      name: "town", start: GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.7, height: 430),
      heading: 0.7, road: townRoad)
    scenario.summary = "Three minutes of suburban and urban streets with lights, turns, a hill and parking"
    return scenario
  }

  /// The same way on rails, with the errors that a filter assumes and no others: white noise, a constant bias
  /// with a random walk, white fixes with honest accuracy and no delay. For tests of consistency.
  public static var ideal: Scenario {
    var scenario = town
    scenario.name = "ideal"
    scenario.summary = "The town on rails, with white noise and random-walk biases only"
    scenario.vehicle = .rigid
    scenario.imu = IMUModel(part: .idealWhite)
    scenario.receiver = ReceiverModel(preset: .white)
    for i in scenario.road.indices { scenario.road[i].environment = .open }
    return scenario
  }

  private static var townRoad: [RoadElement] {
    let (fast, slow) = (50 / 3.6, 30 / 3.6)
    let (right, left) = (Double.pi / 2, -Double.pi / 2)
    func suburb(_ manoeuvre: Manoeuvre, _ speed: Double, grade: Double = 0) -> RoadElement {
      RoadElement(manoeuvre, speed: speed, grade: grade, environment: .suburban)
    }
    func street(_ manoeuvre: Manoeuvre, _ speed: Double) -> RoadElement {
      RoadElement(manoeuvre, speed: speed, environment: .urban)
    }
    return [
      suburb(.stop(seconds: 10), slow), suburb(.straight(length: 200), fast),
      suburb(.turn(angle: right, radius: 12), slow), suburb(.straight(length: 180), fast, grade: 0.06),
      suburb(.stop(seconds: 12), fast), suburb(.straight(length: 150), fast, grade: -0.04),
      suburb(.turn(angle: left, radius: 15), slow), street(.straight(length: 300), fast),
      street(.laneChange(offset: 3, length: 50), fast), street(.straight(length: 80), fast),
      street(.stop(seconds: 20), fast), street(.turn(angle: 0.9, radius: 16), slow),
      street(.turn(angle: -1.8, radius: 16), slow), street(.turn(angle: 0.9, radius: 16), slow),
      street(.straight(length: 150), fast), street(.turn(angle: right, radius: 10), slow),
      street(.straight(length: 200), fast), street(.stop(seconds: 2), slow),
      street(.reverse(length: 10, angle: 0.9), 1.5), street(.park(seconds: 15), slow),
    ]
  }
}
