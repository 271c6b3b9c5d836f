import CLibrary
import Navigation
import SensorEvents

/// The fused position as NMEA 0183 sentences of talker GN: GGA, RMC, GST and VTG, 82 characters at most each.
///
/// GST holds standard deviations, as the standard has it. Dead reckoning says mode E and quality 6; RMC
/// stays A ("valid") then, as receivers with dead reckoning have it: gpsd and others drop the position
/// of a sentence that says V.
package enum NMEASentences {
  /// All sentences of one report, each ending in CR LF.
  ///
  /// GGA stands before RMC: of a GGA with fewer than three satellites gpsd 3.22 concludes that there is no
  /// fix, and of the RMC after it that there is one; the other way round it drops dead reckoning.
  package static func sentences(_ report: PositionReport) -> [UInt8] {
    var text = ASCIIText()
    for body in [gga(report), rmc(report), gst(report), vtg(report)] {
      guard let body else { continue }
      append(body, to: &text)
    }
    return text.bytes
  }

  /// Puts `$`, the checksum (the exclusive or of what stands between `$` and `*`) and CR LF round a body.
  private static func append(_ body: Sentence, to text: inout ASCIIText) {
    let bytes = body.text.bytes
    let checksum = bytes.reduce(0, ^)
    text.append("$")
    text.append(contentsOf: bytes[...])
    text.append("*")
    let digits = Array("0123456789ABCDEF".utf8)
    text.append(digits[Int(checksum >> 4)])
    text.append(digits[Int(checksum & 15)])
    text.append("\r\n")
  }

  /// Time, position, speed, course and date.
  private static func rmc(_ report: PositionReport) -> Sentence? {
    var sentence = Sentence("GNRMC")
    let solution = report.usableSolution
    let time = report.utcNanoseconds.map { CalendarTime(utcNanoseconds: $0, decimals: 2) }
    sentence.time(time)
    sentence.field(solution == nil ? "V" : "A")
    sentence.position(solution)
    sentence.number(solution.map { $0.speed * knotsPerMetrePerSecond }, decimals: 3)
    sentence.course(solution)
    sentence.date(time)
    sentence.field("")  // Magnetic variation and its side.
    sentence.field("")
    sentence.field(modeIndicator(report))
    return sentence
  }

  /// Time, position, quality and height.
  private static func gga(_ report: PositionReport) -> Sentence? {
    var sentence = Sentence("GNGGA")
    let solution = report.usableSolution
    sentence.time(report.utcNanoseconds.map { CalendarTime(utcNanoseconds: $0, decimals: 2) })
    sentence.position(solution)
    sentence.field(quality(report))
    // In dead reckoning no satellite is behind the position.
    let sky = report.isAided ? report.sky : nil
    sentence.integer(solution == nil ? 0 : min(99, max(0, sky?.used ?? 0)), digits: 2)
    sentence.number(
      solution.map { min(99.99, max(0.01, sky?.hdop ?? $0.horizontalAccuracy95 / metresPerDilution)) },
      decimals: 2)
    let height = report.heightAboveSeaLevel
    sentence.number(height, decimals: 1)
    sentence.field(height == nil ? "" : "M")
    sentence.number(height == nil ? nil : report.geoidSeparation, decimals: 1)
    sentence.field(height == nil ? "" : "M")
    sentence.field("")  // Age of the corrections and their station.
    sentence.field("")
    return sentence
  }

  /// Standard deviations of the position in metres: the error ellipse, then latitude, longitude and height.
  private static func gst(_ report: PositionReport) -> Sentence? {
    guard let solution = report.usableSolution else { return nil }
    var sentence = Sentence("GNGST")
    let p = solution.positionCovariance
    let mean = (p.x.x + p.y.y) / 2
    let half = (((p.x.x - p.y.y) / 2) * ((p.x.x - p.y.y) / 2) + p.x.y * p.x.y).squareRoot()
    // The major axis from north towards east, of the two ends the one in 0 ..< 180.
    var axis = Angle.degrees(radians: 0.5 * atan2(2 * p.x.y, p.x.x - p.y.y))
    if axis < 0 { axis += 180 }
    sentence.time(report.utcNanoseconds.map { CalendarTime(utcNanoseconds: $0, decimals: 2) })
    sentence.field("")  // RMS of the ranges: there are none.
    sentence.number(max(0, mean + half).squareRoot(), decimals: 2)
    sentence.number(max(0, mean - half).squareRoot(), decimals: 2)
    sentence.number(axis >= 179.95 ? 0 : axis, decimals: 1)
    sentence.number(max(0, p.x.x).squareRoot(), decimals: 2)
    sentence.number(max(0, p.y.y).squareRoot(), decimals: 2)
    sentence.number(report.fixMode == .full ? solution.verticalAccuracy : nil, decimals: 2)
    return sentence
  }

  /// Course and speed.
  private static func vtg(_ report: PositionReport) -> Sentence? {
    var sentence = Sentence("GNVTG")
    let solution = report.usableSolution
    sentence.course(solution)
    sentence.field(solution == nil ? "" : "T")
    sentence.field("")  // Magnetic course.
    sentence.field(solution == nil ? "" : "M")
    sentence.number(solution.map { $0.speed * knotsPerMetrePerSecond }, decimals: 3)
    sentence.field(solution == nil ? "" : "N")
    sentence.number(solution.map { $0.speed * 3.6 }, decimals: 3)
    sentence.field(solution == nil ? "" : "K")
    sentence.field(modeIndicator(report))
    return sentence
  }

  /// A autonomous, D differential, E estimated (dead reckoning), S simulated, N none.
  private static func modeIndicator(_ report: PositionReport) -> String {
    guard report.usableSolution != nil else { return "N" }
    if report.isSimulated { return "S" }
    return report.isAided ? (report.isCorrected ? "D" : "A") : "E"
  }

  /// GGA's quality: 0 none, 1 fix, 2 differential, 6 estimated, 8 simulated.
  private static func quality(_ report: PositionReport) -> String {
    switch modeIndicator(report) {
    case "A": "1"
    case "D": "2"
    case "E": "6"
    case "S": "8"
    default: "0"
    }
  }

  /// Programs that read no GST take the accuracy from the dilution of precision, and an empty one for a
  /// perfect one (GeoClue). Where satellites give none, it states the radius of 95 % in the measure that gpsd
  /// 3.22 turns it back by: 19 m.
  private static let metresPerDilution = 19.0

  /// A nautical mile is 1852 m.
  private static let knotsPerMetrePerSecond = 3600.0 / 1852
}
