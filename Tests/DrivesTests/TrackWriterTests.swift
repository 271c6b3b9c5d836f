import Drives
import Foundation
import Navigation
import TestParts
import Testing

@Suite struct TrackWriterTests {
  /// KITTI's poses and TUM's, read as `reckon score` reads them: the comment that says where the zero is
  /// stands below the one that says who made the file.
  @Test(arguments: ["kitti", "tum"]) func poseFilesAreReadWhereTheyWereWritten(_ ending: String) throws {
    let (scratch, solutions) = (
      ScratchFolder(), WrittenTrack.solutions.filter { $0.position.height.isFinite }
    )
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
      var writer = try TrackWriter(path: scratch(name), unixTimeOfOrigin: WrittenTrack.origin)
      for solution in WrittenTrack.solutions { try writer.write(solution) }
      try writer.finish()
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func tableHoldsWhatAMapWouldShow() throws {
    let scratch = ScratchFolder()
    var writer = try TrackWriter(path: scratch("shown.csv"))
    let solution = WrittenTrack.solutions[10]
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
    let rows = WrittenTrack.lines(try scratch.bytes("shown.csv"))
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

  @Test func tableHoldsEverySolution() throws {
    let rows = WrittenTrack.lines(try WrittenTrack.track("track.CSV"))
    try #require(rows.count == WrittenTrack.solutions.count + 1)
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
    #expect(abs(radius - WrittenTrack.solutions[7].horizontalAccuracy) < 1e-4)
  }

  @Test func calendarTimeStandsOnlyWhereTheOriginIsKnown() throws {
    for name in ["track.csv", "track.geojson", "track.kml", "track.gpx"] {
      let without = String(decoding: try WrittenTrack.track(name), as: UTF8.self)
      let with = String(decoding: try WrittenTrack.track(name, origin: WrittenTrack.origin), as: UTF8.self)
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
      UTC.text(Timestamp(nanoseconds: 999_600_000), origin: WrittenTrack.origin) == "2026-03-01T12:00:01.000Z"
    )
    #expect(
      UTC.text(Timestamp(nanoseconds: -1_000_000), origin: Timestamp(nanoseconds: 0))
        == "1969-12-31T23:59:59.999Z")
  }

  /// A receiver that dated its first fixes wrong: the track is the same, byte for byte, as one that was dated
  /// right.
  @Test(arguments: ["csv", "geojson", "kml", "gpx", "tum"], [-599_616_000.0, 18_230_400.25])
  func datesAreMovedInTheWholeTrack(format: String, seconds: Double) throws {
    let scratch = ScratchFolder()
    // Enough points for several blocks.
    let many = (0..<6000).map { i in
      var solution = WrittenTrack.solutions[i % 250]
      solution.time = Timestamp(nanoseconds: Int64(i) * 100_000_000)
      return solution
    }
    for (name, origin) in [
      ("wrong", WrittenTrack.origin.advanced(bySeconds: -seconds)), ("right", WrittenTrack.origin),
    ] {
      var writer = try TrackWriter(path: scratch("\(name).\(format)"), unixTimeOfOrigin: origin)
      for solution in many { try writer.write(solution) }
      try writer.finish()
    }
    try TrackWriter.redate(scratch("wrong.\(format)"), by: seconds)
    #expect(try scratch.bytes("wrong.\(format)") == scratch.bytes("right.\(format)"))
  }

  @Test func tumHoldsPosesInEastNorthUp() throws {
    let text = String(decoding: try WrittenTrack.track("track.tum"), as: UTF8.self)
    let origin = try #require(text.split(separator: "\n").dropFirst().first)
    #expect(origin.hasPrefix("# origin ") && origin.split(separator: " ").count == 5)
    let rows = text.split(separator: "\n").dropFirst(2).map {
      $0.split(separator: " ").compactMap { Double($0) }
    }
    try #require(rows.count == 250 && rows.allSatisfy { $0.count == 8 })
    #expect(rows[0][1...3] == [0, 0, 0])
    let ned = WrittenTrack.solutions[200].position.ned(from: WrittenTrack.solutions[0].position)
    #expect(abs(rows[200][1] - ned.y) < 0.02 && abs(rows[200][2] - ned.x) < 0.02)
    #expect(abs(rows[200][3] - 200) < 0.02)
    // Nose north-east: forward, left and up in east, north, up.
    let q = Quaternion(w: rows[9][7], x: rows[9][4], y: rows[9][5], z: rows[9][6])
    let nose = WrittenTrack.solutions[9].navFromVehicle * Vector3(1, 0, 0)
    #expect((q * Vector3(1, 0, 0) - Vector3(nose.y, nose.x, -nose.z)).norm < 1e-5)
    let right = WrittenTrack.solutions[9].navFromVehicle * Vector3(0, 1, 0)
    #expect((q * Vector3(0, -1, 0) - Vector3(right.y, right.x, -right.z)).norm < 1e-5)
    let unix = String(
      decoding: try WrittenTrack.track("track.tum", origin: WrittenTrack.origin), as: UTF8.self)
    #expect(unix.split(separator: "\n")[2].hasPrefix("1772366400.0000 "))
  }
}
