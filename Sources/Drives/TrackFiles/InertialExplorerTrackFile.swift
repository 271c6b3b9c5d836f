// Format: what Inertial Explorer's export wizard writes by a profile: prose, a line of names, a line of their
// units in brackets (a column without unit has none), then rows by blanks. Names are of Inertial Explorer
// 8.90's manual, "Export Wizard, output variables"; what a profile leaves out is not known. SDNorth and the
// like are standard deviations in metres. The time is a week with the seconds of it, or a date (MDY or
// YMD) with seconds of the week, seconds of the day, or hours, minutes and seconds, in GPS time
// (GPSTime, CorrTime) or UTC.
import Navigation

enum InertialExplorerTrackFile {
  private struct Columns {
    var places: [String: Int] = [:]
    var units: [String: String] = [:]
    var count = 0

    subscript(_ names: String...) -> Int? { names.lazy.compactMap { self.places[$0] }.first }
  }

  static func isHeader(_ line: Substring) -> Bool {
    let names = Set(line.split { $0 == " " || $0 == "\t" || $0 == "," }.map { ColumnIndex.plain(String($0)) })
    return names.contains("latitude") && names.contains("longitude")
  }

  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var lines = try LineReader(path: path)
    var names: String?
    while let line = try lines.next() {
      let text = String(decoding: line, as: UTF8.self)
      if isHeader(text[...]) {
        names = text
        break
      }
    }
    guard let names else { throw .emptyTrack(file: path) }
    let header = lines.line
    var columns: Columns?
    var rows = try TextRows(path: path, separator: names.contains(",") ? .comma : .blanks)
    while try rows.next(skippingComments: false) {
      if rows.line <= header { continue }
      if columns == nil {
        let hasUnits = rows.texts.contains { $0.hasPrefix("(") }
        columns = try self.columns(names, units: hasUnits ? try line(header + 1, of: path) : nil)
        if hasUnits { continue }
      }
      guard let columns else { continue }
      reading.rejections.count { () throws(DriveError) in each(try point(rows, columns)) }
    }
  }

  /// The text of one line.
  private static func line(_ number: Int, of path: String) throws(DriveError) -> String {
    var lines = try LineReader(path: path)
    while let line = try lines.next() {
      if lines.line >= number { return String(decoding: line, as: UTF8.self) }
    }
    return ""
  }

  /// Names and units stand above each other.
  private static func columns(_ names: String, units: String?) throws(DriveError) -> Columns {
    let words = spans(names) { $0 == " " || $0 == "\t" || $0 == "," }
    var columns = Columns()
    var unitOf = [String](repeating: "", count: words.count)
    for unit in bracketed(units ?? "") {
      let middle = { (range: Range<Int>) in Double(range.lowerBound + range.upperBound) / 2 }
      let nearest = words.indices.min {
        abs(middle(words[$0].range) - middle(unit.range)) < abs(middle(words[$1].range) - middle(unit.range))
      }
      if let nearest { unitOf[nearest] = unit.text.uppercased() }
    }
    for (word, unit) in zip(words, unitOf) {
      let name = ColumnIndex.plain(word.text)
      columns.places[name] = columns.count
      columns.units[name] = unit
      columns.count += unit.contains("D M S") ? 3 : unit.contains("D M") ? 2 : 1
    }
    return columns
  }

  private static func spans(_ text: String, _ isBlank: (Character) -> Bool) -> [(
    text: String, range: Range<Int>
  )] {
    var words: [(String, Range<Int>)] = []
    var word = ""
    for (i, character) in (text + " ").enumerated() {
      if isBlank(character) {
        if !word.isEmpty { words.append((word, i - word.count..<i)) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return words
  }

  private static func bracketed(_ text: String) -> [(text: String, range: Range<Int>)] {
    var units: [(String, Range<Int>)] = []
    var start: Int?
    let characters = Array(text)
    for (i, character) in characters.enumerated() {
      if character == "(" { start = i }
      if character == ")", let from = start {
        units.append((String(characters[from + 1..<i]), from..<i + 1))
        start = nil
      }
    }
    return units
  }

  private static func point(_ rows: borrowing TextRows, _ columns: Columns) throws(DriveError)
    -> TrackFilePoint
  {
    guard rows.count >= columns.count else { throw rows.wrongCount(columns.count) }
    func number(_ name: String) -> Double {
      columns[name].flatMap { try? rows.number($0, name) }?.known ?? .nan
    }
    /// Metres a second; a profile may export others.
    func speed(_ name: String) -> Double {
      let unit = columns.units[name] ?? ""
      let isOther = unit.contains("/") && unit != "M/S" || unit == "KNOTS" || unit == "MPH"
      return isOther ? .nan : number(name)
    }
    // Above the ellipsoid, or above the geoid with its undulation beside it.
    let height = number("hell").known ?? number("hmsl") + number("undulation")
    guard let latitude = columns["latitude"], let longitude = columns["longitude"] else {
      throw rows.wrongCount(columns.count)
    }
    let isSexagesimal = columns.units["latitude"]?.contains("D M S") == true
    guard
      let position = GeodeticPosition(
        trackLatitude: try rows.degrees(latitude, "Latitude", isSexagesimal: isSexagesimal),
        longitude: try rows.degrees(longitude, "Longitude", isSexagesimal: isSexagesimal),
        height: height)
    else { throw .line(rows.line, of: rows.path, "no such latitude or longitude") }
    let angles = ["roll", "pitch", "heading"].map { name in
      number(name).known.map { Angle.radians(degrees: $0) }
    }
    var point = TrackFilePoint(
      TruthSample(
        time: try time(rows, columns), position: position, roll: angles[0], pitch: angles[1], yaw: angles[2]))
    (point.isUTC, point.isGPS) = (true, columns["gpstime", "gpsseconds", "corrtime"] != nil)
    point.covariance = Matrix3(trackSigma: number("sdnorth"), number("sdeast"), number("sdheight"))
    if let v = Vector3(horizontal: speed("vnorth"), speed("veast"), down: -speed("vup")) {
      point.sample.velocityNED = v
    } else if let roll = angles[0], let pitch = angles[1], let yaw = angles[2] {
      // Right, forward, up to forward, right, down.
      let body = Vector3(speed("velbdyy"), speed("velbdyx"), -speed("velbdyz"))
      if body.isFinite { point.sample.velocityNED = Quaternion(roll: roll, pitch: pitch, yaw: yaw) * body }
    }
    return point
  }

  private static func time(_ rows: borrowing TextRows, _ columns: Columns) throws(DriveError) -> Timestamp {
    let gps = columns["gpstime", "gpsseconds", "corrtime"]
    if let week = columns["week", "gpsweek"], let gps {
      let number = Int64(exactly: try rows.finite(week, "Week")) ?? -1
      let time = ImportTime.utc(week: number, timeOfWeek: try rows.time(gps, "GPSTime"))
      if time.nanoseconds != .max { return time }
    }
    if let utc = columns["utctime"], let time = try? rows.time(utc, "UTCTime"), time.seconds > 3e8 {
      return time
    }
    if let place = columns["date", "gpsdate"],
      let day = day(rows.text(place), columns.units["date"] ?? columns.units["gpsdate"] ?? ""), let gps,
      let second = secondOfDay(rows, gps, of: day)
    {
      // GPS time counts no leap second, so a date of it is a number of days.
      let gpsEpoch = 3_657 * 86_400 * Int64(1_000_000_000)
      return ImportTime.utc(
        gps: Timestamp(nanoseconds: day * 86_400_000_000_000 - gpsEpoch + second.nanoseconds))
    }
    if let place = columns["utcdate"], let day = day(rows.text(place), columns.units["utcdate"] ?? ""),
      let utc = columns["utctime"], let second = secondOfDay(rows, utc, of: day)
    {
      return Timestamp(nanoseconds: day * 86_400_000_000_000 + second.nanoseconds)
    }
    throw .line(
      rows.line, of: rows.path,
      "the week or date of the time is not known; export the columns Week and GPSTime, or Date and GPSTime")
  }

  /// Days since 1970 of `4/28/2019`, `2019/04/28` or `28-04-2019`, as the unit says.
  private static func day(_ text: String, _ unit: String) -> Int64? {
    let numbers = text.split { $0 == "/" || $0 == "-" }.map { Int($0) ?? -1 }
    guard numbers.count == 3 else { return nil }
    let order: (Int, Int, Int) = numbers[0] > 999 ? (0, 1, 2) : unit.hasPrefix("DMY") ? (2, 1, 0) : (2, 0, 1)
    let (year, month, day) = (numbers[order.0], numbers[order.1], numbers[order.2])
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    guard 1980...2199 ~= year, month >= 0, day >= 0 else { return nil }
    return ImportTime.utc(calendar: "\(year)-\(two(month))-\(two(day))T00:00:00Z").map {
      $0.nanoseconds / 86_400_000_000_000
    }
  }

  /// Seconds of the day from `12:44:20.00`, from seconds of the day, or from seconds of the
  /// GPS week that is its day's.
  private static func secondOfDay(_ rows: borrowing TextRows, _ column: Int, of day: Int64) -> Timestamp? {
    let parts = rows.text(column).split(separator: ":")
    if parts.count == 3 {
      let numbers = parts.compactMap { Double($0) }
      guard numbers.count == 3, 0..<24 ~= numbers[0], 0..<60 ~= numbers[1], 0..<61 ~= numbers[2] else {
        return nil
      }
      return Timestamp(seconds: numbers[0] * 3600 + numbers[1] * 60 + numbers[2])
    }
    guard let time = try? rows.time(column, "GPSTime"), 0..<604_800 ~= time.seconds else { return nil }
    // 1970-01-01 was a Thursday, and weeks of GPS begin on Sundays.
    let weekday = (day + 4) % 7
    let ofDay = time.nanoseconds - weekday * 86_400_000_000_000
    if 0..<86_400_000_000_000 ~= ofDay { return Timestamp(nanoseconds: ofDay) }
    return time.seconds < 86_400 ? time : nil
  }
}
