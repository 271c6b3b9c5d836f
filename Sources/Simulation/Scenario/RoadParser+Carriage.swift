import Navigation

/// Ways to move without driving, and the slowest way to drive.
extension RoadParser {
  /// What carries the standing car; nil where `verb` is something else.
  func carriage(_ verb: Verb, _ reader: inout ScenarioReader) throws(SimulationError) -> Carriage? {
    switch verb {
    case .ferry: return try ferry(&reader)
    case .turntable:
      let angle = try degrees(&reader, "angleDegrees", in: -720...720)
      guard angle != 0 else { throw reader.wrong("angleDegrees", "0", expected: "an angle, or do: stop") }
      return .turntable(
        angle: angle, seconds: try reader.number("seconds", in: 3...3600),
        axis: try reader.number("axisMetres", in: -10...10, default: 1.3))
    case .lift:
      return .lift(
        height: try reader.number("heightMetres", in: -500...500),
        seconds: try reader.number("seconds", in: 3...3600))
    default: return nil
    }
  }

  private func ferry(_ reader: inout ScenarioReader) throws(SimulationError) -> Carriage {
    var ferry = Carriage.Ferry()
    ferry.speed = try reader.number("speedKmh", in: 0...100, default: ferry.speed * 3.6) / 3.6
    ferry.bow = try degrees(&reader, "bowDegrees", in: -180...180, default: 0)
    ferry.turn = try degrees(&reader, "turnDegrees", in: -360...360, default: 0)
    ferry.roll = try degrees(&reader, "rollDegrees", in: 0...15, default: Angle.degrees(radians: ferry.roll))
    ferry.pitch = try degrees(
      &reader, "pitchDegrees", in: 0...10, default: Angle.degrees(radians: ferry.pitch))
    ferry.heave = try reader.number("heaveMetres", in: 0...5, default: ferry.heave)
    return .ferry(ferry, seconds: try reader.number("seconds", in: 30...36000))
  }

  func tow(_ reader: inout ScenarioReader) throws(SimulationError) -> RoadElement {
    var tow = Manoeuvre.Tow()
    tow.isBackward = try reader.bool("backward", default: false)
    tow.wheelsRoll = try reader.bool("wheelsRoll", default: true)
    tow.pitch = try degrees(&reader, "pitchDegrees", in: -20...20, default: 0)
    let length = try reader.number("lengthMetres", in: 10...1e6)
    let angle = try degrees(&reader, "angleDegrees", in: -3600...3600, default: 0)
    var element = element(.towed(tow, length: length, angle: angle))
    element.speed = try reader.number("speedKmh", in: 1...130, default: 40) / 3.6
    return element
  }

  /// A queue: forward a little, very gently, and stop, again and again.
  func creep(_ reader: inout ScenarioReader) throws(SimulationError) -> [RoadElement] {
    let length = try reader.number("lengthMetres", in: 0.5...1000)
    var move = element(.straight(length: length))
    move.speed = try reader.number("speedKmh", in: 0.3...10, default: 1.4) / 3.6
    move.acceleration = try reader.number("acceleration", in: 0.01...2, default: 0.1)
    let stop = element(.stop(seconds: try reader.number("seconds", in: 0.1...36000, default: 10)))
    let times = try reader.number("times", in: 1...1000, default: 1)
    return (0..<Int(times)).flatMap { _ in [move, stop] }
  }
}
