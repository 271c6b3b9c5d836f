import Drives
import Foundation
import Navigation
import TestParts
import Testing

@Suite struct TrackFileTests {
  let scratch = ScratchFolder()

  func read(_ text: String, _ adjust: (inout TrackFile) -> Void = { _ in }) throws
    -> (format: TrackFileFormat, points: [TrackFilePoint], reading: TrackFile.Reading)
  {
    try scratch.put("track", text)
    var file = try TrackFile(path: scratch("track"))
    adjust(&file)
    var points: [TrackFilePoint] = []
    let reading = try file.read { points.append($0) }
    return (file.format, points, reading)
  }

  func complaint(_ text: String, _ adjust: (inout TrackFile) -> Void = { _ in }) -> String {
    do {
      _ = try read(text, adjust)
      return "nothing was wrong"
    } catch { return "\(error)" }
  }

  func unix(_ calendar: String) throws -> Timestamp {
    try #require(ImportTime.utc(calendar: calendar))
  }

  @Test func ownTableIsReadByNamesInAnyOrder() throws {
    let (format, points, reading) = try read(
      """
      longitude_deg,latitude_deg,time_s,note,height_m,speed_m_s,course_deg,sigma_north_m,sigma_east_m,sigma_down_m
      13.5,52.25,1.25,x,40,10,90,1,2,3
      13.5,52.25,1.5,,,,,,,

      """)
    #expect(format == .csv && points.count == 2 && reading.rejections.rejected == 0)
    #expect(points[0].sample.time == Timestamp(seconds: 1.25) && !points[0].isUTC)
    #expect(points[0].sample.position.latitudeDegrees == 52.25 && points[0].sample.position.height == 40)
    let velocity = try #require(points[0].sample.velocityNED)
    #expect(abs(velocity.x) < 1e-12 && velocity.y == 10)
    #expect(points[0].covariance == Matrix3(diagonal: Vector3(1, 4, 9)))
    #expect(points[1].sample.position.height.isNaN && points[1].covariance == nil)
  }

  @Test func tumHasItsPlaceInACommentOrFromTheCaller() throws {
    // 100 m east and 10 m up of the origin, the nose to the north.
    let q = 0.5.squareRoot()
    let row = "12.5 100 0 10 0 0 \(q) \(q)\n"
    let (format, points, _) = try read("# origin 52 13 30\n" + row)
    #expect(format == .tum)
    let ned = points[0].sample.position.ned(
      from: GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13, height: 30))
    #expect(abs(ned.x) < 2e-3 && abs(ned.y - 100) < 2e-3 && abs(ned.z + 10) < 2e-3)
    #expect(abs(try #require(points[0].sample.yaw)) < 1e-4)
    let told = try read(row) {
      $0.origin = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13, height: 30)
    }
    #expect(told.points[0].sample == points[0].sample)
    #expect(try read("# origin 52 13 30\n1 0 0 0 0 0 0 1\n").points[0].sample.yaw == nil)
    #expect(complaint(row).contains("--origin"))
    #expect(complaint("# origin 52 13 30\n1 0 0 0 0 0 0 0\n").contains("line 2: the quaternion is 0"))
  }

  @Test func kittiHasItsTimesInAnotherFile() throws {
    let rows = "1 0 0 5 0 1 0 6 0 0 1 7\n1 0 0 8 0 1 0 9 0 0 1 10\n"
    let place = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13, height: 30)
    try scratch.put("times.txt", "0.5\n0.6\n")
    let (format, points, _) = try read(rows) { ($0.origin, $0.times) = (place, scratch("times.txt")) }
    #expect(format == .kitti && points.count == 2)
    #expect(points[1].sample.time == Timestamp(seconds: 0.6) && points[1].pose?.position == Vector3(8, 9, 10))
    #expect(complaint(rows) { $0.origin = place }.contains("--times"))
    try scratch.put("times.txt", "0.5\n")
    let few = complaint(rows) { ($0.origin, $0.times) = (place, scratch("times.txt")) }
    #expect(few.contains("times.txt") && few.contains("fewer times"))
    try scratch.put("times.txt", "0.5\n0.6\n0.7\n")
    #expect(
      complaint(rows) { ($0.origin, $0.times) = (place, scratch("times.txt")) }.contains("line 3: more times")
    )
  }

  private static let positionHeader =
    "latitude(deg) longitude(deg)  height(m)   Q  ns   sdn(m)   sde(m)   sdu(m)  sdne(m)  sdeu(m)  sdun(m) age(s)  ratio"

  @Test func rtklibSaysWhichTimeItCounts() throws {
    let row =
      "2019/04/28 12:44:20.000   52.500000000   13.400000000    40.0000   1  12   0.0100   0.0200   0.0300  -0.0050   0.0   0.0   0.00    9.9\n"
    let gps = try read("% program   : RTKLIB ver.2.4.3\n%  GPST   \(Self.positionHeader)\n" + row)
    #expect(gps.format == .rtklib && gps.points[0].isUTC)
    #expect(gps.points[0].sample.time == (try unix("2019-04-28T12:44:02Z")))
    let covariance = try #require(gps.points[0].covariance)
    #expect(abs(covariance.x.x - 1e-4) < 1e-15 && abs(covariance.x.y + 2.5e-5) < 1e-15)
    let utc = try read("%  UTC   \(Self.positionHeader)\n" + row)
    #expect(utc.points[0].sample.time == (try unix("2019-04-28T12:44:20Z")))
    let week = try read(
      "%  GPST \(Self.positionHeader)\n" + row.replacing("2019/04/28 12:44:20.000", with: "2051 45860.000"))
    #expect(week.points[0].sample.time == gps.points[0].sample.time)
    let bare = try read(row)
    #expect(bare.format == .rtklib && bare.reading.notes.count == 1)
    #expect(complaint("%  JST   \(Self.positionHeader)\n" + row).contains("line 1: times in JST"))
    let above = try read("% (lat/lon/height=WGS84/geodetic,Q=1:fix)\n%  UTC  \(Self.positionHeader)\n" + row)
    #expect(above.points[0].sample.position.height > 75 && above.reading.notes[0].contains("EGM96"))
  }

  @Test func rtklibInECEFIsTheSamePlace() throws {
    let place = GeodeticPosition(latitudeDegrees: 52.5, longitudeDegrees: 13.4, height: 40)
    let ecef = WGS84.ecef(place)
    let text =
      "%  GPST x-ecef(m) y-ecef(m) z-ecef(m) Q ns\n2019/04/28 12:44:20.000 \(ecef.x) \(ecef.y) \(ecef.z) 1 9\n"
    #expect(try read(text).points[0].sample.position.ned(from: place).norm < 1e-6)
    let angles =
      "%  GPST latitude(d'\") longitude(d'\") height(m) Q ns\n2019/04/28 12:44:20.000 52 30 0.0 13 24 0.0 40 1 9\n"
    #expect(try read(angles).points[0].sample.position.ned(from: place).norm < 1e-6)
  }

  @Test func inertialExplorerIsReadByNamesAndUnits() throws {
    let text = """
      Project:     made up
      Program:     Inertial Explorer Version 8.90
      Datum:       WGS84

         UTCTime       Week      GPSTime         Latitude        Longitude       H-Ell   VEast  VNorth     VUp  Roll Pitch Heading Q SDNorth SDEast SDHeight
           (sec)    (weeks)        (sec)    (+/-D M S)       (+/-D M S)         (m)   (m/s)   (m/s)   (m/s) (deg) (deg)   (deg)       (m)    (m)      (m)
      1556455442.00    2051     45860.00  52 30 00.00000  -13 24 00.00000      40.000    1.00    2.00   -3.00  0.50 -1.00   90.00 1   0.010  0.020    0.030

      """
    let (format, points, _) = try read(text)
    #expect(format == .inertialExplorer && points.count == 1)
    #expect(points[0].sample.time == (try unix("2019-04-28T12:44:02Z")))
    #expect(abs(points[0].sample.position.longitudeDegrees + 13.4) < 1e-12)
    #expect(points[0].sample.velocityNED == Vector3(2, 1, 3) && points[0].sample.position.height == 40)
    #expect(abs(try #require(points[0].sample.yaw) - .pi / 2) < 1e-12)
    #expect(points[0].covariance?.z.z == 0.03 * 0.03)
    let decimal = "GPSTime Week Latitude Longitude H-Ell\n45860.00 2051 52.5 -13.4 40\n"
    #expect(try read(decimal).points[0].sample.position == points[0].sample.position)
    #expect(
      complaint("GPSTime Latitude Longitude H-Ell\n45860.00 52.5 -13.4 40\n").contains("Week and GPSTime"))
  }

  /// A units line that begins with a name again, a height above the geoid, and other units of speed.
  @Test func profilesOfInertialExplorerDiffer() throws {
    let points = try read(
      """
      Program:     Inertial Explorer Version 8.90.6611

      Week     GPSTime     UTCTime       Longitude       Latitude     H-MSL  Undulation  VEast  VNorth  VUp
      week       (sec)       (sec)     (+/-D M S)     (+/-D M S)       (m)        (m) (km/h)  (km/h) (km/h)
      2051  45860.000  45842.000  -13 24 00.00000  52 30 00.00000    2.000      38.000  3.6  7.2  0.0

      Footer lines

      """
    ).points
    #expect(
      points.count == 1 && points[0].sample.position.height == 40 && points[0].sample.velocityNED == nil)
    #expect(abs(points[0].sample.position.longitudeDegrees + 13.4) < 1e-12 && points[0].isGPS)
    #expect(points[0].sample.time == (try unix("2019-04-28T12:44:02Z")))
  }

  /// 2019-04-28 was a Sunday, 04-30 a Tuesday: 172 800 s into its week.
  @Test(arguments: [
    ("CorrTime Date", "(sec) (MDY)", "218660.00 4/30/2019"),
    ("GPSTime Date", "(HMS) (YMD)", "12:44:20.00 2019/04/30"),
    ("GPSTime Date", "(sec) (MDY)", "45860.00 04/30/2019"),
    ("GPSTime Date", "(sec) (DMY)", "218660.00 30/04/2019"),
    ("GPSTime GPSDate", "(sec)   (DMY)  ", "218660.00 30/04/2019"),
    ("UTCTime UTCDate", "(HMS) (MDY)", "12:44:02.00 4/30/2019"),
    ("UTCTime UTCDate", "(sec) (YMD)", "218642.00 2019-04-30"),
  ])
  func datesOfInertialExplorerStandForWeeks(names: String, units: String, cells: String) throws {
    let point = try read(
      "\(names) Latitude Longitude H-Ell\n\(units) (deg) (deg) (m)\n\(cells) 52.5 13.4 40\n"
    ).points[0]
    #expect(point.sample.time == (try unix("2019-04-30T12:44:02Z")))
    #expect(point.isUTC && point.isGPS == !names.hasPrefix("UTC"))
  }

  @Test func datesThatAreNoneAreSaid() throws {
    for cells in [
      "218660 13/30/2019", "604800 4/30/2019", "x 4/30/2019", "172800 4/29/2019", "12:60:00 4/30/2019",
    ] {
      let text = "GPSTime Date Latitude Longitude\n(sec) (MDY) (deg) (deg)\n\(cells) 52.5 13.4\n"
      #expect(complaint(text).contains("Date and GPSTime"), "\(cells)")
    }
  }

  @Test func gpxIsReadInOneLineAndWithZones() throws {
    let text =
      "<?xml version=\"1.0\"?><!-- <trkpt> > --><gpx version='1.0'><trk><trkseg><trkpt lon='13.4' lat=\"52.5\"><ele>1</ele><geoidheight>39</geoidheight><time>2019-04-28T14:44:02.5+02:00</time><course>90</course><speed>10</speed></trkpt><trkpt lat='52.5' lon='13.4'/><trkpt lat='52.6' lon='13.4'><time>2019-04-28T12:44:03Z</time></trkpt></trkseg></trk></gpx>"
    let (format, points, reading) = try read(text)
    #expect(format == .gpx && points.count == 2 && reading.rejections.rejected == 1)
    #expect(reading.rejections.remark?.contains("line 1: a point without a time") == true)
    #expect(points[0].sample.time == (try unix("2019-04-28T12:44:02.5Z")))
    #expect(points[0].sample.position.height == 40)
    #expect(abs(try #require(points[0].sample.velocityNED).y - 10) < 1e-12)
  }

  @Test func gpsdReportsArePutTogether() throws {
    let text =
      #"{"class":"VERSION","release":"3.25"}"# + "\n"
      + #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2019-04-28T12:44:02.000Z","lat":52.5,"lon":13.4,"altHAE":40.0,"speed":10,"track":0,"eph":2.0}"#
      + "\n"
    let (format, points, _) = try read(text)
    #expect(format == .gpsd && points.count == 1 && points[0].isUTC)
    #expect(points[0].covariance != nil && points[0].sample.velocityNED?.x == 10)
  }

  @Test func sentencesOfNMEAArePutTogether() throws {
    let text =
      "$GNRMC,124402.00,A,5230.0000,N,01324.0000,E,10.0,0.0,280419,,,A\n"
      + "$GNGGA,124402.00,5230.0000,N,01324.0000,E,1,12,0.7,10.0,M,40.0,M,,\n"
    let (format, points, _) = try read(text)
    #expect(format == .nmea && points.count == 1 && points[0].isUTC)
    #expect(points[0].sample.position.height == 50)
    #expect(isNear(points[0].sample.velocityNED?.x, 10 * 1852 / 3600, 1e-12))
  }

  @Test(arguments: [
    ("", "no point"), ("\n\n", "no point"), ("hello\n", "line 1: \"hello\""), ("1 2 3\n", "give one of"),
    ("<kml></kml>", "KML"), ("{\"type\": \"FeatureCollection\"}", "GeoJSON"),
    ("time_s,latitude_deg,longitude_deg\n", "no point"), ("time_s,latitude_deg\n1,52\n", "longitude_deg"),
    ("time_s,latitude_deg,longitude_deg\n1,x,13\n", ":2: column latitude_deg"),
    ("time_s,latitude_deg,longitude_deg\n1,nan,13\n", ":2: column latitude_deg"),
    ("time_s,latitude_deg,longitude_deg\n1,52000,13\n", "line 2: no such latitude"),
    ("time_s,latitude_deg,longitude_deg\ninf,52,13\n", ":2: column time_s"),
    ("<gpx></gpx>", "no point"), ("<gpx><trk><trkseg><trkpt lat=\"1\"", "line 1: the file ends within a tag"),
    ("# origin 1 2 3\n1 2 3 4 nan 6 7 8\n", ":2: column qx"), ("PK\u{3}\u{4}", "packed"),
    ("a\u{0}b", "not text"),
  ])
  func whatIsNoTrackIsSaidWithFileAndLine(text: String, said: String) {
    let complaint = complaint(text)
    #expect(complaint.contains(said) && complaint.contains("track"), "\(complaint)")
  }

  @Test func fewBadRowsAreCountedAndTheFirstIsSaid() throws {
    let good = (0..<10).map { "\($0),52,13\n" }.joined()
    let (_, points, reading) = try read(
      "time_s,latitude_deg,longitude_deg\n" + good + "10,,13\n11,52,13,4\n12,52")
    #expect(points.count == 10 && reading.rejections.rejected == 3)
    #expect(reading.rejections.remark?.contains(":12: column latitude_deg") == true)
  }

  @Test func foldersAndWhatIsNotThereAreSaid() {
    #expect(throws: DriveError.self) { try TrackFile(path: scratch.path) }
    #expect(throws: DriveError.self) { try TrackFile(path: scratch("nowhere")) }
  }
}
