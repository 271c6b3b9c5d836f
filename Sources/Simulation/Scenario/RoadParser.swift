import CLibrary
import Navigation

/// Turns the `road` of a scenario into elements. Speed, slope and surroundings hold
/// until they are stated anew.
struct RoadParser {
  private var speedKmh = 50.0
  private var gradePercent = 0.0
  private var environment = RadioEnvironment.open
  private var count = 0

  enum Verb: String, CaseIterable {
    case straight, turn, roundabout, laneChange, reverse, stop, park, `repeat`
    case ferry, turntable, lift, tow, creep
  }

  mutating func elements(_ readers: [ScenarioReader]) throws(SimulationError) -> [RoadElement] {
    var result: [RoadElement] = []
    for reader in readers {
      var reader = reader
      result += try elements(&reader)
      try reader.finish()
    }
    return result
  }

  private mutating func elements(_ reader: inout ScenarioReader) throws(SimulationError) -> [RoadElement] {
    count += 1
    guard count <= 10_000 else {
      throw reader.wrong("do", "element \(count)", expected: "at most 10000 elements, repeats counted")
    }
    let verb: Verb = try reader.name("do", default: nil)
    if verb == .repeat {
      let times = try reader.number("times", in: 1...1000)
      let inner = try reader.objects("road")
      var result: [RoadElement] = []
      for _ in 0..<Int(times) { result += try elements(inner) }
      return result
    }
    environment = try reader.name("environment", default: environment)
    if verb == .stop || verb == .park {
      let seconds = try reader.number("seconds", in: 0.1...36000)
      return [element(verb == .stop ? .stop(seconds: seconds) : .park(seconds: seconds))]
    }
    if let carriage = try carriage(verb, &reader) { return [element(.carried(carriage))] }
    if verb == .creep { return try creep(&reader) }
    gradePercent = try reader.number("gradePercent", in: -40...40, default: gradePercent)
    if verb == .reverse {
      let length = try reader.number("lengthMetres", in: 0.5...1000)
      let angle = try degrees(&reader, "angleDegrees", in: -180...180, default: 0)
      var element = element(.reverse(length: length, angle: angle))
      element.speed = try reader.number("speedKmh", in: 1...40, default: 5) / 3.6
      return [element]
    }
    if verb == .tow { return [try tow(&reader)] }
    speedKmh = try reader.number("speedKmh", in: 1...250, default: speedKmh)
    switch verb {
    case .straight: return [element(.straight(length: try reader.number("lengthMetres", in: 0.5...1e6)))]
    case .turn:
      let angle = try degrees(&reader, "angleDegrees", in: -36000...36000)
      guard angle != 0 else { throw reader.wrong("angleDegrees", "0", expected: "an angle, or do: straight") }
      return [element(.turn(angle: angle, radius: try reader.number("radiusMetres", in: 3...1e5)))]
    case .laneChange:
      let length = try reader.number("lengthMetres", in: 20...1000, default: 60)
      return [element(.laneChange(offset: try reader.number("offsetMetres", in: -8...8), length: length))]
    default: return try roundabout(&reader)
    }
  }

  func element(_ manoeuvre: Manoeuvre) -> RoadElement {
    RoadElement(
      manoeuvre, speed: speedKmh / 3.6, grade: atan(gradePercent / 100), environment: environment)
  }

  func degrees(
    _ reader: inout ScenarioReader, _ key: String, in range: ClosedRange<Double>,
    default fallback: Double? = nil
  ) throws(SimulationError) -> Double {
    Angle.radians(degrees: try reader.number(key, in: range, default: fallback))
  }

  /// In by a turn of 50° to the right, round to the left, out by 50° to the right; mirrored
  /// where one drives on the left.
  private func roundabout(_ reader: inout ScenarioReader) throws(SimulationError) -> [RoadElement] {
    let radius = try reader.number("radiusMetres", in: 6...200, default: 16)
    let exit = try degrees(&reader, "exitDegrees", in: -270...90)
    let mirror = try reader.bool("driveOnLeft", default: false) ? -1.0 : 1.0
    let entry = Angle.radians(degrees: 50)
    let round = exit - 2 * entry
    return [
      element(.turn(angle: mirror * entry, radius: radius)),
      element(.turn(angle: mirror * round, radius: radius)),
      element(.turn(angle: mirror * entry, radius: radius)),
    ]
  }
}
