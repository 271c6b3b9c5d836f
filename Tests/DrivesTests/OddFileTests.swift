import CLibrary
import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// Files of a drive that are none, and times at the ends of what can be counted.
struct OddFileTests {
  @Test(arguments: ["nowhere", "imu.csv"])
  func aLinkThatLeadsNowhereIsNotAMissingFile(target: String) throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n"])
    try #require(symlink(target, drive("imu.csv")) == 0)
    let error = driveError { _ = try DriveReader(path: drive.path) }
    guard case .system(let file, "open", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(file == drive("imu.csv") && !reason.isEmpty)
    if target == "nowhere" { #expect(reason.contains("leads nowhere")) }
  }

  @Test(.timeLimit(.minutes(15)), arguments: ["drive.json", "imu.csv", "truth.csv", "receiver.csv"])
  func aPipeIsRefusedAndNotWaitedFor(name: String) throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n"])
    unlink(drive(name))
    try #require(mkfifo(drive(name), 0o600) == 0)
    let error = driveError { _ = try DriveReader(path: drive.path) }
    #expect("\(error.map(\.description) ?? "")".contains("it is a pipe or a device"), "\(name)")
  }

  @Test func aDeviceIsRefused() throws {
    let drive = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n"])
    try #require(symlink("/dev/zero", drive("gnss.csv")) == 0)
    #expect(driveError { _ = try DriveReader(path: drive.path) } != nil)
  }

  // MARK: Times

  private func write(_ drive: DriveImport) throws -> (contents: Contents, notes: [String]) {
    let scratch = ScratchFolder()
    var drive = drive
    try drive.write(to: scratch("drive"))
    return (try Contents(scratch("drive")), drive.notes)
  }

  @Test(arguments: [Int64.max, .min, .max - 1000, 9_000_000_000_000_000_000])
  func timesAtTheEndsOfTheCountAreLeftOut(nanoseconds: Int64) throws {
    var drive = DriveImport(name: "made up")
    let sample = { (time: Int64) in
      InertialSample(
        time: Timestamp(nanoseconds: time), angularRate: .zero, specificForce: Vector3(0, 0, -9.8))
    }
    drive.inertial = [sample(1_000_000_000), sample(nanoseconds), sample(2_000_000_000)]
    drive.fixes = [
      GNSSFix(
        time: Timestamp(nanoseconds: nanoseconds),
        position: GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13, height: 0))
    ]
    let (contents, notes) = try write(drive)
    #expect(contents.inertial.count == 2 && contents.fixes.isEmpty)
    #expect(notes.count { $0.contains("140 years") } == 2)
  }

  @Test func valuesThatAreNotFiniteAreLeftOut() throws {
    var drive = DriveImport(name: "made up")
    for force in [Vector3(0, 0, -9.8), Vector3(.infinity, 0, 0), Vector3(0, .nan, 0)] {
      drive.inertial.append(
        InertialSample(
          time: Timestamp(seconds: Double(drive.inertial.count)), angularRate: .zero, specificForce: force))
    }
    drive.wheel = [WheelSample(time: Timestamp(seconds: 1), speed: -.infinity)]
    let (contents, notes) = try write(drive)
    #expect(contents.inertial.count == 1 && contents.rejections.allSatisfy { $0.total == 0 })
    #expect(notes.count { !$0.contains("start_utc") } == 2)
  }

  @Test func aWeekThatCannotBeGivesNoTime() {
    for week: Int64 in [-1, 10_001, 9_000_000_000, .max, .min] {
      #expect(ImportTime.utc(week: week, timeOfWeek: Timestamp(seconds: 1)).nanoseconds == .max)
    }
    #expect(ImportTime.utc(week: 2158, timeOfWeek: Timestamp(nanoseconds: .max)).nanoseconds == .max)
  }

  /// The whole way of the formats that told such times.
  @Test func importsOfImpossibleTimesEndInAnErrorOrInWhatIsLeft() throws {
    let scratch = ScratchFolder()
    try scratch.put(
      "urbannav/imu.csv",
      "GPS TOW (s), GPS Week, Acceleration X (m/s^2), Acceleration Y (m/s^2), Acceleration Z (m/s^2), "
        + "Angular rate X (rad/s), Angular rate Y (rad/s), Angular rate Z (rad/s)\n"
        + "1,9000000000,0,0,-9.8,0,0,0\n2,2158,0,0,-9.8,0,0,0\n3,2158,0,0,-9.8,0,0,0\n")
    var drive = try ImportFormat.urbannav.read(scratch("urbannav"))
    try drive.write(to: scratch("a"))
    #expect(try Contents(scratch("a")).inertial.count == 2)
    try scratch.put(
      "rostopic/imu.csv",
      "%time,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z,"
        + "field.linear_acceleration.x,field.linear_acceleration.y,field.linear_acceleration.z\n"
        + "9223372036854775807,0,0,0,0,0,9.8\n1600000000000000000,0,0,0,0,0,9.8\n1600000000010000000,0,0,0,0,0,9.8\n"
    )
    var ros = try ImportFormat.urbannav.read(scratch("rostopic"))
    try ros.write(to: scratch("b"))
    #expect(try Contents(scratch("b")).inertial.count == 2)
    try scratch.put(
      "kfgins/imu.txt", "0 0 0 0 0 0 0\n0.01 1e308 0 0 0 0 0\n0.02 0 0 0 0 0 -0.098\n0.03 0 0 0 0 0 -0.098\n")
    var increments = try ImportFormat.kfgins.read(scratch("kfgins"))
    try increments.write(to: scratch("c"))
    #expect(try !String(contentsOfFile: scratch("c/imu.csv"), encoding: .utf8).contains("inf"))
  }

  // MARK: UTC

  @Test func theStartInUTCIsKept() throws {
    var drive = DriveImport(name: "made up")
    drive.isUTC = true
    drive.inertial = [0.25, 1.25].map { seconds in
      InertialSample(
        time: Timestamp(nanoseconds: 1_622_047_964_000_000_000).advanced(bySeconds: seconds),
        angularRate: .zero,
        specificForce: Vector3(0, 0, -9.8))
    }
    let scratch = ScratchFolder()
    try drive.write(to: scratch("drive"))
    let description = try DriveReader(path: scratch("drive")).description
    #expect(description.startUTC?.nanoseconds == 1_622_047_964_000_000_000 && description.leapSeconds == 18)
    let json = String(decoding: try scratch.bytes("drive/drive.json"), as: UTF8.self)
    #expect(json.contains(#""start_utc" : "2021-05-26T16:52:44.000Z""#), "\(json)")
    drive.isUTC = false
    try drive.write(to: scratch("other"))
    #expect(try DriveReader(path: scratch("other")).description.startUTC == nil)
  }

  @Test func aStartThatIsNoTimeIsAnErrorThatNamesTheKey() throws {
    let drive = try ScratchFolder.drive(
      ["wheel.csv": "time_s,speed_m_s\n0,1\n"], json: #"{"name": "x", "start_utc": "yesterday"}"#)
    #expect(
      "\(driveError { _ = try DriveReader(path: drive.path) }.map(\.description) ?? "")".contains("start_utc")
    )
  }

  @Test func drivesAreFoundInTheFolderAboveThem() throws {
    let scratch = ScratchFolder()
    for name in ["b", "a"] {
      try scratch.put("\(name)/drive.json", #"{"name": "x"}"#)
    }
    try scratch.put("README.md", "")
    #expect(DriveFolders(at: scratch.path + "/").paths == [scratch("a"), scratch("b")])
    #expect(DriveFolders(at: scratch("a")).paths == [scratch("a")])
    #expect(DriveFolders(at: scratch("none")).paths == [scratch("none")])
    #expect(
      DriveFolders(at: [scratch("b"), scratch.path]).paths == [scratch("b"), scratch("a"), scratch("b")])
  }

  @Test func linesOfAListThatNameNoFolderAreSaid() throws {
    let scratch = try ScratchFolder.drive(["wheel.csv": "time_s,speed_m_s\n0,1\n"], json: #"{"name": "x"}"#)
    try scratch.put("list.txt", "# two\r\n \r\n\(scratch.path) \r\nnowhere\r\n\(scratch.path)")
    let found = DriveFolders(at: scratch("list.txt"))
    #expect(found.paths == [scratch.path, scratch.path])
    #expect(found.faults == [.noFolder(file: scratch("list.txt"), line: 4, text: "nowhere")])
    // A table is no list: ten lines tell.
    try scratch.put("table.csv", String(repeating: "1,2,3\n", count: 1000))
    #expect(DriveFolders(at: scratch("table.csv")).faults.count == 10)
  }

  @Test(arguments: [
    ("time_s,gnss_id\n", "no column satellite", 0), ("", "the file is empty", 0),
    ("time_s,gnss_id,satellite\n0,0,1\n1,x,2\n", ":3: column gnss_id: \"x\" is not a number", 1),
  ])
  func aSkyThatCannotBeReadIsANoteAndNoMore(sky: String, said: String, rows: Int) throws {
    let scratch = try ScratchFolder.drive(
      ["wheel.csv": "time_s,speed_m_s\n0,1\n", "sky.csv": sky], json: #"{"name": "x"}"#)
    var seen: [SatelliteSample] = []
    let rejections = try DriveReader(path: scratch.path).sky { seen.append($0) }
    #expect(seen.count == rows && rejections.count == 1)
    #expect(rejections[0].notes.contains { $0.contains(said) && $0.contains("sky.csv") }, "\(rejections)")
  }

  @Test func satellitesThatCannotBeAreLeftOut() throws {
    let scratch = try ScratchFolder.drive(
      [
        "wheel.csv": "time_s,speed_m_s\n0,1\n",
        "sky.csv": "time_s,gnss_id,satellite,elevation_deg,azimuth_deg,strength_db_hz,used\n"
          + "0,8,1,10,10,40,1\n0,-1,1,10,10,40,1\n0,0,0,10,10,40,1\n0,2,1000,10,10,40,1\n0,7,4,91,511,0,0\n",
      ], json: #"{"name": "x"}"#)
    var seen: [SatelliteSample] = []
    let rejections = try DriveReader(path: scratch.path).sky { seen.append($0) }
    #expect(rejections[0].outOfRange == 4 && seen.count == 1 && seen[0].constellation == 7)
    #expect(seen[0].elevationDegrees == nil && seen[0].azimuthDegrees == nil && seen[0].strength == nil)
  }
}
