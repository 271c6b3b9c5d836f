// Format: Google Smartphone Decimeter Challenge 2022 and 2023, description of the data. device_imu.csv
// has a row a reading of a sensor, in the phone's axes (right, up, out of the screen); device_gnss.csv
// a row a satellite and epoch, each with the epoch's position by weighted least squares;
// ground_truth.csv the reference.
import Navigation

enum GSDCImport {
  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    try Folder.require(path)
    var drive = DriveImport(name: name)
    drive.isUTC = true
    let (imu, gnss) = (path + "/device_imu.csv", path + "/device_gnss.csv")
    guard Folder.exists(imu) || Folder.exists(gnss) else {
      throw .missingPart(path: path, part: "device_imu.csv or device_gnss.csv")
    }
    if Folder.exists(imu) { try readInertial(imu, &drive) }
    if Folder.exists(gnss) { try readFixes(gnss, &drive) }
    if Folder.exists(path + "/ground_truth.csv") { try readTruth(path + "/ground_truth.csv", &drive) }
    drive.description.source = "Google Smartphone Decimeter Challenge"
    return drive
  }

  // MARK: IMU

  private static func readInertial(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    var gyroscope = TriadSeries()
    var accelerometer = TriadSeries()
    var offsets: [Int64] = []
    var isElapsed = false
    try drive.readTable(path) { columns throws(DriveError) in
      let kind = try columns.require("MessageType")
      let utc = try columns.require("utcTimeMillis")
      let elapsed = columns.find("elapsedRealtimeNanos")
      let measurement = try TriadColumns(columns, "MeasurementX", "MeasurementY", "MeasurementZ")
      isElapsed = elapsed != nil
      return { rows, _ throws(DriveError) in
        let isGyroscope: Bool
        switch rows.text(kind) {
        case "UncalGyro", "Gyro": isGyroscope = true
        case "UncalAccel", "Accel": isGyroscope = false
        default: return
        }
        let wall = try rows.time(utc, "utcTimeMillis", exponent: 6)
        var time = wall
        if let elapsed {
          time = try rows.time(elapsed, "elapsedRealtimeNanos", exponent: 0)
          offsets.append(wall.nanoseconds &- time.nanoseconds)
        }
        let value = try measurement.finite(rows)
        if isGyroscope { gyroscope.append(time, value) } else { accelerometer.append(time, value) }
      }
    }
    PairedTriads.addPhone(
      gyroscope: gyroscope, accelerometer: accelerometer, offsets: isElapsed ? offsets : [], to: &drive)
  }

  // MARK: Fixes and truth

  private static func readFixes(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    var previous: Timestamp?
    var empty = 0
    try drive.readTable(path) { columns throws(DriveError) in
      let utc = try columns.require("utcTimeMillis")
      let position = try TriadColumns(
        columns, "WlsPositionXEcefMeters", "WlsPositionYEcefMeters", "WlsPositionZEcefMeters")
      return { rows, drive throws(DriveError) in
        let time = try rows.time(utc, "utcTimeMillis", exponent: 6)
        guard time != previous else { return }
        let ecef = try position.numbers(rows)
        guard ecef.isFinite, ecef.norm > 6e6, ecef.norm < 7e6 else {
          empty += 1
          return
        }
        previous = time
        drive.fixes.append(GNSSFix(time: time, position: WGS84.geodetic(ecef: ecef)))
      }
    }
    if empty > 0 { drive.notes.append("\(empty) rows of device_gnss.csv have no position") }
    drive.description.gnss = "weighted least squares of the phone's pseudoranges, no velocity and no accuracy"
  }

  private static func readTruth(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    try drive.readTable(path) { columns throws(DriveError) in
      // 2021 named its columns otherwise, and counted from the epoch of GPS.
      let isOld = columns.find("millisSinceGpsEpoch") != nil
      let time = try columns.require(isOld ? "millisSinceGpsEpoch" : "UnixTimeMillis")
      let latitude = try columns.require(isOld ? "latDeg" : "LatitudeDegrees")
      let longitude = try columns.require(isOld ? "lngDeg" : "LongitudeDegrees")
      let height = columns.find("AltitudeMeters", "heightAboveWgs84EllipsoidM")
      let speed = columns.find("SpeedMps")
      let course = columns.find("BearingDegrees", "courseDegree")
      return { rows, drive throws(DriveError) in
        let stamp = try rows.time(time, "time", exponent: 6)
        let position = GeodeticPosition(
          latitudeDegrees: try rows.finite(latitude, "latitude"),
          longitudeDegrees: try rows.finite(longitude, "longitude"),
          height: try height.map { i throws(DriveError) in try rows.number(i, "height") } ?? .nan)
        let speed = try speed.map { i throws(DriveError) in try rows.number(i, "SpeedMps") } ?? .nan
        let course = try course.map { i throws(DriveError) in try rows.number(i, "BearingDegrees") } ?? .nan
        drive.truth.append(
          TruthSample(
            time: isOld ? ImportTime.utc(gps: stamp) : stamp, position: position,
            velocityNED: Vector3(speed: speed, courseDegrees: course, down: .nan)))
      }
    }
    drive.description.truth = .init(
      reference: "antenna", yaw: "none; course only", independentOfGNSS: true)
  }
}
