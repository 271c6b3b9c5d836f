/// How the car is driven. The defaults are a calm driver in traffic [chosen].
public struct Driver: Sendable, Equatable {
  /// Largest acceleration in m/s².
  public var acceleration = 1.8
  /// Largest deceleration in m/s².
  public var deceleration = 2.2
  /// Largest change of either in m/s³.
  public var jerk = 1.5
  /// Largest acceleration across in a turn, in m/s², which sets the speed of turns.
  public var lateralAcceleration = 2.2
  /// How far the speed wanders below the wanted one on long stretches, as a share of it.
  public var speedVariation = 0.06

  /// The calm driver.
  public init() {}

  init(_ reader: inout ScenarioReader) throws(SimulationError) {
    acceleration = try reader.number("acceleration", in: 0.1...10, default: acceleration)
    deceleration = try reader.number("deceleration", in: 0.1...10, default: deceleration)
    jerk = try reader.number("jerk", in: 0.1...50, default: jerk)
    lateralAcceleration = try reader.number("lateralAcceleration", in: 0.1...10, default: lateralAcceleration)
    speedVariation = try reader.number("speedVariation", in: 0...0.5, default: speedVariation)
    try reader.finish()
  }
}
