// Format: GPX 1.1 schema of Topografix, and 1.0 for speed and course. `ele` is above mean sea level;
// `geoidheight` or EGM96 bring it to the ellipsoid. Extensions are known by their names alone: those of our
// own tracks, and speed and course of any.
import Navigation

enum GPXTrackFile {
  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var xml = try XMLScanner(path: path)
    var values: [String: String]?
    var byModel = 0
    while let event = try xml.next() {
      switch event {
      case .start("gpx", let attributes):
        reading.isMadeByReckon = attribute("creator", attributes) == GPXText.creator
      case .start("trkpt", let attributes):
        values = ["lat": attribute("lat", attributes), "lon": attribute("lon", attributes)].compactMapValues(
          \.self)
      case .end("trkpt"):
        guard let found = values else { continue }
        values = nil
        reading.rejections.count { () throws(DriveError) in
          each(try point(found, line: xml.line, path, &byModel))
        }
      case .end(let name): values?[name] = trimmed(xml.text)
      case .start: break
      }
    }
    if values != nil { reading.notes.append("\(path): the file ends within a point; it was cut off") }
    if byModel > 0 {
      reading.notes.append(
        "\(path): \(byModel) heights above sea level were brought to the ellipsoid by EGM96")
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The value of one attribute, in quotes of either kind.
  private static func attribute(_ name: String, _ text: String) -> String? {
    var rest = text[...]
    while let equals = rest.firstIndex(of: "=") {
      let found = trimmed(String(rest[..<equals]))
      let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let quote = value.first, quote == "\"" || quote == "'",
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      if found == name { return String(value.dropFirst()[..<end]) }
      rest = value[value.index(after: end)...]
    }
    return nil
  }

  private static func point(
    _ values: [String: String], line: Int, _ path: String, _ byModel: inout Int
  ) throws(DriveError) -> TrackFilePoint {
    func number(_ name: String) -> Double { values[name].flatMap(Double.init)?.known ?? .nan }
    guard
      var position = GeodeticPosition(
        trackLatitude: number("lat"), longitude: number("lon"), height: number("height_m"))
    else { throw .line(line, of: path, "a point without a latitude and longitude in degrees") }
    if position.height.isNaN, number("ele").isFinite {
      let stated = number("geoidheight")
      if stated.isNaN { byModel += 1 }
      position.height = number("ele") + (stated.isNaN ? EGM96.separation(position) : stated)
    }
    let utc = values["time"].flatMap { ImportTime.utc(zoned: $0) }
    guard let time = utc ?? number("time_s").known.map({ Timestamp(seconds: $0) }) else {
      throw .line(
        line, of: path,
        "a point without a time such as 2026-03-01T12:00:00Z; a track without times cannot be scored")
    }
    let angles = ["roll_deg", "pitch_deg", "yaw_deg"].map { name in
      number(name).known.map { Angle.radians(degrees: $0) }
    }
    var point = TrackFilePoint(
      TruthSample(
        time: time, position: position,
        velocityNED: Vector3(
          horizontal: number("velocity_north_m_s"), number("velocity_east_m_s"),
          down: number("velocity_down_m_s"))
          ?? Vector3(speed: number("speed"), courseDegrees: number("course"), down: .nan),
        roll: angles[0], pitch: angles[1], yaw: angles[2]))
    point.isUTC = utc != nil
    point.covariance = Matrix3(trackCovariance: TrackFilePoint.covarianceColumns.map(number))
    point.radius68 = number("horizontal_accuracy_68_m").known
    point.radius95 = number("horizontal_accuracy_95_m").known
    return point
  }
}

extension ImportTime {
  /// UTC of a calendar time with Z or an offset such as +02:00 behind it.
  static func utc(zoned text: String) -> Timestamp? {
    if let time = utc(calendar: text) { return time }
    let zone = text.suffix(6)
    guard text.utf8.count > 6, zone.utf8.count == 6, zone.first == "+" || zone.first == "-",
      zone.dropFirst(3).first == ":", let hours = Int64(zone.dropFirst().prefix(2)),
      let minutes = Int64(zone.suffix(2)),
      let local = utc(calendar: text.dropLast(6))
    else { return nil }
    let offset = (hours * 3600 + minutes * 60) * 1_000_000_000
    return Timestamp(nanoseconds: local.nanoseconds - (zone.first == "-" ? -offset : offset))
  }
}
