// RMC and ZDA have the date, GGA and GNS the height, GST the standard deviations, VTG and RMC speed and
// course. Sentences of one time of day are one fix. Knots are 1852 m in an hour.
import Navigation

enum NMEAImport {
  /// What the sentences of one time say.
  private struct Epoch {
    var ofDay: Int64
    var latitude: Double?, longitude: Double?
    var level: Double?, geoid: Double?
    var speed: Double?, course: Double?
    var sigma: Vector3?
    var isFix: Bool?
    var isMeasured = true
    var day: Int64?
    var sky = NMEASky()
  }

  private static let knot = 1852.0 / 3600
  private static let dayLength: Int64 = 86_400_000_000_000

  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    var drive = DriveImport(name: name)
    drive.isUTC = true
    drive.description.source = "NMEA 0183"
    drive.description.gnss = "NMEA 0183"
    var reader = Reader(path: path)
    var lines = try LineReader(path: path)
    while let bytes = try lines.next() {
      reader.add(String(decoding: bytes, as: UTF8.self), line: lines.line, isCutOff: lines.isCutOff)
    }
    reader.finish(&drive)
    try reader.rejections.check()
    if drive.fixes.isEmpty, reader.undated > 0 {
      let reason = "none of the \(reader.undated) fixes has a date: let the receiver say RMC or ZDA, too"
      throw .malformedFile(file: path, reason: reason)
    }
    if drive.fixes.isEmpty { throw .nothingToImport(path: path) }
    return drive
  }

  private struct Reader {
    var rejections: ImportRejections
    private var epoch: Epoch?
    private var day: Int64?
    private var lastOfDay: Int64?
    private var fixes: [GNSSFix] = []
    private var sky: [SatelliteSample] = []
    private(set) var undated = 0
    private var (without, notMeasured, byModel, others) = (0, 0, 0, 0)

    init(path: String) { rejections = ImportRejections(file: path) }

    /// - Parameter isCutOff: whether the file ends within the line: without a checksum nothing tells where.
    mutating func add(_ line: String, line number: Int, isCutOff: Bool) {
      if isCutOff, line.hasPrefix("$"), !line.contains("*") {
        rejections.reject(.line(number, of: rejections.file, "the file ends within the sentence"))
        return
      }
      let sentence: NMEASentenceReader
      do { sentence = try NMEASentenceReader(line) } catch {
        // Proprietary sentences and text between are no rows of ours.
        if error == .checksum {
          rejections.reject(.line(number, of: rejections.file, "the checksum of the sentence is wrong"))
        } else {
          others += 1
        }
        return
      }
      if let field = Self.place(in: sentence), !sentence.isPlace(at: field) {
        let reason = "the sentence has a latitude beyond 90° or a longitude beyond 180°"
        rejections.reject(.line(number, of: rejections.file, reason))
        return
      }
      rejections.accepted += 1
      take(sentence)
    }

    /// The field of a sentence that its latitude stands in.
    private static func place(in sentence: NMEASentenceReader) -> Int? {
      ["RMC": 3, "GGA": 2, "GNS": 2][sentence.name]
    }

    private mutating func take(_ s: NMEASentenceReader) {
      switch s.name {
      case "RMC":
        at(s.ofDay(1))
        if let day = Self.day(ddmmyy: s.text(9)) { epoch?.day = day }
        epoch?.isFix = s.text(2) == "A"
        if ["E", "M", "S"].contains(s.text(12)) { epoch?.isMeasured = false }
        place(s, 3)
        epoch?.speed = s.number(7).map { $0 * knot }
        epoch?.course = s.number(8)
      case "GGA":
        at(s.ofDay(1))
        epoch?.isFix = s.number(6).map { $0 > 0 }
        // Dead reckoning, set by hand, simulated.
        if ["6", "7", "8"].contains(s.text(6)) { epoch?.isMeasured = false }
        place(s, 2)
        epoch?.level = s.number(9)
        epoch?.geoid = s.number(11)
      case "GNS":
        at(s.ofDay(1))
        place(s, 2)
        if let level = s.number(9) { epoch?.level = level }
        if let geoid = s.number(10) { epoch?.geoid = geoid }
      case "GST":
        at(s.ofDay(1))
        guard let north = s.number(6), let east = s.number(7), north > 0, east > 0 else { return }
        let up = s.number(8).flatMap { $0 > 0 ? $0 : nil } ?? 2 * max(north, east)
        epoch?.sigma = Vector3(north, east, up)
      case "VTG":
        guard let speed = s.number(7) else { return }
        epoch?.speed = speed / 3.6
        if let course = s.number(1) { epoch?.course = course }
      case "ZDA":
        at(s.ofDay(1))
        if let day = s.number(2), let month = s.number(3), let year = s.number(4) {
          if let known = Self.day(Int(year), Int(month), Int(day)) { epoch?.day = known }
        }
      case "GSV", "GSA": epoch?.sky.take(s)
      default: break
      }
    }

    private mutating func place(_ s: NMEASentenceReader, _ index: Int) {
      guard let latitude = s.degrees(index), let longitude = s.degrees(index + 2) else { return }
      epoch?.latitude = latitude
      epoch?.longitude = longitude
    }

    /// Goes to the time of day of a sentence.
    private mutating func at(_ ofDay: Int64?) {
      guard let ofDay else { return }
      if epoch?.ofDay == ofDay { return }
      close()
      epoch = Epoch(ofDay: ofDay)
    }

    /// Makes a fix of what has been said of one time.
    private mutating func close() {
      guard let epoch else { return }
      // Only RMC and ZDA have a date; between them the time of day goes on, over midnight too.
      if let known = epoch.day {
        day = known
      } else if let last = lastOfDay, epoch.ofDay < last - dayLength / 2 {
        day = day.map { $0 + 1 }
      }
      lastOfDay = epoch.ofDay
      let time = day.map { Timestamp(nanoseconds: $0 * dayLength + epoch.ofDay) }
      if let time { sky += epoch.sky.samples(at: time) }
      guard let latitude = epoch.latitude, let longitude = epoch.longitude, epoch.isFix != false else {
        without += 1
        return
      }
      guard epoch.isMeasured else {
        notMeasured += 1
        return
      }
      guard let time else {
        undated += 1
        return
      }
      var position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 0)
      if let level = epoch.level {
        if epoch.geoid == nil { byModel += 1 }
        position.height = level + (epoch.geoid ?? EGM96.separation(position))
      } else {
        position.height = .nan
      }
      var velocity = epoch.speed.flatMap { speed in
        epoch.course.flatMap { Vector3(speed: speed, courseDegrees: $0, down: .nan) }
      }
      // Receivers leave the course out when they stand.
      if velocity == nil, let speed = epoch.speed, speed <= 0.1 { velocity = Vector3(0, 0, .nan) }
      fixes.append(
        GNSSFix(
          time: time, position: position,
          positionSigma: epoch.sigma,
          velocityNED: velocity))
    }

    mutating func finish(_ drive: inout DriveImport) {
      close()
      epoch = nil
      drive.fixes = fixes
      drive.sky = sky
      drive.rejections.append(rejections)
      let notes = [
        (without, "times are without a fix"),
        (notMeasured, "positions were not measured (reckoned, set by hand or simulated) and left out"),
        (undated, "fixes before the first date were left out"),
        (byModel, "heights above sea level were brought to the ellipsoid by EGM96"),
        (others, "lines are no sentences of NMEA and were passed over"),
      ]
      drive.notes += notes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }

    /// Days since 1970 of `ddmmyy`: the years from 1980 to 2079.
    private static func day(ddmmyy text: Substring) -> Int64? {
      guard text.utf8.count == 6, let value = Int(text) else { return nil }
      let year = value % 100
      return day(year < 80 ? 2000 + year : 1900 + year, value / 100 % 100, value / 10_000)
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
      func two(_ n: Int) -> String { (n < 10 ? "0" : "") + "\(n)" }
      return ImportTime.utc(calendar: "\(year)-\(two(month))-\(two(day))T00:00:00").map {
        $0.nanoseconds / dayLength
      }
    }
  }
}
