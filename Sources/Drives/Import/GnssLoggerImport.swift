// Format: the text files of Google's GnssLogger for Android. `# Fix,Provider,LatitudeDegrees,…` names the
// columns of the rows that begin with `Fix`, and so on for each kind; its first versions called them
// `Latitude`, `Speed`, `(UTC)TimeInMs` and the like, without units. Times of fixes in ms since 1970; of
// the IMU besides in ns since the phone booted, which do not step. Axes of the phone: right, up, out of the
// screen. Speeds in m/s, accuracies at 68 %.
import Navigation

enum GnssLoggerImport {
  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    var drive = DriveImport(name: name)
    drive.isUTC = true
    drive.description.source = "Google GnssLogger"
    var log = Log(path: path)
    var rows = try TextRows(path: path, separator: .comma)
    while try rows.next(skippingComments: false) {
      do throws(DriveError) { try log.add(rows) } catch { log.rejections.reject(error) }
    }
    log.finish(&drive)
    try log.rejections.check()
    if drive.fixes.isEmpty, drive.inertial.isEmpty { throw .nothingToImport(path: path) }
    return drive
  }

  private struct Log {
    var rejections: ImportRejections
    private var heads: [String: ColumnIndex] = [:]
    private var fixes: [String: [GNSSFix]] = [:]
    private var gyroscope = TriadSeries()
    private var accelerometer = TriadSeries()
    private var offsets: [Int64] = []
    private var sky = GnssLoggerSky()
    /// Fixes that a program made up, by Android's account.
    private var mocked = 0

    init(path: String) { rejections = ImportRejections(file: path) }

    mutating func add(_ rows: borrowing TextRows) throws(DriveError) {
      let first = rows.text(0)
      guard !first.hasPrefix("#") else {
        let kind = String(first.dropFirst().drop { $0 == " " })
        if rows.count > 3, !kind.isEmpty { heads[kind] = ColumnIndex(rows) }
        return
      }
      guard let columns = heads[first] else { return }
      switch first {
      case "Fix": try addFix(rows, columns)
      case "UncalGyro", "Gyro":
        let (time, value) = try reading(rows, columns, "Gyro", "RadPerSec")
        gyroscope.append(time, value)
      case "UncalAccel", "Accel":
        let (time, value) = try reading(rows, columns, "Accel", "Mps2")
        accelerometer.append(time, value)
      case "Status", "Raw": try sky.add(rows, columns)
      default: return
      }
      rejections.accepted += 1
    }

    private mutating func addFix(_ rows: borrowing TextRows, _ columns: ColumnIndex) throws(DriveError) {
      if let mock = columns.find("MockLocation", "IsMockLocation"), ["1", "true"].contains(rows.text(mock)) {
        mocked += 1
        return
      }
      let time = try rows.time(
        try columns.require("UnixTimeMillis", "(UTC)TimeInMs"), "UnixTimeMillis", exponent: 6)
      func value(_ column: Int?, _ name: String) throws(DriveError) -> Double {
        guard let column else { return .nan }
        return try rows.number(column, name)
      }
      let accuracy = try value(columns.find("AccuracyMeters", "Accuracy"), "AccuracyMeters")
      let vertical = try value(columns.find("VerticalAccuracyMeters"), "VerticalAccuracyMeters")
      // 68 % of a circular normal distribution lie within 1.5096 standard deviations of an axis.
      let axis = accuracy / 1.5096
      var fix = GNSSFix(
        time: time,
        position: GeodeticPosition(
          latitudeDegrees: try rows.finite(
            try columns.require("LatitudeDegrees", "Latitude"), "LatitudeDegrees"),
          longitudeDegrees: try rows.finite(
            try columns.require("LongitudeDegrees", "Longitude"), "LongitudeDegrees"),
          height: try value(columns.find("AltitudeMeters", "Altitude"), "AltitudeMeters")),
        positionSigma: axis > 0 && axis.isFinite
          ? Vector3(axis, axis, vertical > 0 ? vertical : 2 * axis) : nil,
        velocityNED: Vector3(
          speed: try value(columns.find("SpeedMps", "Speed"), "SpeedMps"),
          courseDegrees: try value(columns.find("BearingDegrees"), "BearingDegrees"), down: .nan))
      let speed = try value(columns.find("SpeedAccuracyMps"), "SpeedAccuracyMps")
      if speed > 0, speed.isFinite { fix.speedSigma = speed }
      let course = try value(columns.find("BearingAccuracyDegrees"), "BearingAccuracyDegrees")
      if course > 0, course < 180 { fix.courseSigma = Angle.radians(degrees: course) }
      sky.lastTime = time
      fixes[rows.text(try columns.require("Provider")).uppercased(), default: []].append(fix)
    }

    private mutating func reading(
      _ rows: borrowing TextRows, _ columns: ColumnIndex, _ kind: String, _ unit: String
    ) throws(DriveError) -> (Timestamp, Vector3) {
      let wall = try rows.time(try columns.require("utcTimeMillis"), "utcTimeMillis", exponent: 6)
      let elapsed = try rows.time(
        try columns.require("elapsedRealtimeNanos"), "elapsedRealtimeNanos", exponent: 0)
      var values: [Double] = []
      for axis in ["X", "Y", "Z"] {
        guard let column = columns.find("Uncal\(kind)\(axis)\(unit)", "\(kind)\(axis)\(unit)") else {
          throw .line(
            rows.line, of: rows.path, "the header of \(rows.text(0)) has no column \(kind)\(axis)\(unit)")
        }
        values.append(try rows.finite(column, "\(kind)\(axis)"))
      }
      offsets.append(wall.nanoseconds &- elapsed.nanoseconds)
      return (elapsed, Vector3(values[0], values[1], values[2]))
    }

    mutating func finish(_ drive: inout DriveImport) {
      // Satellites alone where there are any: the phone's fused fixes use its IMU and Wi-Fi.
      let chosen = drive.most(fixes, "fixes", of: "provider", preferring: "GPS")
      drive.fixes = chosen.rows
      if !accelerometer.times.isEmpty {
        PairedTriads.addPhone(
          gyroscope: gyroscope, accelerometer: accelerometer, offsets: offsets, to: &drive)
      }
      if mocked > 0 {
        drive.notes.append("\(mocked) fixes that a program made up (MockLocation) were left out")
      }
      drive.sky = sky.samples
      drive.notes += sky.notes
      drive.description.gnss = "the phone's fixes by \(chosen.name ?? "nothing")"
      drive.rejections.append(rejections)
    }
  }
}
