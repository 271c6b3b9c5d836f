// Format: NovAtel OEM7 Commands and Logs Reference Manual, "ASCII" (header of ten cells, a semicolon, the
// log's cells, a star and the checksum), BESTPOS, INSPVA, INSPVAX. The header has week and time of week in
// its sixth and seventh cell. Heights of BESTPOS and INSPVAX are above the geoid, the undulation beside them.
import LinearAlgebra
import Navigation

enum NovAtelTrackFile {
  private static let logs = ["BESTPOSA", "INSPVAA", "INSPVAXA"]

  static func isLog(_ line: Substring) -> Bool { logs.contains { line.hasPrefix("#" + $0 + ",") } }

  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var lines = try LineReader(path: path)
    var kind: Substring?
    var others = 0
    while let bytes = try lines.next() {
      let text = String(decoding: bytes, as: UTF8.self)
      guard isLog(text[...]) else { continue }
      let name = text.dropFirst().prefix { $0 != "," }
      kind = kind ?? name
      // A receiver that logs several has the same place in each.
      guard name == kind else {
        others += 1
        continue
      }
      do throws(DriveError) {
        if let point = try point(text, of: name, line: lines.line, path) {
          each(point)
          reading.rejections.accepted += 1
        }
      } catch { reading.rejections.reject(error) }
    }
    if others > 0, let kind {
      reading.notes.append("\(path): \(others) logs other than \(kind) were left out")
    }
  }

  /// Nil where the log says that there is no solution.
  private static func point(
    _ text: String, of log: Substring, line: Int, _ path: String
  ) throws(DriveError) -> TrackFilePoint? {
    let halves = text.split(separator: ";", maxSplits: 1)
    let head = halves[0].split(separator: ",", omittingEmptySubsequences: false)
    let body =
      halves.count < 2
      ? [] : halves[1].prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false)
    let needed = ["BESTPOSA": 10, "INSPVAA": 12, "INSPVAXA": 21][String(log)] ?? 0
    guard head.count >= 7, body.count >= needed else { throw .line(line, of: path, "this \(log) is cut off") }
    func number(_ cells: [Substring], _ index: Int) -> Double { Double(cells[index])?.known ?? .nan }
    let isINS = log != "BESTPOSA"
    let isSolved =
      isINS ? String(body[log == "INSPVAA" ? 11 : 0]).contains("SOLUTION") : body[0] == "SOL_COMPUTED"
    // Week, seconds, latitude and so on of INSPVA; two cells of state before these in the others.
    let first = 2
    guard isSolved else { return nil }
    let (week, seconds) = isINS && log == "INSPVAA" ? (body[0], body[1]) : (head[5], head[6])
    guard let week = Int64(week), let seconds = Double(seconds),
      case let time = ImportTime.utc(week: week, timeOfWeek: Timestamp(seconds: seconds)),
      time.nanoseconds != .max,
      let position = GeodeticPosition(
        trackLatitude: number(body, first), longitude: number(body, first + 1),
        height: number(body, first + 2) + (log == "INSPVAA" ? 0 : number(body, first + 3)))
    else { throw .line(line, of: path, "week, time or place of this \(log) is none") }
    var point = TrackFilePoint(TruthSample(time: time, position: position))
    (point.isUTC, point.isGPS) = (true, true)
    if !isINS {
      point.covariance = Matrix3(trackSigma: number(body, 7), number(body, 8), number(body, 9))
      return point
    }
    let v = log == "INSPVAA" ? 5 : 6
    point.sample.velocityNED = Vector3(
      horizontal: number(body, v), number(body, v + 1), down: -number(body, v + 2))
    let angles = (0..<3).map { number(body, v + 3 + $0).known.map { Angle.radians(degrees: $0) } }
    (point.sample.roll, point.sample.pitch, point.sample.yaw) = (angles[0], angles[1], angles[2])
    if log == "INSPVAXA" {
      point.covariance = Matrix3(trackSigma: number(body, 12), number(body, 13), number(body, 14))
    }
    return point
  }
}
