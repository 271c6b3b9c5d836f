/// A manoeuvre with what holds along it.
public struct RoadElement: Sendable, Equatable {
  /// What the car does.
  public var manoeuvre: Manoeuvre
  /// The speed it wants, in m/s.
  public var speed: Double
  /// Slope of the road in radians, positive where the car's nose points up.
  public var grade: Double
  /// What stands around.
  public var environment: RadioEnvironment
  /// Acceleration and deceleration in m/s² where they are not the driver's.
  public var acceleration: Double?

  /// A manoeuvre at a speed in m/s, on a slope in radians.
  public init(
    _ manoeuvre: Manoeuvre, speed: Double, grade: Double = 0, environment: RadioEnvironment = .open
  ) {
    self.manoeuvre = manoeuvre
    self.speed = speed
    self.grade = grade
    self.environment = environment
  }

  /// Whether the car stands.
  var isStandstill: Bool {
    switch manoeuvre {
    case .stop, .park, .carried: true
    default: false
    }
  }

  /// Whether the wheels turn as the car moves.
  var wheelsRoll: Bool {
    if case .towed(let tow, _, _) = manoeuvre { return tow.wheelsRoll }
    return true
  }

  /// Whether the car goes backwards.
  var isReverse: Bool {
    switch manoeuvre {
    case .reverse: true
    case .towed(let tow, _, _): tow.isBackward
    default: false
    }
  }
}
