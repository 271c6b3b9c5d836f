// Format: KITTI raw data development kit, dataformat.txt and readme (Geiger et al. 2013, "Vision meets
// robotics"). oxts/timestamps.txt has a line of UTC a frame, oxts/data/NNNNNNNNNN.txt 30 numbers a frame.
// Body axes are forward, left, up; roll is positive with the left side up, pitch with the front down, yaw
// from east counter-clockwise.
import Navigation

enum KITTIImport {
  /// The places of the values that are used, from 0.
  private enum Field {
    static let latitude = 0, longitude = 1, altitude = 2, roll = 3, pitch = 4, yaw = 5
    static let north = 6, east = 7, up = 10
    static let acceleration = 11, rate = 17, positionAccuracy = 23, velocityAccuracy = 24, satellites = 26
    static let count = 30
  }
  /// The oxts unit's position stands in for a receiver's once so many seconds.
  private static let fixPeriod = 1.0

  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    let folder = Folder.exists("\(path)/oxts/timestamps.txt") ? path + "/oxts" : path
    try Folder.require(folder)
    guard Folder.exists(folder + "/timestamps.txt") else {
      throw .missingPart(path: folder, part: "timestamps.txt (or oxts/timestamps.txt)")
    }
    var drive = DriveImport(name: name)
    drive.isUTC = true
    var rejections = ImportRejections(file: folder + "/data")
    let times = try timestamps(folder + "/timestamps.txt", &drive)
    let files = try Folder.entries(of: folder + "/data").filter { $0.hasSuffix(".txt") }
    guard !files.isEmpty else { throw .missingPart(path: folder, part: "data/0000000000.txt and on") }
    var nextFix: Timestamp?
    for file in files {
      let path = "\(folder)/data/\(file)"
      guard let frame = Int(file.dropLast(4)), let time = times[frame] else {
        rejections.reject(
          .malformedFile(file: path, reason: "timestamps.txt has no good line for it (line is number + 1)"))
        continue
      }
      do throws(DriveError) {
        let values = try values(path)
        drive.inertial.append(
          InertialSample(
            time: time, angularRate: vector(values, Field.rate),
            specificForce: vector(values, Field.acceleration)))
        drive.truth.append(truth(values, time))
        if nextFix.map({ time >= $0 }) ?? true, values[Field.satellites] >= 4 {
          drive.fixes.append(fix(values, time))
          nextFix = time.advanced(bySeconds: fixPeriod - 0.005)
        }
        rejections.accepted += 1
      } catch { rejections.reject(error) }
    }
    drive.rejections.append(rejections)
    try rejections.check()
    describe(&drive)
    return drive
  }

  private static func describe(_ drive: inout DriveImport) {
    drive.description.source = "KITTI raw, oxts"
    drive.description.licence = "CC BY-NC-SA 3.0"
    drive.description.redistributable = false
    drive.description.imu = .init(model: "OXTS RT3003", frame: "FLU")
    drive.description.antennaLeverArm = .zero
    drive.description.gnss =
      "the oxts unit's own filtered position and velocity, 1 Hz: there are no raw fixes; degrade or cut them to make a test"
    drive.description.truth = .init(
      reference: "imu", horizontalSigmaMetres: nil, yaw: "oxts, with roll and pitch", independentOfGNSS: false
    )
  }

  private static func timestamps(
    _ path: String, _ drive: inout DriveImport
  ) throws(DriveError) -> [Int: Timestamp] {
    var lines = try LineReader(path: path)
    var rejections = ImportRejections(file: path)
    var times: [Int: Timestamp] = [:]
    while let line = try lines.next() {
      let text = Decimal.trimmed(line)
      if let time = ImportTime.utc(calendar: text) {
        // A frame's number is its line's, from 0.
        times[lines.line - 1] = time
        rejections.accepted += 1
      } else {
        rejections.reject(
          .notANumber(file: path, line: lines.line, column: "time", text: String(text.prefix(40))))
      }
    }
    drive.rejections.append(rejections)
    try rejections.check()
    return times
  }

  private static func values(_ path: String) throws(DriveError) -> [Double] {
    var rows = try TextRows(path: path, separator: .blanks)
    guard try rows.next() else { throw .emptyFile(file: path) }
    guard rows.count >= Field.count else { throw rows.wrongCount(Field.count) }
    var values: [Double] = []
    for i in 0..<Field.count { values.append(try rows.finite(i, "\(i + 1)")) }
    return values
  }

  private static func vector(_ values: [Double], _ first: Int) -> Vector3 {
    Vector3(values[first], values[first + 1], values[first + 2])
  }

  private static func position(_ values: [Double]) -> GeodeticPosition {
    GeodeticPosition(
      latitudeDegrees: values[Field.latitude], longitudeDegrees: values[Field.longitude],
      height: values[Field.altitude])
  }

  private static func velocity(_ values: [Double]) -> Vector3 {
    Vector3(values[Field.north], values[Field.east], -values[Field.up])
  }

  private static func truth(_ values: [Double], _ time: Timestamp) -> TruthSample {
    // Turned half about forward, left and up become right and down: pitch changes its sign, roll keeps it.
    TruthSample(
      time: time, position: position(values), velocityNED: velocity(values), roll: values[Field.roll],
      pitch: -values[Field.pitch], yaw: Angle.wrapped(.pi / 2 - values[Field.yaw]))
  }

  private static func fix(_ values: [Double], _ time: Timestamp) -> GNSSFix {
    let sigma = values[Field.positionAccuracy]
    var fix = GNSSFix(
      time: time, position: position(values),
      positionSigma: sigma > 0 ? Vector3(sigma, sigma, 2 * sigma) : nil, velocityNED: velocity(values))
    if values[Field.velocityAccuracy] > 0 { fix.speedSigma = values[Field.velocityAccuracy] }
    return fix
  }
}
