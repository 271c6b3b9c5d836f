// Topics of PX4: sensor_combined (rad/s, m/s², body axes forward, right, down), vehicle_gps_position or
// sensor_gps, vehicle_global_position as another system's solution. Times in µs since the start;
// time_utc_usec of the receiver dates them.
import Navigation

enum ULogImport {
  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    var drive = DriveImport(name: name)
    drive.description.source = "PX4 ulog"
    var reader = try ULogReader(path: path)
    var receivers: [String: [GNSSFix]] = [:]
    var inertial: [InertialSample] = []
    var solution: [TruthSample] = []
    var dates: [Int64] = []
    var rejections = ImportRejections(file: path)
    try reader.read { topic, instance, values in
      // µs since the start of the computer.
      guard let stamp = values["timestamp"], stamp >= 0,
        case let time = Timestamp(nanoseconds: Int64(clamping: stamp * 1000))
      else { return }
      switch topic {
      case "sensor_combined":
        guard instance == 0, let sample = Self.inertial(values, time) else { return }
        inertial.append(sample)
      case "vehicle_gps_position", "sensor_gps":
        if let utc = values["time_utc_usec"], utc > 1e15, utc < 5e15 {
          dates.append(Int64(utc * 1000) - time.nanoseconds)
        }
        guard values["fix_type"] ?? 0 >= 2 else { return }
        guard let fix = Self.fix(values, time) else {
          rejections.reject(
            .malformedFile(file: path, reason: "a message of \(topic) has no latitude and longitude"))
          return
        }
        receivers["\(topic) \(instance)", default: []].append(fix)
      case "vehicle_global_position":
        guard instance == 0, let point = Self.solution(values, time) else { return }
        solution.append(point)
      default: return
      }
      rejections.accepted += 1
    }
    (drive.inertial, drive.receiver) = (inertial, solution)
    // The receiver that PX4 used, where it says so.
    drive.fixes = drive.most(receivers, "fixes", of: "topic", preferring: "vehicle_gps_position 0").rows
    describe(&drive, dates: dates, cutOff: reader.cutOff)
    drive.rejections.append(rejections)
    try rejections.check()
    if drive.fixes.isEmpty, drive.inertial.isEmpty { throw .nothingToImport(path: path) }
    return drive
  }

  private static func describe(_ drive: inout DriveImport, dates: [Int64], cutOff: Int?) {
    if !dates.isEmpty { drive.utcOffset = dates.sorted()[dates.count / 2] }
    if !drive.inertial.isEmpty { drive.description.imu = .init(model: "PX4 sensor_combined", frame: "FRD") }
    if let cutOff {
      drive.notes.append(
        "the file ends within the message at byte \(cutOff); it was cut off, and all before was read")
    }
    if !drive.receiver.isEmpty {
      drive.notes.append("receiver.csv is vehicle_global_position, what PX4 itself made of its sensors")
    }
  }

  private static func inertial(_ values: ULogReader.Values, _ time: Timestamp) -> InertialSample? {
    let axes = { (name: String) in (0..<3).compactMap { values["\(name)[\($0)]"] } }
    let (rate, force) = (axes("gyro_rad"), axes("accelerometer_m_s2"))
    guard rate.count == 3, force.count == 3 else { return nil }
    return InertialSample(
      time: time, angularRate: Vector3(rate[0], rate[1], rate[2]),
      specificForce: Vector3(force[0], force[1], force[2]))
  }

  /// Degrees and metres: of PX4 1.14 and later as such, before in 1e-7 degrees and millimetres.
  private static func place(_ values: ULogReader.Values) -> GeodeticPosition? {
    guard let latitude = values["latitude_deg"] ?? values["lat"].map({ $0 * 1e-7 }),
      let longitude = values["longitude_deg"] ?? values["lon"].map({ $0 * 1e-7 }), abs(latitude) <= 90,
      abs(longitude) <= 360
    else { return nil }
    let height = values["altitude_ellipsoid_m"] ?? values["alt_ellipsoid"].map { $0 * 1e-3 }
    return GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: height ?? .nan)
  }

  private static func fix(_ values: ULogReader.Values, _ time: Timestamp) -> GNSSFix? {
    guard let place = place(values) else { return nil }
    var fix = GNSSFix(time: time, position: place)
    // The moment that it holds for, where the driver knew it; it came at `timestamp`.
    if let sample = values["timestamp_sample"], sample > 0,
      case let held = Timestamp(nanoseconds: Int64(clamping: sample * 1000)),
      held < time
    {
      (fix.time, fix.received) = (held, time)
    }
    if let radius = values["eph"], radius > 0, radius < 1e4 {
      let axis = radius / 2.0.squareRoot()
      fix.positionSigma = Vector3(axis, axis, values["epv"].flatMap { $0 > 0 ? $0 : nil } ?? 2 * axis)
    }
    if values["vel_ned_valid"] != 0, let north = values["vel_n_m_s"], let east = values["vel_e_m_s"] {
      fix.velocityNED = Vector3(north, east, values["vel_d_m_s"] ?? .nan)
      if let sigma = values["s_variance_m_s"], sigma > 0 { fix.speedSigma = sigma }
    }
    return fix
  }

  private static func solution(_ values: ULogReader.Values, _ time: Timestamp) -> TruthSample? {
    guard let latitude = values["lat"], let longitude = values["lon"], abs(latitude) <= 90,
      abs(longitude) <= 360
    else { return nil }
    var place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 0)
    place.height = values["alt_ellipsoid"] ?? values["alt"].map { $0 + EGM96.separation(place) } ?? .nan
    return TruthSample(time: time, position: place)
  }
}

extension Int64 {
  /// The nearest that can be held; 0 for what is no number.
  fileprivate init(clamping value: Double) {
    self = value.isFinite ? Int64(Swift.max(-9.2e18, Swift.min(9.2e18, value))) : 0
  }
}
