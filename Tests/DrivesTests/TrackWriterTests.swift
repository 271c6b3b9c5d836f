import Drives
import Foundation
import Navigation
import TestParts
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct TrackWriterTests {
  /// 1 March 2026, 12:00:00 UTC.
  private static let origin = Timestamp(nanoseconds: 1_772_366_400_000_000_000)

  /// A drive to the north-east at 10 Hz; the first two not aligned, one without height.
  private static let solutions = (0..<250).map { (i: Int) -> NavigationSolution in
    let x = Double(i)
    let covariance = Matrix3(
      columns: Vector3(4, 0.5, 0.25), Vector3(0.5, 9, 0.125), Vector3(0.25, 0.125, 16))
    return NavigationSolution(
      time: Timestamp(nanoseconds: Int64(i) * 100_000_000), mode: i < 2 ? .aligning : .aided,
      position: GeodeticPosition(
        latitudeDegrees: 50 + x * 1e-5, longitudeDegrees: 8 + x * 1e-5, height: i == 5 ? .nan : 100 + x),
      velocityNED: Vector3(3, 4, 0.5), navFromVehicle: Quaternion(roll: 0.01, pitch: 0.02, yaw: .pi / 4),
      angularRate: .zero, positionCovariance: covariance, velocityCovariance: Matrix3(scalar: 0.25),
      attitudeCovariance: Matrix3(scalar: 0.01))
  }

  private func track(
    _ name: String, origin: Timestamp? = nil, of solutions: [NavigationSolution] = Self.solutions
  ) throws -> Data {
    let scratch = ScratchFolder()
    var writer = try TrackWriter(path: scratch(name), unixTimeOfOrigin: origin)
    for solution in solutions { try writer.write(solution) }
    try writer.finish()
    return Data(try scratch.bytes(name))
  }

  /// KITTI's poses and TUM's, read as `reckon score` reads them: the comment that says where the zero is
  /// stands below the one that says who made the file.
  @Test(arguments: ["kitti", "tum"]) func poseFilesAreReadWhereTheyWereWritten(_ ending: String) throws {
    let (scratch, solutions) = (ScratchFolder(), Self.solutions.filter { $0.position.height.isFinite })
    var writer = try TrackWriter(
      path: scratch("track." + ending), times: scratch("times"),
      provenance: Provenance(version: "0", commit: nil, options: [], drive: "d", date: "2026-03-01T12:00:00Z")
    )
    for solution in solutions { try writer.write(solution) }
    try writer.finish()
    var file = try TrackFile(path: scratch("track." + ending))
    file.times = scratch("times")
    #expect(file.format.rawValue == ending)
    var points: [TrackFilePoint] = []
    try file.read { points.append($0) }
    #expect(points.count == solutions.count)
    for (point, solution) in zip(points, solutions) {
      let off = LocalFrame(origin: solution.position).ned(point.sample.position)
      #expect(off.norm < 1e-3 && abs(point.sample.time.seconds(since: solution.time)) < 1e-6)
    }
  }

  @Test func tracksAreTheirOwnersAlone() throws {
    let scratch = ScratchFolder()
    for name in ["track.csv", "track.gpx", "track.geojson", "track.kml"] {
      var writer = try TrackWriter(path: scratch(name), unixTimeOfOrigin: Self.origin)
      for solution in Self.solutions { try writer.write(solution) }
      try writer.finish()
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  private func lines(_ data: some Collection<UInt8>) -> [[Substring]] {
    String(decoding: data, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test func tableHoldsWhatAMapWouldShow() throws {
    let scratch = ScratchFolder()
    var writer = try TrackWriter(path: scratch("shown.csv"))
    let solution = Self.solutions[10]
    let shown = DisplayPosition(
      time: solution.time,
      position: GeodeticPosition(latitudeDegrees: 51.25, longitudeDegrees: 7.5, height: 1),
      offsetNED: Vector3(3, -4, 12))
    var leapt = shown
    leapt.snap = .farOff
    try writer.write(solution, display: shown)
    try writer.write(solution, display: leapt)
    try writer.write(solution)
    try writer.finish()
    let rows = lines(try scratch.bytes("shown.csv"))
    #expect(
      rows[0].suffix(4) == [
        "display_latitude_deg", "display_longitude_deg", "display_offset_m", "display_snapped",
      ])
    #expect(rows[1].suffix(4) == ["51.2500000000", "7.5000000000", "5.0000", "0"])
    #expect(rows[2].suffix(4) == ["51.2500000000", "7.5000000000", "5.0000", "1"])
    #expect(rows[3].suffix(4) == ["", "", "", ""])
  }

  @Test(arguments: ["track.shp", "track", "csv", ".csv/track", "track.csv.", "a.b/track"])
  func unknownExtensionIsAnErrorThatNamesTheKnown(name: String) {
    let error = driveError { _ = try TrackWriter(path: "/nowhere/" + name) }
    let known = ["csv", "geojson", "kml", "gpx", "tum", "kitti", "mcap"]
    #expect(error == .unknownTrackFormat(file: "/nowhere/" + name, known: known))
    #expect("\(error.map(\.description) ?? "")".contains(".csv, .geojson, .kml, .gpx, .tum, .kitti, .mcap"))
  }

  /// On the shorter way, and not around the world; the two ends lie on the antimeridian.
  @Test(arguments: [1.0, -1]) func linesInKMLEndAtTheAntimeridian(sign: Double) throws {
    let scratch = ScratchFolder()
    var writer = try TrackWriter(path: scratch("track.kml"))
    for i in 0..<8 {
      var solution = Self.solutions[i]
      solution.position.longitude = Angle.radians(degrees: sign * (179.99 + Double(i) * 0.004))
      try writer.write(solution)
    }
    try writer.finish()
    let text = String(decoding: try scratch.bytes("track.kml"), as: UTF8.self)
    let longitudes = text.components(separatedBy: "<coordinates>").dropFirst().map { line in
      line.prefix { $0 != "<" }.split(separator: "\n").compactMap { $0.split(separator: ",").first }
        .compactMap { Double($0) }
    }
    #expect(longitudes.map(\.count) == [4, 6])
    #expect(longitudes.first?.last == sign * 180 && longitudes.last?.first == -sign * 180)
    for line in longitudes {
      for (a, b) in zip(line, line.dropFirst()) { #expect(abs(b - a) < 0.01) }
    }
  }

  @Test func tableHoldsEverySolution() throws {
    let rows = lines(try track("track.CSV"))
    try #require(rows.count == Self.solutions.count + 1)
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    #expect(rows[0].prefix(5) == ["time_s", "latitude_deg", "longitude_deg", "height_m", "mode"])
    func cell(_ row: Int, _ column: String) -> Substring? {
      rows[0].firstIndex { $0 == column }.map { rows[row + 1][$0] }
    }
    let expected: [(String, Substring)] = [
      ("time_s", "0.7000"), ("mode", "aided"), ("latitude_deg", "50.0000700000"), ("height_m", "107.0000"),
      ("speed_m_s", "5.0000"), ("course_deg", "53.1301"), ("heading_deg", "45.0000"),
      ("roll_deg", "0.5730"), ("pitch_deg", "1.1459"), ("yaw_deg", "45.0000"),
      ("velocity_down_m_s", "0.5000"), ("vertical_accuracy_m", "4.0000"), ("speed_accuracy_m_s", "0.5000"),
      ("course_accuracy_deg", "5.7296"), ("heading_accuracy_deg", "5.7296"),
      ("covariance_north_north_m2", "4.000000"), ("covariance_north_east_m2", "0.500000"),
      ("covariance_north_down_m2", "0.250000"), ("covariance_east_east_m2", "9.000000"),
      ("covariance_east_down_m2", "0.125000"), ("covariance_down_down_m2", "16.000000"),
    ]
    for (column, text) in expected { #expect(cell(7, column) == text, "\(column)") }
    for column in ["heading_deg", "roll_deg", "yaw_deg"] { #expect(cell(1, column) == "", "\(column)") }
    #expect(cell(5, "height_m") == "")
    let radius = try #require(cell(7, "horizontal_accuracy_68_m").flatMap { Double($0) })
    #expect(abs(radius - Self.solutions[7].horizontalAccuracy) < 1e-4)
  }

  @Test func calendarTimeStandsOnlyWhereTheOriginIsKnown() throws {
    for name in ["track.csv", "track.geojson", "track.kml", "track.gpx"] {
      let without = String(decoding: try track(name), as: UTF8.self)
      let with = String(decoding: try track(name, origin: Self.origin), as: UTF8.self)
      #expect(!without.contains("T12:00"), "\(name)")
      #expect(with.contains("2026-03-01T12:00:24.900Z"), "\(name)")
    }
  }

  @Test func calendarTimeIsThatOfFoundation() throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    for day in stride(from: -40_000, through: 80_000, by: 13) {
      let seconds = Double(day) * 86_400 + 12_345.678
      let text = UTC.text(Timestamp(seconds: 0.678), origin: Timestamp(seconds: seconds - 0.678))
      let date = try #require(formatter.date(from: text), "\(text)")
      #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-3, "\(text)")
    }
    #expect(
      UTC.text(Timestamp(nanoseconds: 999_600_000), origin: Self.origin) == "2026-03-01T12:00:01.000Z")
    #expect(
      UTC.text(Timestamp(nanoseconds: -1_000_000), origin: Timestamp(nanoseconds: 0))
        == "1969-12-31T23:59:59.999Z")
  }

  @Test func geoJSONIsValidAndHoldsEveryPoint() throws {
    for origin in [nil, Self.origin] {
      let json = try JSONSerialization.jsonObject(with: track("track.geojson", origin: origin))
      let features = try #require((json as? [String: Any])?["features"] as? [[String: Any]])
      #expect((json as? [String: Any])?["type"] as? String == "FeatureCollection")
      #expect(features.count == Self.solutions.count)
      let geometry = try #require(features[7]["geometry"] as? [String: Any])
      #expect(geometry["type"] as? String == "Point")
      #expect(geometry["coordinates"] as? [Double] == [8.00007, 50.00007, 107])
      let flat = try #require(features[5]["geometry"] as? [String: Any])
      #expect((flat["coordinates"] as? [Double])?.count == 2)
      let properties = try #require(features[1]["properties"] as? [String: Any])
      #expect(properties["mode"] as? String == "aligning" && properties["heading_deg"] is NSNull)
      #expect(properties["speed_m_s"] as? Double == 5)
    }
  }

  @Test func solutionWithoutPositionBreaksNoFormat() throws {
    var lost = Self.solutions[0]
    lost.position = GeodeticPosition(latitude: .nan, longitude: .infinity, height: .nan)
    let some = [lost, Self.solutions[0], lost, Self.solutions[1]]
    let json = try JSONSerialization.jsonObject(with: track("a.geojson", of: some))
    let features = try #require((json as? [String: Any])?["features"] as? [[String: Any]])
    #expect(features.map { $0["geometry"] is NSNull } == [true, false, true, false])
    #expect(lines(try track("a.csv", of: some))[1][1...3] == ["", "", ""])
    #expect(try Elements(track("a.gpx", of: some)).count("trkpt") == 2)
    #expect(try Elements(track("a.kml", of: some)).text("coordinates").split(separator: "\n").count == 2)
    #expect(lines(try track("a.tum", of: some)).count == 4)
  }

  @Test func trackWithoutPointsIsStillADocument() throws {
    _ = try JSONSerialization.jsonObject(with: track("a.geojson", of: []))
    #expect(try Elements(track("a.gpx", of: [])).count("trkseg") == 1)
    #expect(try Elements(track("a.kml", of: [])).count("Document") == 1)
  }

  @Test func gpxIsValidXMLWithElementsInTheOrderOfTheSchema() throws {
    let xml = try Elements(track("track.gpx", origin: Self.origin))
    #expect(xml.count("gpx") == 1 && xml.count("trkpt") == 250)
    #expect(xml.count("ele") == 249 && xml.count("time") == 250)
    #expect(xml.attributes("trkpt")["lat"] == "50.002490000")
    #expect(xml.attributes("gpx")["version"] == "1.1")
    let start = try #require(xml.names.firstIndex(of: "trkpt"))
    #expect(xml.names[start...].prefix(5) == ["trkpt", "ele", "time", "geoidheight", "extensions"])
    #expect(try Elements(track("track.gpx")).count("time") == 0)
  }

  @Test func kmlIsValidXMLWhoseLinesMeet() throws {
    let xml = try Elements(track("track.kml", origin: Self.origin))
    #expect(xml.count("kml") == 1 && xml.count("Placemark") == 3 && xml.count("TimeSpan") == 3)
    let points = xml.text("coordinates").split(separator: "\n")
    #expect(points.count == 250 + 2)
    #expect(points[99] == points[100] && points[199] == points[200])
    let level = Self.solutions[0].position.heightAboveSeaLevel
    let cells = points[0].split(separator: ",")
    #expect(cells[0] == "8.000000000" && cells[1] == "50.000000000")
    #expect(isNear(Double(cells[2]), level, 1e-3) && abs(level - 51.5) < 1, "KML's heights are above the sea")
    #expect(xml.count("altitudeMode") == 3)
    #expect(try Elements(track("track.kml")).count("TimeSpan") == 0)
  }

  /// Above the ellipsoid and above the sea, and what lies between.
  @Test func bothHeightsAreTold() throws {
    let place = Self.solutions[7].position
    let (level, separation) = (place.heightAboveSeaLevel, EGM96.separation(place))
    let rows = lines(try track("track.csv"))
    let cell = { (name: String) in rows[0].firstIndex { $0 == name }.flatMap { Double(rows[8][$0]) } }
    #expect(cell("height_m") == 107 && isNear(cell("height_above_sea_level_m"), level, 1e-3))
    #expect(isNear(cell("geoid_separation_m"), separation, 0.01) && abs(separation - 47.5) < 1)
    let xml = try Elements(track("a.gpx", of: [Self.solutions[7]]))
    #expect(
      isNear(Double(xml.text("ele")), level, 1e-3)
        && isNear(Double(xml.text("geoidheight")), separation, 0.01))
    #expect(isNear(Double(xml.text("reckon:height_m")), 107, 1e-9))
    let json = try JSONSerialization.jsonObject(with: track("a.geojson", of: [Self.solutions[7]]))
    let features = try #require((json as? [String: Any])?["features"] as? [[String: Any]])
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(isNear(properties["height_above_sea_level_m"] as? Double, level, 1e-3))
  }

  /// A receiver that dated its first fixes wrong: the track is the same, byte for byte, as one that was dated
  /// right.
  @Test(arguments: ["csv", "geojson", "kml", "gpx", "tum"], [-599_616_000.0, 18_230_400.25])
  func datesAreMovedInTheWholeTrack(format: String, seconds: Double) throws {
    let scratch = ScratchFolder()
    // Enough points for several blocks.
    let many = (0..<6000).map { i in
      var solution = Self.solutions[i % 250]
      solution.time = Timestamp(nanoseconds: Int64(i) * 100_000_000)
      return solution
    }
    for (name, origin) in [("wrong", Self.origin.advanced(bySeconds: -seconds)), ("right", Self.origin)] {
      var writer = try TrackWriter(path: scratch("\(name).\(format)"), unixTimeOfOrigin: origin)
      for solution in many { try writer.write(solution) }
      try writer.finish()
    }
    try TrackWriter.redate(scratch("wrong.\(format)"), by: seconds)
    #expect(try scratch.bytes("wrong.\(format)") == scratch.bytes("right.\(format)"))
  }

  @Test func tumHoldsPosesInEastNorthUp() throws {
    let text = String(decoding: try track("track.tum"), as: UTF8.self)
    let origin = try #require(text.split(separator: "\n").dropFirst().first)
    #expect(origin.hasPrefix("# origin ") && origin.split(separator: " ").count == 5)
    let rows = text.split(separator: "\n").dropFirst(2).map {
      $0.split(separator: " ").compactMap { Double($0) }
    }
    try #require(rows.count == 250 && rows.allSatisfy { $0.count == 8 })
    #expect(rows[0][1...3] == [0, 0, 0])
    let ned = Self.solutions[200].position.ned(from: Self.solutions[0].position)
    #expect(abs(rows[200][1] - ned.y) < 0.02 && abs(rows[200][2] - ned.x) < 0.02)
    #expect(abs(rows[200][3] - 200) < 0.02)
    // Nose north-east: forward, left and up in east, north, up.
    let q = Quaternion(w: rows[9][7], x: rows[9][4], y: rows[9][5], z: rows[9][6])
    let nose = Self.solutions[9].navFromVehicle * Vector3(1, 0, 0)
    #expect((q * Vector3(1, 0, 0) - Vector3(nose.y, nose.x, -nose.z)).norm < 1e-5)
    let right = Self.solutions[9].navFromVehicle * Vector3(0, 1, 0)
    #expect((q * Vector3(0, -1, 0) - Vector3(right.y, right.x, -right.z)).norm < 1e-5)
    let unix = String(decoding: try track("track.tum", origin: Self.origin), as: UTF8.self)
    #expect(unix.split(separator: "\n")[2].hasPrefix("1772366400.0000 "))
  }
}

/// The elements of an XML document, in order; an invalid document throws.
private final class Elements: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private var texts: [String: String] = [:]
  private var lastAttributes: [String: [String: String]] = [:]

  init(_ data: Data) throws {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func count(_ name: String) -> Int { names.count { $0 == name } }
  func text(_ name: String) -> String { texts[name] ?? "" }
  func attributes(_ name: String) -> [String: String] { lastAttributes[name] ?? [:] }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    names.append(name)
    lastAttributes[name] = attributes
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard let name = names.last else { return }
    texts[name, default: ""] += string
  }
}
