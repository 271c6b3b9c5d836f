// Format: NovAtel OEM7 Commands and Logs Reference Manual, "ASCII" (header of ten cells, a semicolon, the
// log's cells, a star and the checksum) and "Abbreviated/short header" (a per cent sign, three cells: name,
// week, time of week), BESTPOS, BESTGNSSPOS, INSPVA, INSPVAS, INSPVAX, "32-bit CRC". A long header has week
// and time of week in its sixth and seventh cell, and in its fifth how well the time is known. Heights of
// BESTPOS and INSPVAX are above the geoid, the undulation beside them. Of the states of the inertial solution
// those that have one are INS_SOLUTION_GOOD, INS_HIGH_VARIANCE (INS_SOLUTION_NOT_GOOD of old),
// INS_SOLUTION_FREE and INS_ALIGNMENT_COMPLETE.
import Navigation

enum NovAtelTrackFile {
  /// Each log, and the cells that it has at least.
  private static let logs = [
    "BESTPOSA": 10, "BESTGNSSPOSA": 10, "INSPVAA": 12, "INSPVASA": 12, "INSPVAXA": 21,
  ]

  static func isLog(_ line: Substring) -> Bool {
    guard let mark = line.first, mark == "#" || mark == "%" else { return false }
    let name = line.dropFirst().prefix { $0 != "," }
    return logs[String(name)] != nil && (mark == "%") == (name == "INSPVASA")
  }

  /// The CRC of NovAtel's logs: polynomial EDB88320, from 0, not inverted at the end.
  private static func crc(_ text: some StringProtocol) -> UInt32 {
    text.utf8.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }

  /// What a line says between its mark and its checksum.
  private static func checked(_ text: String, _ log: Substring, line: Int, _ path: String) throws(DriveError)
    -> Substring
  {
    let parts = text.dropFirst().split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .line(line, of: path, "this \(log) is cut off") }
    guard let stated = UInt32(parts[1].prefix { !$0.isWhitespace }, radix: 16), stated == crc(parts[0]) else {
      throw .line(line, of: path, "the checksum of this \(log) is wrong")
    }
    return parts[0]
  }

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
    let halves = try checked(text, log, line: line, path).split(separator: ";", maxSplits: 1)
    let head = halves[0].split(separator: ",", omittingEmptySubsequences: false)
    let body = halves.count < 2 ? [] : halves[1].split(separator: ",", omittingEmptySubsequences: false)
    let isShort = log == "INSPVASA"
    guard head.count >= (isShort ? 3 : 7), body.count >= logs[String(log)] ?? 0 else {
      throw .line(line, of: path, "this \(log) is cut off")
    }
    func number(_ cells: [Substring], _ index: Int) -> Double { Double(cells[index])?.known ?? .nan }
    let isINS = log.hasPrefix("INS")
    let isINSPVA = log == "INSPVAA" || isShort
    guard isSolved(isINSPVA ? body[11] : body[0]), isShort || head[4] != "UNKNOWN" else { return nil }
    // Week, seconds, latitude and so on of INSPVA; two cells of state before these in the others.
    let first = 2
    let (week, seconds) = isINSPVA ? (body[0], body[1]) : (head[5], head[6])
    guard let week = Int64(week), let seconds = Double(seconds),
      case let time = ImportTime.utc(week: week, timeOfWeek: Timestamp(seconds: seconds)),
      time.nanoseconds != .max,
      let position = GeodeticPosition(
        trackLatitude: number(body, first), longitude: number(body, first + 1),
        height: number(body, first + 2) + (isINSPVA ? 0 : number(body, first + 3)))
    else { throw .line(line, of: path, "week, time or place of this \(log) is not a number in its range") }
    var point = TrackFilePoint(TruthSample(time: time, position: position))
    (point.isUTC, point.isGPS) = (true, true)
    if !isINS {
      point.covariance = Matrix3(trackSigma: number(body, 7), number(body, 8), number(body, 9))
      return point
    }
    let v = isINSPVA ? 5 : 6
    point.sample.velocityNED = Vector3(
      horizontal: number(body, v), number(body, v + 1), down: -number(body, v + 2))
    let angles = (0..<3).map { number(body, v + 3 + $0).known.map { Angle.radians(degrees: $0) } }
    (point.sample.roll, point.sample.pitch, point.sample.yaw) = (angles[0], angles[1], angles[2])
    if log == "INSPVAXA" {
      point.covariance = Matrix3(trackSigma: number(body, 12), number(body, 13), number(body, 14))
    }
    return point
  }

  private static func isSolved(_ state: Substring) -> Bool {
    state == "SOL_COMPUTED" || state.hasPrefix("INS_SOLUTION") || state == "INS_HIGH_VARIANCE"
      || state == "INS_ALIGNMENT_COMPLETE"
  }
}
