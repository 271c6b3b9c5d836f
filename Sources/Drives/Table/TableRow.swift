import CLibrary
import Navigation

/// A kind of row: which columns it has and what it makes of them.
protocol TableRow {
  /// Name of the file in the drive folder.
  static var file: String { get }
  /// Columns that must be there and finite, the time in seconds first.
  static var required: [String] { get }
  /// Columns that may be missing or empty.
  static var optional: [String] { get }
  /// Whether several rows may have one time, if they differ in anything else.
  static var sharesTimes: Bool { get }
  /// When it holds.
  var time: Timestamp { get set }
  /// The row from its cells, required ones first; a cell that is not known is NaN.
  init(time: Timestamp, cells: UnsafePointer<Double>)
}

extension TableRow {
  static var sharesTimes: Bool { false }
}

extension InertialSample: TableRow {
  static let file = SensorKind.inertial.file
  static let required = [
    "time_s", "gyro_x_rad_s", "gyro_y_rad_s", "gyro_z_rad_s", "accel_x_m_s2", "accel_y_m_s2", "accel_z_m_s2",
  ]
  static let optional: [String] = []
  /// A driver may stamp all that it reads from a FIFO at once alike.
  static let sharesTimes = true

  @inline(__always)
  init(time: Timestamp, cells: UnsafePointer<Double>) {
    self.init(
      time: time, angularRate: Vector3(cells[1], cells[2], cells[3]),
      specificForce: Vector3(cells[4], cells[5], cells[6]))
  }
}

extension WheelSample: TableRow {
  static let file = SensorKind.wheel.file
  static let required = ["time_s", "speed_m_s"]
  static let optional = ["yaw_rate_rad_s"]

  init(time: Timestamp, cells: UnsafePointer<Double>) {
    self.init(time: time, speed: cells[1], yawRate: cells[2].known)
  }
}

extension GNSSFix: TableRow {
  static let file = SensorKind.gnss.file
  static let required = ["time_s", "latitude_deg", "longitude_deg"]
  static let optional = [
    "height_m", "sigma_north_m", "sigma_east_m", "sigma_down_m", "velocity_north_m_s", "velocity_east_m_s",
    "velocity_down_m_s", "speed_m_s", "course_deg", "received_s", "sigma_speed_m_s", "sigma_course_deg",
  ]

  init(time: Timestamp, cells: UnsafePointer<Double>) {
    let sigma = Vector3(cells[4], cells[5], cells[6])
    self.init(
      time: time, received: cells[12].known.map { Timestamp(seconds: $0) },
      position: GeodeticPosition(
        latitudeDegrees: cells[1], longitudeDegrees: cells[2], height: cells[3].known ?? .nan),
      positionSigma: sigma.isFinite ? sigma : nil,
      velocityNED: Vector3(horizontal: cells[7], cells[8], down: cells[9])
        ?? Vector3(speed: cells[10], courseDegrees: cells[11], down: cells[9]))
    speedSigma = cells[13].known
    courseSigma = cells[14].known.map { Angle.radians(degrees: $0) }
  }
}

extension TruthSample: TableRow {
  package static let file = "truth.csv"
  /// Another system's own solution, with the columns of the truth.
  package static let receiverFile = "receiver.csv"
  static let required = ["time_s", "latitude_deg", "longitude_deg"]
  static let optional = [
    "height_m", "velocity_north_m_s", "velocity_east_m_s", "velocity_down_m_s", "roll_deg", "pitch_deg",
    "yaw_deg",
  ]

  init(time: Timestamp, cells: UnsafePointer<Double>) {
    self.init(
      time: time,
      position: GeodeticPosition(
        latitudeDegrees: cells[1], longitudeDegrees: cells[2], height: cells[3].known ?? .nan),
      velocityNED: Vector3(horizontal: cells[4], cells[5], down: cells[6]),
      roll: cells[7].known.map { Angle.radians(degrees: $0) },
      pitch: cells[8].known.map { Angle.radians(degrees: $0) },
      yaw: cells[9].known.map { Angle.radians(degrees: $0) })
  }
}

extension Double {
  /// The value, or nil where it is infinite or not a number.
  var known: Double? { isFinite ? self : nil }
}

extension Vector3 {
  /// A velocity in NED whose horizontal part must be known; a part down that is not known becomes NaN.
  init?(horizontal north: Double, _ east: Double, down: Double) {
    guard north.isFinite, east.isFinite else { return nil }
    self.init(north, east, down.known ?? .nan)
  }

  /// A velocity in NED from a speed in m/s and a course in degrees.
  ///
  /// Receivers leave the course out when they stand: without it, a speed up to `standsBelow` is none.
  init?(speed: Double, courseDegrees: Double, down: Double, standsBelow: Double = 0.5) {
    if courseDegrees.isNaN, abs(speed) <= standsBelow {
      self.init(horizontal: 0, 0, down: down)
      return
    }
    let course = Angle.radians(degrees: courseDegrees)
    self.init(horizontal: speed * cos(course), speed * sin(course), down: down)
  }
}
