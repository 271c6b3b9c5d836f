// Format: comma2k19, README (Schafer et al. 2018, "A commute in data"). Each log is a folder with two NumPy
// arrays: `t` in seconds since boot and `value`. IMU axes are forward, right, down; poses are ECEF, the
// quaternion turns the camera's axes forward, right, down to ECEF.
import Navigation

enum Comma2k19Import {
  private struct Log {
    var times: NumPyArray
    var values: NumPyArray
    var path: String
  }

  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    try Folder.require(path)
    let logs = path + "/processed_log"
    guard Folder.isFolder(logs) else { throw .missingPart(path: path, part: "processed_log") }
    var drive = DriveImport(name: name)
    try readInertial(logs, &drive)
    let utcFromBoot = try readTruth(path + "/global_pose", &drive)
    drive.utcOffset = utcFromBoot
    try readFixes(logs, utcFromBoot, &drive)
    try readWheel(logs, &drive)
    drive.description.source = "commaai/comma2k19"
    drive.description.licence = "MIT"
    drive.description.redistributable = true
    drive.description.notes.append("times are seconds since boot")
    return drive
  }

  // MARK: Logs

  /// The log of that name, or else of the next; nil where there is none.
  private static func log(_ folder: String, _ names: [String], columns: Int) throws(DriveError) -> Log? {
    for name in names {
      let path = folder + "/" + name
      guard Folder.exists(path + "/t"), Folder.exists(path + "/value") else { continue }
      let log = Log(
        times: try NumPyArray(path: path + "/t"), values: try NumPyArray(path: path + "/value"), path: path)
      guard log.times.rowCount == log.values.rowCount, log.values.columnCount >= columns else {
        throw .malformedFile(
          file: path,
          reason:
            "\(log.times.rowCount) times, and \(log.values.rowCount) rows of \(log.values.columnCount) values "
            + "where \(columns) are needed")
      }
      return log
    }
    return nil
  }

  /// Hands each row that is finite in its first columns to `body`.
  private static func forEach(
    _ log: Log, columns: Int, _ drive: inout DriveImport, _ body: (Timestamp, Int, inout DriveImport) -> Void
  ) {
    var rejections = ImportRejections(file: log.path)
    for row in 0..<log.times.rowCount {
      let isGood = log.times[row, 0].isFinite && (0..<columns).allSatisfy { log.values[row, $0].isFinite }
      guard isGood else {
        rejections.reject(.malformedFile(file: log.path, reason: "row \(row) has a value that is not finite"))
        continue
      }
      rejections.accepted += 1
      body(Timestamp(seconds: log.times[row, 0]), row, &drive)
    }
    drive.rejections.append(rejections)
  }

  private static func triad(_ log: Log, _ drive: inout DriveImport) -> TriadSeries {
    var series = TriadSeries()
    forEach(log, columns: 3, &drive) { time, row, _ in
      series.append(time, Vector3(log.values[row, 0], log.values[row, 1], log.values[row, 2]))
    }
    series.sort()
    return series
  }

  // MARK: Sensors

  private static func readInertial(_ logs: String, _ drive: inout DriveImport) throws(DriveError) {
    guard let force = try log(logs, ["IMU/accelerometer", "IMU/acceleration"], columns: 3),
      let rate = try log(logs, ["IMU/gyro_uncalibrated", "IMU/gyro"], columns: 3)
    else {
      throw .missingPart(
        path: logs, part: "IMU/accelerometer or IMU/gyro_uncalibrated, each with t and value")
    }
    let gyroscope = triad(rate, &drive)
    let accelerometer = triad(force, &drive)
    let (samples, unpaired) = PairedTriads.join(gyroscope: gyroscope, accelerometer: accelerometer)
    drive.inertial = samples
    if unpaired > 0 {
      drive.notes.append("\(unpaired) readings of the accelerometer had none of the gyroscope beside them")
    }
    drive.description.imu = .init(model: "phone (EON)", frame: "FRD")
  }

  private static func readFixes(
    _ logs: String, _ utcFromBoot: Int64?, _ drive: inout DriveImport
  ) throws(DriveError) {
    guard let log = try log(logs, ["GNSS/live_gnss_ublox", "GNSS/live_gnss_qcom"], columns: 6) else { return }
    // utc_timestamp is in milliseconds in the files, in seconds by the README.
    let utc = { (row: Int) -> Timestamp in
      let value = log.values[row, 3]
      return Timestamp(seconds: value > 1e11 ? value / 1000 : value)
    }
    // Without the poses: no fix comes before it holds, so the shortest delay seen counts as none.
    let offset =
      utcFromBoot
      ?? (0..<log.times.rowCount).filter { log.times[$0, 0].isFinite && log.values[$0, 3].isFinite }
      .map { utc($0).nanoseconds &- Timestamp(seconds: log.times[$0, 0]).nanoseconds }.max() ?? 0
    forEach(log, columns: 4, &drive) { arrival, row, drive in
      let values = log.values
      let velocity = Vector3(speed: values[row, 2], courseDegrees: values[row, 5], down: .nan)
      let time = Timestamp(nanoseconds: utc(row).nanoseconds &- offset)
      drive.fixes.append(
        GNSSFix(
          time: time, received: max(arrival, time),
          position: GeodeticPosition(
            latitudeDegrees: values[row, 0], longitudeDegrees: values[row, 1], height: values[row, 4]),
          velocityNED: velocity))
    }
    drive.description.gnss =
      log.path.hasSuffix("ublox") ? "u-blox M8 live fix, no accuracy in the log" : "Qualcomm live fix"
    drive.notes.append(
      utcFromBoot == nil
        ? "fixes carry UTC; the shortest delay to their arrival counts as none"
        : "fixes carry UTC, brought to boot time by the poses")
  }

  private static func readWheel(_ logs: String, _ drive: inout DriveImport) throws(DriveError) {
    if let log = try log(logs, ["CAN/wheel_speed", "CAN/wheel_speeds"], columns: 4) {
      forEach(log, columns: 4, &drive) { time, row, drive in
        let speed = (log.values[row, 2] + log.values[row, 3]) / 2
        drive.wheel.append(WheelSample(time: time, speed: speed))
      }
      drive.description.wheel = "mean of the two rear wheels, CAN"
    } else if let log = try log(logs, ["CAN/speed", "CAN/car_speed"], columns: 1) {
      forEach(log, columns: 1, &drive) { time, row, drive in
        drive.wheel.append(WheelSample(time: time, speed: log.values[row, 0]))
      }
      drive.description.wheel = "speed, CAN"
    }
  }

  // MARK: Truth

  /// Reads the poses, and gives what must be added to boot time to get UTC, ns, where they tell.
  private static func readTruth(_ folder: String, _ drive: inout DriveImport) throws(DriveError) -> Int64? {
    let files = ["frame_times", "frame_positions", "frame_velocities", "frame_orientations"]
    guard files.allSatisfy({ Folder.exists("\(folder)/\($0)") }) else { return nil }
    var arrays: [NumPyArray] = []
    for file in files { arrays.append(try NumPyArray(path: "\(folder)/\(file)")) }
    let (times, positions, velocities, orientations) = (arrays[0], arrays[1], arrays[2], arrays[3])
    guard arrays.allSatisfy({ $0.rowCount == times.rowCount }), positions.columnCount == 3,
      velocities.columnCount == 3, orientations.columnCount == 4
    else { throw .malformedFile(file: folder, reason: "the arrays of the poses differ in length") }
    var rejections = ImportRejections(file: folder)
    for row in 0..<times.rowCount {
      let ecef = Vector3(positions[row, 0], positions[row, 1], positions[row, 2])
      let velocity = Vector3(velocities[row, 0], velocities[row, 1], velocities[row, 2])
      let q = Quaternion(
        w: orientations[row, 0], x: orientations[row, 1], y: orientations[row, 2], z: orientations[row, 3])
      guard times[row, 0].isFinite, ecef.isFinite, ecef.norm > 6e6, velocity.isFinite, q.lanes.w.isFinite
      else {
        rejections.reject(.malformedFile(file: folder, reason: "row \(row) has no pose"))
        continue
      }
      rejections.accepted += 1
      let position = WGS84.geodetic(ecef: ecef)
      let nedFromECEF =
        WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude).transpose
      let navFromCamera = Quaternion(matrix: nedFromECEF * q.normalized.matrix)
      drive.truth.append(
        TruthSample(
          time: Timestamp(seconds: times[row, 0]), position: position, velocityNED: nedFromECEF * velocity,
          roll: navFromCamera.roll, pitch: navFromCamera.pitch, yaw: navFromCamera.yaw))
    }
    drive.rejections.append(rejections)
    drive.description.truth = .init(
      reference: "camera", horizontalSigmaMetres: 0.3, yaw: "published pose, with roll and pitch",
      independentOfGNSS: true)
    return try utcOffset(folder, times)
  }

  private static func utcOffset(_ folder: String, _ times: NumPyArray) throws(DriveError) -> Int64? {
    guard Folder.exists(folder + "/frame_gps_times") else { return nil }
    let gps = try NumPyArray(path: folder + "/frame_gps_times")
    guard gps.rowCount == times.rowCount, gps.columnCount == 2 else { return nil }
    let offsets = (0..<gps.rowCount).compactMap { row -> Int64? in
      guard gps[row, 0] > 0, gps[row, 0] < 1e5, gps[row, 1].isFinite, times[row, 0].isFinite else {
        return nil
      }
      let utc = ImportTime.utc(week: Int64(gps[row, 0]), timeOfWeek: Timestamp(seconds: gps[row, 1]))
      return utc.nanoseconds &- Timestamp(seconds: times[row, 0]).nanoseconds
    }.sorted()
    return offsets.isEmpty ? nil : offsets[offsets.count / 2]
  }
}
