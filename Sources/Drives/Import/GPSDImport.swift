// Format: gpsd_json(5), gpspipe(1). One JSON object a line, `class` says what; gpspipe -t, -u, -uu and -Z
// put the time of arrival and a colon before it. Heights: altHAE above the ellipsoid, altMSL above sea
// level, geoidSep between them.
import Essentials
import Navigation

enum GPSDImport {
  /// Reads a file of JSON lines.
  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    var drive = DriveImport(name: name)
    drive.isUTC = true
    drive.description.source = "gpsd"
    try readFixes(path, into: &drive)
    return drive
  }

  /// Adds the fixes of one receiver: of several the one with the most.
  static func readFixes(_ path: String, into drive: inout DriveImport) throws(DriveError) {
    var lines = try LineReader(path: path)
    var rejections = ImportRejections(file: path)
    var log = GPSDLog()
    while let bytes = try lines.next() {
      guard let line = GPSDLine(bytes) else {
        // The greeting of gpspipe's raw mode, a log's comments: not JSON, and not meant to be.
        if bytes[0] == UInt8(ascii: "#") || bytes[0] == UInt8(ascii: "$") {
          log.otherLines += 1
        } else {
          rejections.reject(
            .malformedFile(
              file: path, reason: "line \(lines.line): no JSON object of gpsd: \(excerpt(bytes))"))
        }
        continue
      }
      rejections.accepted += 1
      log.add(line)
    }
    drive.rejections.append(rejections)
    try rejections.check()
    log.finish(into: &drive)
    if drive.fixes.isEmpty, drive.inertial.isEmpty { throw .nothingToImport(path: path) }
  }

  private static func excerpt(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    "\"" + String(decoding: bytes.prefix(40), as: UTF8.self) + "\""
  }
}

/// A report, and when it came where gpspipe says so.
struct GPSDLine {
  var report: GPSDReport
  var received: Timestamp?

  init?(_ line: UnsafeBufferPointer<UInt8>) {
    guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    guard let report = try? JSONDecoder().decode(GPSDReport.self, from: Data(line[brace...])) else {
      return nil
    }
    self.report = report
    received = Self.arrival(String(decoding: line[..<brace], as: UTF8.self)) ?? report.sent
  }

  /// `2026-11-21 22:25:22.202021: `, and with -uu `2026-11-21 22:25:22 1795299922.202020: `. Whole seconds
  /// alone are too coarse to be of use.
  private static func arrival(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ").map { $0.last == ":" ? $0.dropLast() : $0 }
    guard let last = words.last, last.contains(".") else { return nil }
    if words.count >= 2, let time = ImportTime.utc(calendar: words.suffix(2).joined(separator: " ")) {
      return time
    }
    if let time = ImportTime.utc(calendar: last) { return time }
    return Double(last).map { Timestamp(seconds: $0) }
  }
}

/// What is used of a report, of whatever class.
struct GPSDReport: Decodable {
  var `class`: String
  var device: String?
  var mode: Int?
  var status: Int?
  var time: String?
  /// When gpsd handed it on, with gpspipe -p.
  var rtime: Double?
  var lat, lon: Double?
  var alt, altHAE, altMSL, geoidSep: Double?
  var track, speed, velN, velE, velD: Double?
  var eph, epx, epy, epv: Double?
  var hdop: Double?
  var satellites: [Satellite]?

  /// One satellite of a SKY; versions before 3.19 have the number of NMEA alone.
  struct Satellite: Decodable {
    var PRN: Int?
    var gnssid, svid: Int?
    var el, az, ss: Double?
    var used: Bool?

    func sample(at time: Timestamp) -> SatelliteSample? {
      var sample: SatelliteSample?
      if let gnssid, let svid, (0...7).contains(gnssid), (1...999).contains(svid) {
        sample = SatelliteSample(time: time, constellation: UInt8(gnssid), number: Int16(svid))
      } else {
        sample = PRN.flatMap { SatelliteNumber.satellite($0, of: nil, at: time) }
      }
      sample?.elevationDegrees = el.flatMap { abs($0) <= 90 ? $0 : nil }
      sample?.azimuthDegrees = az.flatMap { (0...360).contains($0) ? $0 : nil }
      sample?.strength = ss.flatMap { $0 > 0 && $0 < 100 ? $0 : nil }
      sample?.isUsed = used
      return sample
    }
  }

  var sent: Timestamp? { rtime.map { Timestamp(seconds: $0) } }
}
