import Foundation
import TestParts
import Testing

/// What commands say of a drive that holds less than its files promise, and of places that cannot be written.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct DriveNoteTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }
  private var drive: String { folder + "/drive" }
  private static let imuHeader =
    "time_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,accel_x_m_s2,accel_y_m_s2,accel_z_m_s2\n"
  private static let gnssHeader =
    "time_s,latitude_deg,longitude_deg,height_m,sigma_north_m,sigma_east_m,sigma_down_m\n"
  private static let truthHeader = "time_s,latitude_deg,longitude_deg,height_m\n"

  init() throws {
    try put("drive.json", #"{"name": "straight"}"#)
    try put("imu.csv", Self.imuHeader + (0...1000).map { "\(Double($0) / 50),0,0,0,0,0,-9.81\n" }.joined())
    try put(
      "gnss.csv", Self.gnssHeader + (0...20).map { "\($0),\(52 + Double($0) * 1e-4),13,50,1,1,2\n" }.joined())
  }

  private func put(_ name: String, _ text: String) throws { try scratch.put("drive/" + name, text) }

  @Test func filesOfAnotherClockAreSaid() throws {
    let places = Self.truthHeader + (5000...5003).map { "\($0),52,13,50\n" }.joined()
    for (name, text) in [
      ("wheel.csv", "time_s,speed_m_s\n5000,1\n5003,1\n"),
      ("barometer.csv", "time_s,pressure_pa\n5000,101325\n5003,101325\n"), ("truth.csv", places),
      ("receiver.csv", places),
    ] { try put(name, text) }
    let words = "holds from 5000.0 to 5003.0 s, the fixes from 0.0 to 20.0 s: no time in common"
    let (replay, evaluate) = (try Tool.run(["replay", drive]), try Tool.run(["evaluate", drive]))
    #expect(replay.status == 0 && evaluate.status == 0)
    for name in ["wheel.csv", "barometer.csv"] {
      #expect(replay.errors.contains("note: \(name) \(words)"), "\(replay.errors)")
    }
    for name in ["wheel.csv", "barometer.csv", "truth.csv", "receiver.csv"] {
      #expect(evaluate.errors.contains("note: \(drive): \(name) \(words)"), "\(evaluate.errors)")
    }
  }

  @Test func aFileInMillisecondsIsSaid() throws {
    try put(
      "gnss.csv",
      Self.gnssHeader + (0...20).map { "\($0 * 1000),\(52 + Double($0) * 1e-4),13,50,1,1,2\n" }.joined())
    let run = try Tool.run(["replay", drive])
    let words = "imu.csv holds from 0.0 to 20.0 s, the fixes from 0.0 to 20000.0 s, a thousand times as long"
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func anIMUInAnotherUnitIsSaidWithWhatToCheck() throws {
    let rows = (0...1000).map { "\(Double($0) / 50),0,0,0,0.00\($0 % 3),0.00\($0 % 2),-1.0\($0 % 3)\n" }
    try put("imu.csv", Self.imuHeader + rows.joined())
    let run = try Tool.run(["replay", drive])
    #expect(run.errors.contains("the IMU is broken from time_s 1.0 on"), "\(run.errors)")
    for words in [
      "1.01 m/s² and 0.000 rad/s in the mean", "not g: 9.81", "rad/s, not deg/s", "order and signs",
    ] {
      #expect(run.errors.contains(words), "\(words) in \(run.errors)")
    }
  }

  /// A name may hold what a terminal obeys.
  @Test func whatAFileSaysIsShownAndNotObeyed() throws {
    try put("gnss.csv", Self.gnssHeader.replacing("height_m", with: "height_m,\u{1B}]0;owned\u{07}"))
    let run = try Tool.run(["replay", drive])
    #expect(run.errors.contains("owned") && !run.errors.contains("\u{1B}"), "\(run.errors)")
  }

  /// A drive's name may hold what a terminal obeys.
  @Test(arguments: ["replay", "evaluate"]) func aNameIsShownAndNotObeyed(_ command: String) throws {
    try put("drive.json", #"{"name": "\u001b[2Jowned"}"#)
    let run = try Tool.run([command, drive])
    #expect(run.status == 0 && run.output.contains("owned") && !run.output.contains("\u{1B}"))
  }

  @Test func filesOfOneClockAreNotSaid() throws {
    try put("wheel.csv", "time_s,speed_m_s\n10,11\n11,11\n")
    let run = try Tool.run(["replay", drive])
    #expect(!run.errors.contains("no time in common") && !run.errors.contains("no fix"), "\(run.errors)")
  }

  @Test func nothingToWorkWithIsSaid() throws {
    try put("gnss.csv", Self.gnssHeader)
    let header = try Tool.run(["replay", drive])
    #expect(header.status == 0 && header.errors.contains("note: no fix: there is nothing to position by"))
    try FileManager.default.removeItem(atPath: drive + "/gnss.csv")
    let none = try Tool.run(["replay", drive])
    #expect(none.status == 0 && none.errors.contains("note: no fix: there is nothing to position by"))
    try put("gnss.csv", Self.gnssHeader + "1,52,13,50,1,1,2\n")
    try put("imu.csv", Self.imuHeader)
    let imu = try Tool.run(["replay", drive])
    #expect(imu.status == 0 && imu.errors.contains("note: imu.csv holds no row below its header"), "\(imu)")
  }

  @Test(arguments: ["kitti", "comma2k19", "urbannav", "kfgins", "f9r", "gsdc"])
  func whatIsNotThereToImportIsSaidAsSuch(_ format: String) throws {
    let none = try Tool.run(["import", format, folder + "/none", "--output", folder + "/out"])
    #expect(none.status == 3 && none.errors.contains("\(folder)/none: there is no such file or folder"))
    let file = try Tool.run(["import", format, drive + "/gnss.csv", "--output", folder + "/out"])
    #expect(file.status == 3 && file.errors.contains("is a file, and a folder is needed"), "\(file.errors)")
  }

  /// In /sys nobody makes a folder, not even root.
  @Test func aFolderThatCannotBeMadeIsSaidWithTheReason() throws {
    let place = "/sys/reckon/a"
    for arguments in [["simulate", "town", "--output", place], ["evaluate", drive, "--figures", place]] {
      let run = try Tool.run(arguments)
      #expect(run.status == 3, "\(run)")
      #expect(run.errors.contains("cannot create the folder: "), "\(run.errors)")
      #expect(!run.errors.contains("No such file") && !run.errors.contains("NSCocoa"), "\(run.errors)")
    }
    let file = try Tool.run(["simulate", "town", "--output", drive + "/gnss.csv"])
    #expect(file.status == 3 && file.errors.contains("a file of that name is there"), "\(file.errors)")
    let forced = try Tool.run(["simulate", "town", "--output", drive + "/gnss.csv", "--force"])
    #expect(forced.status == 3 && forced.errors.contains("a file of that name is there"), "\(forced.errors)")
  }
}
