// Format: KF-GINS (i2Nav, Wuhan University), README of its data set. Columns are separated by blanks:
// IMU: time s, increments of angle rad ×3, increments of velocity m/s ×3 [, odometer m/s], axes forward,
// right, down; GNSS: time, latitude °, longitude °, height m, standard deviations north, east, down m; 13
// columns have velocity NED between and its deviations behind; reference: week, time, latitude, longitude,
// height, velocity NED, roll, pitch, yaw in °.
import Navigation

enum KFGINSImport {
  private struct Files {
    var imu: String?
    var gnss: String?
    var truth: String?
    var leverArm: Vector3?
    var rate: Double?
  }

  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    try Folder.require(path)
    let files = try find(path)
    guard let imu = files.imu else {
      throw .missingPart(
        path: path, part: "a text file of IMU increments (7 or 8 columns, over 20 rows a second)")
    }
    var drive = DriveImport(name: name)
    drive.description.source = "KF-GINS data"
    drive.description.imu = .init(frame: "FRD")
    drive.description.antennaLeverArm = files.leverArm
    try readIMU(imu, rate: files.rate, &drive)
    if let gnss = files.gnss { try readFixes(gnss, &drive) }
    if let truth = files.truth {
      try readTruth(truth, &drive)
      drive.description.truth = .init(reference: "imu", yaw: "reference, with roll and pitch")
    }
    drive.notes.append(
      "rates are the increments over the time since the row before, at the middle of that time; times are GPS seconds of week"
    )
    return drive
  }

  // MARK: Which file is which

  private static func find(_ folder: String) throws(DriveError) -> Files {
    var files = Files()
    let names = try Folder.entries(of: folder)
    for name in names where name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
      try readConfiguration("\(folder)/\(name)", folder, &files)
    }
    for name in names {
      let path = "\(folder)/\(name)"
      let suffix = name.split(separator: ".").last.map(String.init) ?? ""
      guard ["txt", "nav", "ref", "pos", "imu", "truth"].contains(suffix.lowercased()), path != files.imu,
        path != files.gnss
      else { continue }
      guard let (columns, period) = try? shape(path) else { continue }
      switch columns {
      case 7, 8:
        if period < 0.05 { files.imu = files.imu ?? path } else { files.gnss = files.gnss ?? path }
      case 13: files.gnss = files.gnss ?? path
      case 11: files.truth = files.truth ?? path
      default: break
      }
    }
    return files
  }

  /// The file names and the lever arm of KF-GINS's own YAML: `key: value` lines.
  private static func readConfiguration(
    _ path: String, _ folder: String, _ files: inout Files
  ) throws(DriveError) {
    let text = String(decoding: try Folder.contents(of: path, limit: 1 << 20), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        .split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].filter { !" \"'\r".contains($0) }
      switch parts[0].filter({ $0 != " " }) {
      case "imupath": files.imu = local(value, folder)
      case "gnsspath": files.gnss = local(value, folder)
      case "imudatarate": files.rate = Double(value)
      case "antlever":
        let numbers = value.filter { !"[]".contains($0) }.split(separator: ",").compactMap { Double($0) }
        if numbers.count == 3 { files.leverArm = Vector3(numbers[0], numbers[1], numbers[2]) }
      default: break
      }
    }
  }

  /// The file of that name in the folder: the paths in the YAML are from where KF-GINS was run.
  private static func local(_ path: String, _ folder: String) -> String? {
    let file = folder + "/" + (path.split(separator: "/").last ?? "")
    return Folder.exists(file) ? file : nil
  }

  /// Number of columns and seconds from the first row to the second.
  private static func shape(_ path: String) throws(DriveError) -> (columns: Int, period: Double) {
    var rows = try TextRows(path: path, separator: .blanks)
    guard try rows.next() else { throw .emptyFile(file: path) }
    let time = rows.count == 11 ? 1 : 0
    let (columns, first) = (rows.count, try rows.finite(time, "time"))
    guard try rows.next() else { return (columns, 1) }
    return (columns, try rows.finite(time, "time") - first)
  }

  // MARK: Rows

  private static func readIMU(_ path: String, rate: Double?, _ drive: inout DriveImport) throws(DriveError) {
    var period = try shape(path).period
    if let rate, rate > 0 { period = 1 / rate }
    guard period > 0 else { throw .malformedFile(file: path, reason: "the time does not go on") }
    var previous: Timestamp?
    var rows = try TextRows(path: path, separator: .blanks)
    try drive.readRows(&rows, cells: 7 ... .max) { rows, drive throws(DriveError) in
      let time = try rows.time(0, "time")
      let angle = try vector(rows, 1, "increment of angle")
      let velocity = try vector(rows, 4, "increment of velocity")
      // As KF-GINS does: a step that is none, or too long, counts as a usual one.
      var step = previous.map { time.seconds(since: $0) } ?? period
      if step >= 0.1 { step = period }
      guard step > 0 else {
        throw .malformedFile(file: path, reason: "line \(rows.line): the time goes back or repeats")
      }
      previous = time
      drive.inertial.append(
        InertialSample(
          time: time.advanced(bySeconds: -step / 2), angularRate: angle * (1 / step),
          specificForce: velocity * (1 / step)))
      if rows.count > 7 {
        drive.wheel.append(WheelSample(time: time, speed: try rows.finite(7, "odometer")))
      }
    }
  }

  private static func readFixes(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .blanks)
    try drive.readRows(&rows, cells: 7 ... .max) { rows, drive throws(DriveError) in
      let hasVelocity = rows.count >= 13
      let sigma = try vector(rows, hasVelocity ? 7 : 4, "standard deviation")
      var fix = GNSSFix(
        time: try rows.time(0, "time"), position: try position(rows, 1),
        positionSigma: sigma.x > 0 && sigma.y > 0 ? sigma : nil,
        velocityNED: hasVelocity ? try vector(rows, 4, "velocity") : nil)
      if hasVelocity {
        let deviation = try vector(rows, 10, "standard deviation of velocity")
        if deviation.x > 0, deviation.y > 0 { fix.speedSigma = max(deviation.x, deviation.y) }
      }
      drive.fixes.append(fix)
    }
  }

  private static func readTruth(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .blanks)
    try drive.readRows(&rows, cells: 11 ... .max) { rows, drive throws(DriveError) in
      let attitude = try vector(rows, 8, "attitude")
      drive.truth.append(
        TruthSample(
          time: try rows.time(1, "time"), position: try position(rows, 2),
          velocityNED: try vector(rows, 5, "velocity"), roll: Angle.radians(degrees: attitude.x),
          pitch: Angle.radians(degrees: attitude.y), yaw: Angle.radians(degrees: attitude.z)))
    }
  }

  private static func vector(
    _ rows: borrowing TextRows, _ first: Int, _ name: String
  ) throws(DriveError) -> Vector3 {
    Vector3(
      try rows.finite(first, "\(first + 1) (\(name))"), try rows.finite(first + 1, "\(first + 2) (\(name))"),
      try rows.finite(first + 2, "\(first + 3) (\(name))"))
  }

  private static func position(_ rows: borrowing TextRows, _ first: Int) throws(DriveError)
    -> GeodeticPosition
  {
    GeodeticPosition(
      latitudeDegrees: try rows.finite(first, "latitude"),
      longitudeDegrees: try rows.finite(first + 1, "longitude"), height: try rows.finite(first + 2, "height"))
  }
}
