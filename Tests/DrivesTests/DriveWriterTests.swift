import Drives
import Foundation
import Navigation
import TestParts
import Testing

@Suite struct DriveWriterTests {
  /// Samples whose values have no more decimals than a drive keeps.
  private static let samples: [SensorSample] = {
    var samples: [SensorSample] = []
    for i in 0..<2000 {
      let x = Double(i)
      let time = Timestamp(nanoseconds: Int64(i) * 5_000_000)
      samples.append(
        .inertial(
          InertialSample(
            time: time, angularRate: Vector3(x / 1e7, -x / 1e6, 0.0123457),
            specificForce: Vector3(-x / 1e6, 0.25, -9.806651))))
      if i % 40 == 7 {
        var fix = GNSSFix(
          time: time, received: i % 80 == 7 ? nil : Timestamp(nanoseconds: time.nanoseconds + 61_234_000),
          position: GeodeticPosition(
            latitudeDegrees: 52.5 + x / 1e7, longitudeDegrees: -13.4 - x / 1e7, height: x / 1e3),
          positionSigma: i % 120 == 7 ? nil : Vector3(1.5, 2.25, 3.0001),
          velocityNED: i % 160 == 7 ? nil : Vector3(x / 1e3, -7.5, 0.001))
        if i % 80 == 47 { (fix.speedSigma, fix.courseSigma) = (0.05, Angle.radians(degrees: 1.5)) }
        samples.append(.gnss(fix))
      }
      if i % 10 == 3 {
        samples.append(.wheel(WheelSample(time: time, speed: x / 1e4, yawRate: i % 20 == 3 ? nil : x / 1e6)))
      }
      if i % 20 == 9 { samples.append(.pressure(PressureSample(time: time, pressure: 101_325.25 - x / 100))) }
    }
    return samples
  }()

  private static let truth = (0..<500).map { (i: Int) -> TruthSample in
    let x = Double(i)
    let position = GeodeticPosition(
      latitudeDegrees: -33.8 + x / 1e8, longitudeDegrees: 151.2, height: -0.5)
    var sample = TruthSample(time: Timestamp(nanoseconds: Int64(i) * 20_000_123_000), position: position)
    if i % 3 > 0 { sample.velocityNED = Vector3(1.25, -2.5, 0.0625) }
    if i % 2 > 0 { sample.yaw = Angle.radians(degrees: x / 2) }
    return sample
  }

  private func write(to path: String, overwriting: Bool = false) throws {
    var description = DriveDescription(name: "made", kind: .simulated)
    description.antennaLeverArm = Vector3(0.5, -0.25, -1)
    description.imu = DriveDescription.IMU(model: "\"quoted\" µ", rateHz: 200, frame: "FRD")
    description.notes = ["a/b", "c"]
    description.barometer = "made, 5 Hz"
    var writer = try DriveWriter(path: path, description: description, overwriting: overwriting)
    for sample in Self.samples { try writer.write(sample) }
    for sample in Self.truth { try writer.write(sample) }
    try writer.finish()
    #expect(try DriveReader(path: path).description == description)
  }

  /// Several satellites share a time; a drive without them has no file of them.
  @Test func theSkyIsReadBackExactly() throws {
    let scratch = ScratchFolder()
    let sky = (0..<60).map { (i: Int) -> SatelliteSample in
      var sample = SatelliteSample(
        time: Timestamp(nanoseconds: Int64(i / 20) * 1_000_000_000), constellation: UInt8(i % 7),
        number: Int16(i % 20 + 1))
      if i % 3 > 0 { (sample.elevationDegrees, sample.azimuthDegrees) = (Double(i % 20) * 4.5, 359.5) }
      if i % 4 > 0 { sample.strength = 20.5 + Double(i % 20) }
      if i % 5 > 0 { sample.isUsed = i % 2 == 0 }
      return sample
    }
    var writer = try DriveWriter(
      path: scratch("drive"), description: DriveDescription(name: "made", kind: .real))
    for sample in Self.samples.prefix(100) { try writer.write(sample) }
    for sample in sky { try writer.write(sample) }
    try writer.finish()
    var read: [SatelliteSample] = []
    let rejections = try DriveReader(path: scratch("drive")).sky { read.append($0) }
    #expect(read == sky && rejections.map(\.total) == [0])
    try write(to: scratch("drive"), overwriting: true)
    let other = try DriveReader(path: scratch("drive"))
    #expect(!other.hasSky && other.sky { _ in }.isEmpty, "gone with the drive that it was of")
  }

  @Test func whatIsWrittenIsReadBackExactly() throws {
    let scratch = ScratchFolder()
    try write(to: scratch("deep/er/drive"))
    let contents = try Contents(scratch("deep/er/drive"))
    #expect(contents.rejections.allSatisfy { $0.total == 0 && $0.notes.isEmpty })
    try #require(contents.samples.count == Self.samples.count)
    for kind in SensorKind.allCases {
      let read = contents.samples.filter { $0.kind == kind }
      let written = Self.samples.filter { $0.kind == kind }
      for (a, b) in zip(read, written) where !a.isNear(b) { Issue.record("\(a) is not \(b)") }
    }
    #expect(contents.samples.map(\.arrival).isSorted)
    try #require(contents.truth.count == Self.truth.count)
    for (a, b) in zip(contents.truth, Self.truth) {
      #expect(a.time == b.time && a.velocityNED == b.velocityNED && a.roll == nil && a.pitch == nil)
      #expect(a.position.isNear(b.position))
      #expect((a.yaw == nil) == (b.yaw == nil) && abs((a.yaw ?? 0) - (b.yaw ?? 0)) < 1e-15)
    }
  }

  @Test func sameValuesGiveSameBytes() throws {
    let scratch = ScratchFolder()
    try write(to: scratch("a"))
    try write(to: scratch("b"))
    for file in ["drive.json", "imu.csv", "gnss.csv", "wheel.csv", "truth.csv"] {
      let first = try scratch.bytes("a/\(file)")
      let second = try scratch.bytes("b/\(file)")
      #expect(first == second && !first.isEmpty, "\(file)")
    }
  }

  @Test func readingAndWritingAgainGivesTheSameBytes() throws {
    let scratch = ScratchFolder()
    try write(to: scratch("a"))
    let drive = try DriveReader(path: scratch("a"))
    var writer = try DriveWriter(path: scratch("b"), description: drive.description)
    var samples = try drive.samples()
    while let sample = try samples.next() { try writer.write(sample) }
    var truth = try drive.truth()
    while let sample = try truth.next() { try writer.write(sample) }
    try writer.finish()
    for file in ["drive.json", "imu.csv", "gnss.csv", "wheel.csv", "truth.csv"] {
      let first = try scratch.bytes("a/\(file)")
      let second = try scratch.bytes("b/\(file)")
      #expect(first == second, "\(file)")
    }
  }

  @Test func driveIsNotOverwrittenUnlessAsked() throws {
    let scratch = ScratchFolder()
    try write(to: scratch("a"))
    #expect(driveError { try write(to: scratch("a")) } == .alreadyExists(path: scratch("a")))
    try write(to: scratch("a"), overwriting: true)
  }

  @Test func overwritingLeavesNoOldTableBehind() throws {
    let scratch = ScratchFolder()
    try write(to: scratch("a"))
    var writer = try DriveWriter(
      path: scratch("a"), description: DriveDescription(name: "less"), overwriting: true)
    try writer.write(.wheel(WheelSample(time: Timestamp(seconds: 0), speed: 1)))
    try writer.finish()
    let drive = try DriveReader(path: scratch("a"))
    #expect(drive.hasWheel && !drive.hasInertial && !drive.hasGNSS && !drive.hasTruth)
  }

  @Test func brokenValuesAreWrittenSoThatTheReaderCountsThem() throws {
    let scratch = ScratchFolder()
    var writer = try DriveWriter(path: scratch("a"), description: DriveDescription(name: "broken"))
    for (i, speed) in [1, Double.nan, .infinity, 2].enumerated() {
      try writer.write(.wheel(WheelSample(time: Timestamp(seconds: Double(i)), speed: speed)))
    }
    try writer.finish()
    let contents = try Contents(scratch("a"))
    #expect(contents.rejected("wheel.csv")?.nonFinite == 2)
    #expect(contents.samples.count == 2)
  }

  @Test func wheelWithoutYawRateHasNoColumnForIt() throws {
    let scratch = ScratchFolder()
    var writer = try DriveWriter(
      path: scratch("a"), description: DriveDescription(name: "plain"), hasWheelYawRate: false)
    try writer.write(.wheel(WheelSample(time: Timestamp(seconds: 0.0125), speed: 1)))
    try writer.finish()
    #expect(
      String(decoding: try scratch.bytes("a/wheel.csv"), as: UTF8.self)
        == "time_s,speed_m_s\n0.0125,1.0000\n")
  }

  #if os(Linux)
    @Test func fullDiskIsAnError() {
      let error = driveError {
        var writer = try TrackWriter(path: "/dev/full", format: .csv)
        try writer.finish()
      }
      guard case .system("/dev/full", "write", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  #endif

  @Test func unwritablePlaceIsAnError() {
    let error = driveError {
      _ = try DriveWriter(path: "/proc/no/such", description: DriveDescription(name: "x"))
    }
    guard case .system("/proc/no", "create the folder", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

extension SensorSample {
  /// Equal, but for the last bit of angles that went through degrees.
  fileprivate func isNear(_ other: SensorSample) -> Bool {
    guard case .gnss(var a) = self, case .gnss(let b) = other else { return self == other }
    guard a.position.isNear(b.position), abs((a.courseSigma ?? 0) - (b.courseSigma ?? 0)) < 1e-15 else {
      return false
    }
    guard (a.courseSigma == nil) == (b.courseSigma == nil) else { return false }
    a.position = b.position
    a.courseSigma = b.courseSigma
    return a == b
  }
}

extension GeodeticPosition {
  /// Within a micrometre or so.
  fileprivate func isNear(_ other: GeodeticPosition) -> Bool {
    abs(latitude - other.latitude) < 1e-15 && abs(longitude - other.longitude) < 1e-15
      && height == other.height
  }
}

extension Array where Element: Comparable {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
