import Foundation
import Navigation
import TestParts
import Testing

import Drives

/// How imported drives come into a folder.
struct ImportFolderTests {
  private func drive(_ times: [Double]) -> DriveImport {
    var drive = DriveImport(name: "made up")
    drive.inertial = times.map {
      InertialSample(time: Timestamp(seconds: $0), angularRate: .zero, specificForce: Vector3(0, 0, -9.81))
    }
    return drive
  }

  @Test func anExistingFolderIsLeftAloneUnlessAsked() throws {
    let scratch = ScratchFolder()
    var first = drive([1, 2])
    try first.write(to: scratch("drive"))
    try scratch.put("drive/mine.txt", "stays")
    try scratch.put("drive/wheel.csv", "time_s,speed_m_s\n")
    let before = try scratch.bytes("drive/imu.csv")
    var second = drive([1, 2, 3])
    #expect(driveError { try second.write(to: scratch("drive")) } == .alreadyExists(path: scratch("drive")))
    #expect(try scratch.bytes("drive/imu.csv") == before)
    try second.write(to: scratch("drive") + "/", overwriting: true)
    #expect(try Contents(scratch("drive")).inertial.count == 3)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch("drive")).sorted()
    #expect(left == ["drive.json", "imu.csv", "mine.txt"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["drive"])
  }

  @Test func anEmptyFolderIsUsedAndFoldersAboveAreMade() throws {
    let scratch = ScratchFolder()
    try FileManager.default.createDirectory(atPath: scratch("empty"), withIntermediateDirectories: true)
    for path in ["empty", "a/b/drive"] {
      var drive = drive([1, 2])
      try drive.write(to: scratch(path))
      #expect(try Contents(scratch(path)).inertial.count == 2)
    }
  }

  @Test func whatCannotBeWrittenLeavesNothing() throws {
    let scratch = ScratchFolder()
    var nothing = DriveImport(name: "nothing")
    #expect(driveError { try nothing.write(to: scratch("drive")) } == .nothingToImport(path: "nothing"))
    try scratch.put("file", "in the way")
    var good = drive([1, 2])
    #expect(driveError { try good.write(to: scratch("file"), overwriting: true) } != nil)
    #expect(driveError { try good.write(to: scratch("file/drive")) } != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["file"])
  }

  @Test func timesAreSortedAndRepeatsLeftOut() throws {
    let scratch = ScratchFolder()
    var drive = drive([100.5, 100.75, 100.6, 100.75, 101])
    drive.wheel = [(100.5, 1), (100.5, 2), (100.6, 3)].map {
      WheelSample(time: Timestamp(seconds: $0.0), speed: $0.1)
    }
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(contents.inertial.map(\.time.seconds) == [0.5, 0.6, 0.75, 1])
    let speeds = contents.samples.compactMap { if case .wheel(let sample) = $0 { sample.speed } else { nil } }
    #expect(speeds == [1, 3], "the first of a time stays")
    #expect(contents.rejections.allSatisfy { $0.total == 0 })
    #expect(drive.notes.count { !$0.contains("start_utc") } == 3)
  }

  /// A FIFO read at once: the engine spaces such samples, and a real repeat is none of them.
  @Test func inertialSamplesThatShareATimeAreKept() throws {
    let scratch = ScratchFolder()
    var drive = drive([100, 100, 100, 100, 100.25, 100.25])
    for i in [1, 2, 4, 5] { drive.inertial[i].angularRate.z = Double(i) }
    drive.inertial[3] = drive.inertial[2]
    try drive.write(to: scratch("drive"))
    let contents = try Contents(scratch("drive"))
    #expect(contents.inertial.map(\.time.seconds) == [0, 0, 0, 0.25, 0.25])
    #expect(contents.inertial.map(\.angularRate.z) == [0, 1, 2, 4, 5])
    #expect(contents.rejections.allSatisfy { $0.total == 0 })
    let note = "inertial samples: 1 repeat time and values of the one before and were left out"
    #expect(drive.notes.contains(note))
  }

  @Test(arguments: [
    ("2011-09-26 13:02:25.964389445", 1_317_042_145_964_389_445),
    ("2021-05-26T16:52:44.125Z", 1_622_047_964_125_000_000), ("1970-01-01T00:00:00Z", 0),
    ("2024-02-29T23:59:60Z", 1_709_251_200_000_000_000), ("1969-12-31 23:59:59.5", -500_000_000),
  ])
  func calendarTimes(text: String, nanoseconds: Int64) {
    #expect(ImportTime.utc(calendar: text)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "2021", "9999-12-31T23:59:59Z", "1601-01-01T00:00:00Z", "2021-13-01T00:00:00Z", "2021-05-26T16:52",
    "2021-05-26T16:5x:44Z", "2021-05-26T16:52:44.Z",
  ])
  func noCalendarTimes(text: String) { #expect(ImportTime.utc(calendar: text) == nil) }

  @Test func gpsTimeIsAheadByLeapSeconds() {
    // UrbanNav's own example: week 2158, 95593 s is Unix 1621218775.
    #expect(
      ImportTime.utc(week: 2158, timeOfWeek: Timestamp(seconds: 95593)).nanoseconds
        == 1_621_218_775_000_000_000)
    #expect(
      ImportTime.leapSeconds(unix: 1_483_228_799) == 17 && ImportTime.leapSeconds(unix: 1_483_228_800) == 18)
  }
}
