import Navigation

/// An IMU as it is fitted into the car.
public struct IMUModel: Sendable, Equatable {
  /// Which part.
  public var part = IMUPart.icm20602
  /// Samples per second.
  public var rate = 100.0
  /// C of the mounting: from the IMU's axes to the vehicle's.
  public var vehicleFromIMU = Quaternion.identity
  /// IMU from the middle of the rear axle, metres forward, right, down.
  public var position = Vector3(1.2, 0, -0.5)
  /// Errors of the gyroscopes, rad/s.
  public var gyroscope: TriadModel
  /// Errors of the accelerometers, m/s².
  public var accelerometer: TriadModel
  /// Shaking.
  public var vibration = VibrationModel()
  /// Kelvin by which the part warms after switch-on, and the time constant in s [chosen].
  public var warming = 10.0
  /// Time constant of the warming, s [chosen].
  public var warmingTime = 400.0

  /// A part in its usual state.
  public init(part: IMUPart = .icm20602) {
    self.part = part
    (gyroscope, accelerometer) = part.triads
    if part == .perfect || part == .idealWhite { vibration.strength = 0 }
  }

  init(_ reader: inout ScenarioReader) throws(SimulationError) {
    self.init(part: try reader.name("part", default: IMUPart.icm20602))
    rate = try reader.number("rateHz", in: 10...1000, default: rate)
    let mounting = try reader.triple("mountingDegrees", limit: 360, default: (0, 0, 0))
    vehicleFromIMU = Quaternion(
      roll: Angle.radians(degrees: mounting.0), pitch: Angle.radians(degrees: mounting.1),
      yaw: Angle.radians(degrees: mounting.2))
    let place = try reader.triple("positionMetres", limit: 10, default: (position.x, position.y, position.z))
    position = Vector3(place.0, place.1, place.2)
    if try reader.bool("calibrated", default: false) {
      gyroscope.scale = min(gyroscope.scale, 0.002)
      accelerometer.scale = min(accelerometer.scale, 0.002)
      gyroscope.misalignment = min(gyroscope.misalignment, 0.001)
      accelerometer.misalignment = min(accelerometer.misalignment, 0.001)
    }
    if var triad = try reader.object("gyroscope") { gyroscope = try TriadModel(&triad, default: gyroscope) }
    if var triad = try reader.object("accelerometer") {
      accelerometer = try TriadModel(&triad, default: accelerometer)
    }
    vibration.strength = try reader.number("vibration", in: 0...100, default: vibration.strength)
    warming = try reader.number("warmingKelvin", in: -100...100, default: warming)
    warmingTime = try reader.number("warmingSeconds", in: 1...1e6, default: warmingTime)
    try reader.finish()
  }
}
