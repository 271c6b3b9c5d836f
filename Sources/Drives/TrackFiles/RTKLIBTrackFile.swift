// Format: RTKLIB ver. 2.4.2 manual, appendix B.1, "Positioning Solution File". Lines of % are its header,
// whose last names the columns; times are GPST or UTC as a date and a time of day, or as week and time of
// week. Standard deviations of pairs, such as sdne, are the root of the covariance with its sign.
import Navigation

enum RTKLIBTrackFile {
  private struct Columns {
    /// Whether the times are GPS time.
    var isGPS = true
    /// Whether heights are above the geoid.
    var isAboveGeoid = false
    var names: [String: Int] = ["latitude": 2, "longitude": 3, "height": 4, "sdn": 7, "sde": 8, "sdu": 9]
    var count = 5

    subscript(_ name: String) -> Int? { names[name] }
  }

  static func isHeader(_ line: Substring) -> Bool {
    ["latitude(", "x-ecef(", "e-baseline("].contains { line.contains($0) }
  }

  /// `2019/05/01`.
  static func isDate(_ cell: Substring) -> Bool {
    let parts = cell.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].count == 4 && parts.allSatisfy { Int($0) != nil }
  }

  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .blanks)
    var columns = Columns()
    var hasHeader = false
    while try rows.next(skippingComments: false) {
      if rows.text(0).hasPrefix("%") {
        let cells = rows.texts
        if cells.contains(where: { $0.contains("/geodetic") }) { columns.isAboveGeoid = true }
        if cells.contains(where: { isHeader($0[...]) }) {
          try take(header: cells, &columns, rows)
          hasHeader = true
        }
        continue
      }
      reading.rejections.count { () throws(DriveError) in each(try point(rows, columns)) }
    }
    if !hasHeader {
      reading.notes.append("\(path): no header; the columns were taken for RTKLIB's usual ones, in GPS time")
    }
    if columns.isAboveGeoid {
      reading.notes.append("\(path): heights above the geoid were brought to the ellipsoid by EGM96")
    }
  }

  private static func take(
    header cells: [String], _ columns: inout Columns, _ rows: borrowing TextRows
  ) throws(DriveError) {
    let names = cells.flatMap { $0.split(separator: "%").map(String.init) }
    guard let label = names.first, ["GPST", "UTC"].contains(label) else {
      throw .line(rows.line, of: rows.path, "times in \(names.first ?? "nothing"); export GPST or UTC")
    }
    guard !names.contains(where: { $0.hasPrefix("e-baseline") }) else {
      throw .line(rows.line, of: rows.path, "baselines from a station; export latitude, longitude and height")
    }
    columns.isGPS = label == "GPST"
    columns.names = [:]
    // Date and time of day, or week and time of week.
    var place = 2
    for name in names.dropFirst() {
      columns.names[String(name.prefix { $0 != "(" })] = place
      place += name.contains("d'") ? 3 : 1
    }
    columns.count = columns["height"] ?? columns["z-ecef"] ?? 4
  }

  private static func point(_ rows: borrowing TextRows, _ columns: Columns) throws(DriveError)
    -> TrackFilePoint
  {
    guard rows.count > columns.count else { throw rows.wrongCount(columns.count + 1) }
    func number(_ name: String) -> Double {
      columns[name].flatMap { try? rows.number($0, name) }?.known ?? .nan
    }
    var point = TrackFilePoint(
      TruthSample(time: try time(rows, columns), position: try position(rows, columns)))
    (point.isUTC, point.isGPS) = (true, columns.isGPS)
    point.sample.velocityNED = Vector3(horizontal: number("vn"), number("ve"), down: -number("vu"))
    point.covariance = Matrix3(trackSigma: number("sdn"), number("sde"), number("sdu"))
    let pair = number("sdne")
    if pair.isFinite, let c = point.covariance {
      let ne = pair * abs(pair)
      point.covariance = Matrix3(columns: Vector3(c.x.x, ne, 0), Vector3(ne, c.y.y, 0), Vector3(0, 0, c.z.z))
    }
    return point
  }

  private static func position(_ rows: borrowing TextRows, _ columns: Columns) throws(DriveError)
    -> GeodeticPosition
  {
    if let x = columns["x-ecef"], let y = columns["y-ecef"], let z = columns["z-ecef"] {
      let ecef = Vector3(
        try rows.finite(x, "x-ecef"), try rows.finite(y, "y-ecef"), try rows.finite(z, "z-ecef"))
      guard ecef.norm > 6e6, ecef.norm < 1e8 else {
        throw .line(rows.line, of: rows.path, "no place near the Earth")
      }
      return WGS84.geodetic(ecef: ecef)
    }
    guard let latitude = columns["latitude"], let longitude = columns["longitude"],
      let height = columns["height"]
    else {
      throw .line(rows.line, of: rows.path, "neither latitude, longitude and height nor x-ecef; export these")
    }
    let isSexagesimal = longitude - latitude == 3
    guard
      var position = GeodeticPosition(
        trackLatitude: try rows.degrees(latitude, "latitude", isSexagesimal: isSexagesimal),
        longitude: try rows.degrees(longitude, "longitude", isSexagesimal: isSexagesimal),
        height: try rows.finite(height, "height"))
    else { throw .line(rows.line, of: rows.path, "no such latitude or longitude") }
    if columns.isAboveGeoid { position.height += EGM96.separation(position) }
    return position
  }

  private static func time(_ rows: borrowing TextRows, _ columns: Columns) throws(DriveError) -> Timestamp {
    if isDate(rows.text(0)[...]) {
      let text = rows.text(0).map { $0 == "/" ? "-" : $0 }
      guard let time = ImportTime.utc(calendar: String(text) + "T" + rows.text(1)) else {
        throw .line(rows.line, of: rows.path, "\"\(rows.text(0)) \(rows.text(1))\" is no time")
      }
      return columns.isGPS ? time.utcOfCalendarGPS : time
    }
    let week = try rows.finite(0, "week")
    let time = ImportTime.utc(week: Int64(exactly: week) ?? -1, timeOfWeek: try rows.time(1, "time of week"))
    guard time.nanoseconds != .max else { throw .line(rows.line, of: rows.path, "no such GPS week") }
    guard columns.isGPS else {
      throw .line(rows.line, of: rows.path, "week and seconds in UTC; export GPST, or a date")
    }
    return time
  }
}

extension Timestamp {
  /// UTC of a calendar time that was read as UTC and is GPS time.
  package var utcOfCalendarGPS: Timestamp {
    let leap = ImportTime.leapSeconds(unix: nanoseconds / 1_000_000_000)
    return Timestamp(nanoseconds: nanoseconds - leap * 1_000_000_000)
  }

  /// UTC of a calendar time that was read as GPS time and is UTC.
  package var utcOfCalendarUTC: Timestamp {
    let leap = ImportTime.leapSeconds(unix: nanoseconds / 1_000_000_000)
    return Timestamp(nanoseconds: nanoseconds + leap * 1_000_000_000)
  }
}

extension TextRows {
  /// Degrees in a cell, or degrees, minutes and seconds in three, the sign before the degrees.
  func degrees(_ first: Int, _ name: String, isSexagesimal: Bool) throws(DriveError) -> Double {
    let whole = try finite(first, name)
    guard isSexagesimal else { return whole }
    let rest = try finite(first + 1, name) / 60 + finite(first + 2, name) / 3600
    return text(first).hasPrefix("-") ? whole - rest : whole + rest
  }
}
