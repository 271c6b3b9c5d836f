// Format: UrbanNav (Hsu et al. 2021). Tokyo: imu.csv and reference.csv with GPS week and time of week and
// units in the header; as published the IMU is in rad/s and forward, right, down, as the Precise Positioning
// Challenge gives it in °/s and forward, left, up. Hong Kong: the IMU as `rostopic echo -p` writes
// sensor_msgs/Imu, axes right, forward, up; the truth as text of NovAtel Inertial Explorer. Fixes are to come
// as gpsd JSON: `gpsdecode -j < receiver.nmea`, or .ubx.
import Navigation

enum UrbanNavImport {
  private enum Kind { case tokyoIMU, tokyoReference, rosIMU, spanText, gpsdJSON }

  static func read(_ path: String, name: String, fixes: String?) throws(DriveError) -> DriveImport {
    try Folder.require(path)
    var drive = DriveImport(name: name)
    drive.isUTC = true
    drive.description.source = "UrbanNav"
    drive.description.licence = "see the data set; for evaluation"
    drive.description.redistributable = false
    for file in try Folder.entries(of: path) {
      let file = "\(path)/\(file)"
      switch try kind(of: file) {
      case .tokyoIMU where drive.inertial.isEmpty: try readTokyoIMU(file, &drive)
      case .rosIMU where drive.inertial.isEmpty: try readROSIMU(file, &drive)
      case .tokyoReference where drive.truth.isEmpty: try readReference(file, &drive)
      case .spanText where drive.truth.isEmpty: try UrbanNavSPAN.read(file, &drive)
      case .gpsdJSON where fixes == nil && drive.fixes.isEmpty: try GPSDImport.readFixes(file, into: &drive)
      case .tokyoIMU, .rosIMU, .tokyoReference, .spanText, .gpsdJSON:
        drive.notes.append("\(file) was not needed")
      case nil: break
      }
    }
    if let fixes { try GPSDImport.readFixes(fixes, into: &drive) }
    guard !drive.inertial.isEmpty || !drive.fixes.isEmpty else {
      throw .missingPart(
        path: path,
        part:
          "imu.csv of Tokyo, an IMU table of rostopic, or fixes as gpsd JSON (gpsdecode -j < receiver.nmea > fixes.json)"
      )
    }
    if drive.fixes.isEmpty {
      drive.notes.append(
        "no fixes: give them as gpsd JSON, made by gpsdecode -j < receiver.nmea > fixes.json")
    }
    return drive
  }

  /// What a file is by its first line.
  private static func kind(of path: String) throws(DriveError) -> Kind? {
    let suffix = path.split(separator: ".").last?.lowercased() ?? ""
    guard ["csv", "txt", "json"].contains(suffix) else { return nil }
    var rows = try TextRows(path: path, separator: suffix == "txt" ? .blanks : .comma)
    guard (try? rows.next(skippingComments: false)) == true else { return nil }
    if rows.text(0).contains("{") || suffix == "json" { return .gpsdJSON }
    let columns = ColumnIndex(rows)
    if columns.find("UTCTime") != nil, columns.find("Latitude") != nil { return .spanText }
    if columns.find("field.angular_velocity.x") != nil { return .rosIMU }
    guard columns.find("GPS TOW (s)") != nil else { return nil }
    return columns.find("Latitude (deg)") != nil ? .tokyoReference : .tokyoIMU
  }

  // MARK: Tokyo

  private static func readTokyoIMU(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    var isPublished = false
    try drive.readTable(path) { columns throws(DriveError) in
      isPublished = columns.find("Angular rate X (rad/s)") != nil
      let scale = isPublished ? 1 : Angle.radians(degrees: 1)
      let (force, rate, unit) =
        isPublished ? ("Acceleration", "Angular rate", "rad/s") : ("Acc", "Ang Rate", "deg/s")
      let time = try columns.require("GPS TOW (s)")
      let week = try columns.require("GPS Week")
      let forces = try axes(columns, force, "m/s^2")
      let rates = try axes(columns, rate, unit)
      let wheel = columns.find("Wheel velocity (m/s)")
      return { rows, drive throws(DriveError) in
        let time = try utc(rows, week, time)
        let value = try rates.finite(rows)
        drive.inertial.append(
          InertialSample(time: time, angularRate: value * scale, specificForce: try forces.finite(rows)))
        if let wheel {
          drive.wheel.append(WheelSample(time: time, speed: try rows.finite(wheel, "Wheel velocity")))
        }
      }
    }
    drive.description.imu = .init(frame: isPublished ? "FRD" : "FLU")
  }

  private static func axes(
    _ columns: ColumnIndex, _ name: String, _ unit: String
  ) throws(DriveError) -> TriadColumns {
    try TriadColumns(columns, "\(name) X (\(unit))", "\(name) Y (\(unit))", "\(name) Z (\(unit))")
  }

  private static func readReference(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    try drive.readTable(path) { columns throws(DriveError) in
      let time = try columns.require("GPS TOW (s)")
      let week = try columns.require("GPS Week")
      let latitude = try columns.require("Latitude (deg)")
      let longitude = try columns.require("Longitude (deg)")
      let height = try columns.require("Ellipsoid Height (m)")
      let attitude = [
        columns.find("Roll (deg)"), columns.find("Pitch (deg)"), columns.find("Heading (deg)"),
      ]
      let velocity = [
        columns.find("North Velocity (m/s)", "Velocity Y (m/s)"),
        columns.find("East Velocity (m/s)", "Velocity X (m/s)"),
        columns.find("Up Velocity (m/s)", "Velocity Z (m/s)"),
      ].compactMap { $0 }
      let velocities = velocity.count == 3 ? TriadColumns(velocity, ["north", "east", "up velocity"]) : nil
      return { rows, drive throws(DriveError) in
        var sample = TruthSample(
          time: try utc(rows, week, time),
          position: GeodeticPosition(
            latitudeDegrees: try rows.finite(latitude, "Latitude"),
            longitudeDegrees: try rows.finite(longitude, "Longitude"),
            height: try rows.finite(height, "Height")
          ))
        if let value = try velocities?.finite(rows) {
          sample.velocityNED = Vector3(value.x, value.y, -value.z)
        }
        var angles: [Double?] = []
        for i in attitude {
          angles.append(try i.flatMap { i throws(DriveError) in try rows.number(i, "attitude").known })
        }
        (sample.roll, sample.pitch, sample.yaw) = (
          angles[0].map { Angle.radians(degrees: $0) }, angles[1].map { Angle.radians(degrees: $0) },
          angles[2].map { Angle.radians(degrees: $0) }
        )
        drive.truth.append(sample)
      }
    }
    drive.description.truth = .init(
      reference: "antenna", horizontalSigmaMetres: 0.1, yaw: "reference", independentOfGNSS: true)
  }

  // MARK: Hong Kong

  private static func readROSIMU(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    try drive.readTable(path, skippingComments: false) { columns throws(DriveError) in
      // %time is when it was recorded, the header's stamp when it was measured; both
      // in nanoseconds since 1970.
      let time =
        if let stamp = columns.find("field.header.stamp") { stamp } else { try columns.require("%time") }
      let rates = try TriadColumns(
        columns, "field.angular_velocity.x", "field.angular_velocity.y", "field.angular_velocity.z")
      let forces = try TriadColumns(
        columns, "field.linear_acceleration.x", "field.linear_acceleration.y", "field.linear_acceleration.z")
      return { rows, drive throws(DriveError) in
        drive.inertial.append(
          InertialSample(
            time: try rows.time(time, "time", exponent: 0), angularRate: try rates.finite(rows),
            specificForce: try forces.finite(rows)))
      }
    }
    drive.description.imu = .init(model: "Xsens MTi", frame: "RFU")
    drive.description.antennaLeverArm = nil
  }

  // MARK: Rows

  private static func utc(
    _ rows: borrowing TextRows, _ week: Int, _ time: Int
  ) throws(DriveError) -> Timestamp {
    let week = try rows.finite(week, "GPS Week")
    guard let week = Int64(exactly: week.rounded()), (0..<10_000).contains(week) else {
      throw .notANumber(file: rows.path, line: rows.line, column: "GPS Week", text: "\(week)")
    }
    return ImportTime.utc(week: week, timeOfWeek: try rows.time(time, "GPS TOW (s)"))
  }
}
