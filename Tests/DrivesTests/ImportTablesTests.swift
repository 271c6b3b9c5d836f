import Foundation
import Navigation
import TestParts
import Testing

import Drives

/// KITTI, KF-GINS and column maps: small files in the real form.
struct ImportTablesTests {
  // MARK: KITTI

  private func kitti(_ frames: Int, _ change: (Int, inout [String]) -> Void = { _, _ in }) throws
    -> ScratchFolder
  {
    let scratch = ScratchFolder()
    var times = ""
    for i in 0..<frames {
      times += "2011-09-26 13:02:\(i / 10 + 25).\(i % 10)64389445\n"
      // A real row of 2011_09_26_drive_0001 has this form: 25 decimals, then 5 whole numbers.
      var row = [
        "49.015003823272", "8.4342971002335", "116.43032836914", "0.035752", "0.00903", "-2.6087069803847",
        "-6.811441479104", "-11.275641809511", "13.172716663769", "-0.12475264293164", "-0.032919903047354",
        "-0.44519814367428", "0.14998148617", "10.0198", "-0.75868", "0.2254", "9.9", "0.01", "-0.02", "0.03",
        "0.011", "-0.021", "0.031", "0.5", "0.25", "4", "11", "6", "6", "6",
      ]
      change(i, &row)
      if !row.isEmpty {
        try scratch.put("oxts/data/" + String(format: "%010d", i) + ".txt", row.joined(separator: " ") + "\n")
      }
    }
    try scratch.put("oxts/timestamps.txt", times)
    return scratch
  }

  @Test func kittiAxesAndAnglesBecomeOurs() throws {
    let scratch = try kitti(30)
    var drive = try ImportFormat.kitti.read(scratch.path)
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(contents.inertial.count == 30 && contents.truth.count == 30)
    // Forward, left, up in the file; forward, right, down from the reader.
    #expect(contents.inertial[0].angularRate == Vector3(0.01, 0.02, -0.03))
    #expect((contents.inertial[0].specificForce - Vector3(-0.445198, -0.149981, -10.0198)).norm < 1e-6)
    let truth = contents.truth[0]
    #expect(abs(truth.time.seconds - 0.064389) < 1e-9)
    #expect(truth.velocityNED == Vector3(-6.8114, -11.2756, 0.0329))
    // The car drives where its nose points: atan2(east, north).
    let course = atan2(-11.275641809511, -6.811441479104)
    // Within the side slip of a real car, a degree.
    #expect(isNear(truth.yaw, course, 0.02))
    #expect(
      isNear(truth.roll, 0.035752, 1e-6) && isNear(truth.pitch, -0.00903, 1e-6))
    #expect(contents.fixes.count == 3, "once a second")
    #expect(contents.fixes[0].positionSigma == Vector3(0.5, 0.5, 1))
    #expect(try DriveReader(path: scratch("drive")).description.imu?.frame == "FLU")
  }

  @Test func kittiMissingAndBrokenFramesAreCounted() throws {
    let scratch = try kitti(10) { i, row in
      if i == 3 { row = [] }
      if i == 5 { row[12] = "abc" }
      if i == 7 { row.removeLast(3) }
    }
    let drive = try ImportFormat.kitti.read(scratch("oxts"))
    #expect(drive.inertial.count == 7)
    let rejections = try #require(drive.rejections.last)
    #expect(rejections.rejected == 2)
    #expect(
      rejections.first
        == .notANumber(file: scratch("oxts/data/0000000005.txt"), line: 1, column: "13", text: "abc"))
    let other = ScratchFolder()
    #expect(
      driveError { _ = try ImportFormat.kitti.read(other.path) }?.description.contains("timestamps.txt")
        == true)
  }

  // MARK: KF-GINS

  private func kfgins(broken: Bool = false) throws -> ScratchFolder {
    let scratch = ScratchFolder()
    var imu = ""
    for i in 0...400 {
      let time = 456_300 + Double(i) / 200
      imu += "\(String(format: "%.9f", time)) 5.0e-05 -1.0e-04 1.5e-04 0.0005 -0.0010 -0.04905\n"
      if broken, i == 100 { imu += "456300.5001 1 2\n" }
    }
    try scratch.put("Leador-A15.txt", imu)
    var gnss = ""
    for i in 0..<3 {
      gnss += "\(456_300 + i).000  30.444787370  114.471863205   20.8990   0.005  0.004  0.008\n"
    }
    try scratch.put("GNSS-RTK.txt", gnss)
    try scratch.put(
      "truth.nav",
      "0 456300.000 30.4447873701 114.4718632047 20.899 1.5 -2.5 0.25 0.854215 -2.034803 185.702351\n")
    try scratch.put(
      "kf-gins.yaml",
      """
      # KF-GINS configuration file
      imupath: "./dataset/Leador-A15.txt"
      gnsspath: "./dataset/GNSS-RTK.txt"
      imudatarate: 200
      antlever:  [ 0.136, -0.301, -0.184 ]

      """)
    return scratch
  }

  @Test func kfginsIncrementsBecomeRates() throws {
    let scratch = try kfgins()
    var drive = try ImportFormat.kfgins.read(scratch.path)
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(contents.inertial.count == 401 && contents.fixes.count == 3 && contents.truth.count == 1)
    // 200 rows a second, each at the middle of its interval.
    for sample in contents.inertial {
      #expect((sample.angularRate - Vector3(0.01, -0.02, 0.03)).norm < 1e-6)
      #expect((sample.specificForce - Vector3(0.1, -0.2, -9.81)).norm < 1e-5)
    }
    let step = contents.inertial[1].time.seconds(since: contents.inertial[0].time)
    #expect(abs(step - 0.005) < 1e-6)
    #expect(abs(contents.fixes[0].time.seconds(since: contents.inertial[0].time) - 0.0025) < 1e-6)
    #expect(contents.fixes[0].positionSigma == Vector3(0.005, 0.004, 0.008))
    #expect(abs(contents.fixes[0].position.longitudeDegrees - 114.471863205) < 1e-9)
    #expect(contents.truth[0].velocityNED == Vector3(1.5, -2.5, 0.25))
    #expect(abs(Angle.degrees(radians: try #require(contents.truth[0].yaw)) - 185.70235) < 1e-4)
    #expect(
      try DriveReader(path: scratch("drive")).description.antennaLeverArm == Vector3(0.136, -0.301, -0.184))
  }

  @Test func kfginsFilesAreToldApartWithoutTheYAML() throws {
    let scratch = try kfgins(broken: true)
    try FileManager.default.removeItem(atPath: scratch("kf-gins.yaml"))
    let drive = try ImportFormat.kfgins.read(scratch.path)
    #expect(drive.inertial.count == 401 && drive.fixes.count == 3 && drive.truth.count == 1)
    #expect(
      drive.rejections[0].first
        == .wrongCellCount(file: scratch("Leador-A15.txt"), line: 102, expected: 7, found: 3))
  }

  @Test func kfginsWithVelocityAndOdometer() throws {
    let scratch = ScratchFolder()
    var imu = ""
    for i in 0..<40 { imu += "\(10 + Double(i) / 100) 0 0 0 0 0 -0.0981 3.5\n" }
    try scratch.put("imu.txt", imu)
    try scratch.put(
      "gnss.txt",
      "10 30 114 20 1 2 3 0.5 0.6 0.7 0.05 0.06 0.07\n11 30 114 20 1 2 3 0.5 0.6 0.7 0.05 0.06 0.07\n")
    let drive = try ImportFormat.kfgins.read(scratch.path)
    #expect(drive.wheel.count == 40 && drive.wheel[0].speed == 3.5)
    #expect(
      drive.fixes[0].velocityNED == Vector3(1, 2, 3) && drive.fixes[0].positionSigma == Vector3(0.5, 0.6, 0.7)
    )
    #expect(drive.fixes[0].speedSigma == 0.06)
  }

  // MARK: Column maps

  private static let map = """
    {"imuFrame": "flu",
     "imu": {"separator": ";", "columns": {
       "time_s": {"column": "t [ms]", "unit": "ms"},
       "gyro_x_rad_s": {"column": "wx", "unit": "deg/s"}, "gyro_y_rad_s": {"column": "wy", "unit": "deg/s"},
       "gyro_z_rad_s": {"column": "wz", "unit": "deg/s"},
       "accel_x_m_s2": {"column": "ax", "unit": "g"}, "accel_y_m_s2": {"column": "ay", "unit": "g"},
       "accel_z_m_s2": {"column": "az", "unit": "g"}}},
     "gnss": {"file": "gps.txt", "separator": "blanks", "header": false, "columns": {
       "time_s": {"column": 1, "unit": "us"}, "latitude_deg": {"column": "2", "unit": "1e-7 deg"},
       "longitude_deg": {"column": "3", "unit": "1e-7 deg"}, "height_m": {"column": "4", "unit": "mm"},
       "speed_m_s": {"column": "5", "unit": "km/h"}, "course_deg": "6"}},
     "wheel": {"file": "can.csv", "columns": {"time_s": {"column": "when", "unit": "utc"}, "speed_m_s": {"column": "v", "unit": "mph"}}}}
    """

  private func tables(map: String = Self.map) throws -> ScratchFolder {
    let scratch = ScratchFolder()
    try scratch.put(
      "map.json", map.replacingOccurrences(of: "\"imu\": {", with: "\"imu\": {\"file\": \"log.csv\", "))
    try scratch.put(
      "logs/log.csv",
      "t [ms];wx;wy;wz;ax;ay;az;note\n1622047964000;1;2;3;0;0;1;a\n1622047964010.5;1;2;3;0;0;1;b\n1622047964020;x;2;3;0;0;1;c\n"
        + "1622047964030;1;2;3;0;0;1;d\n")
    try scratch.put("logs/gps.txt", "# comment\n1622047964000000 515000000 -2500000 53250 36 90\n")
    try scratch.put("logs/can.csv", "\"when\",\"v\"\n2021-05-26 16:52:44.250,10\n")
    return scratch
  }

  @Test func mappedColumnsAndUnits() throws {
    let scratch = try tables()
    var options = ImportOptions()
    options.map = scratch("map.json")
    var drive = try ImportFormat.csv.read(scratch("logs"), options: options)
    #expect(drive.inertial.count == 3)
    #expect(
      drive.rejections[0].first
        == .notANumber(file: scratch("logs/log.csv"), line: 4, column: "wx", text: "x"))
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(contents.inertial.map(\.time.nanoseconds) == [0, 10_500_000, 30_000_000])
    #expect((contents.inertial[0].angularRate - Vector3(1, -2, -3) * (.pi / 180)).norm < 1e-7)
    #expect((contents.inertial[0].specificForce - Vector3(0, 0, -9.80665)).norm < 1e-5)
    #expect(
      contents.fixes[0].time.nanoseconds == 0 && abs(contents.fixes[0].position.latitudeDegrees - 51.5) < 1e-9
    )
    #expect(
      contents.fixes[0].position.height == 53.25 && abs((contents.fixes[0].velocityNED?.y ?? 0) - 10) < 1e-9)
    #expect(
      contents.samples.contains { if case .wheel(let wheel) = $0 { wheel.speed == 4.4704 } else { false } })
    #expect(contents.samples.contains { $0.time.nanoseconds == 250_000_000 })
  }

  @Test(arguments: [
    ("\"unit\": \"deg/s\"", "\"unit\": \"rpm\"", "no unit \"rpm\"; known are deg/h"),
    ("\"imuFrame\"", "\"imuAxes\"", "unknown key \"imuAxes\""),
    ("\"course_deg\"", "\"curse_deg\"", "no column \"curse_deg\" in gnss.csv"),
    ("\"column\": \"wx\"", "\"column\": \"gx\"", ":1: no column gx among t [ms], wx"),
    ("\"column\": \"5\"", "\"column\": \"9\"", "number from 1 to 6"),
    ("\"flu\"", "\"xyz\"", "names no axes"),
    ("\"time_s\": {\"column\": \"t [ms]\", \"unit\": \"ms\"},", "", "\"time_s\" is needed"),
    ("\"wheel\": {", "\"wheel\": ", "not valid JSON: line 12"),
  ])
  func aWrongMapIsExplained(old: String, new: String, words: String) throws {
    let scratch = try tables(map: Self.map.replacingOccurrences(of: old, with: new))
    var options = ImportOptions()
    options.map = scratch("map.json")
    let error = driveError { _ = try ImportFormat.csv.read(scratch("logs"), options: options) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test func aFileOfBadRowsIsAnError() throws {
    let scratch = try tables()
    try scratch.put("logs/log.csv", "t [ms];wx;wy;wz;ax;ay;az\n1;1,5;2;3;0;0;1\n2;1,5;2;3;0;0;1\n")
    var options = ImportOptions()
    options.map = scratch("map.json")
    #expect(
      driveError { _ = try ImportFormat.csv.read(scratch("logs"), options: options) }
        == .notANumber(file: scratch("logs/log.csv"), line: 2, column: "wx", text: "1,5"))
  }
}
