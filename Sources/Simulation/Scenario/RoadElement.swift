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
    case .stop, .park: true
    default: false
    }
  }

  /// Whether the car goes backwards.
  var isReverse: Bool {
    if case .reverse = manoeuvre { return true }
    return false
  }
}
