import Foundation
import TestParts
import Testing

/// Tables that are not what they seem, and what is said of them.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct OddTableTests {
  private let scratch = ScratchFolder()
  private var drive: String { scratch("drive") }

  init() throws {
    let imu = "time_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,accel_x_m_s2,accel_y_m_s2,accel_z_m_s2\n"
    try scratch.put("drive/drive.json", #"{"name": "straight"}"#)
    try scratch.put(
      "drive/imu.csv", imu + (0...1000).map { "\(Double($0) / 50),0,0,0,0,0,-9.81\n" }.joined())
    try scratch.put("drive/gnss.csv", gnss((0...20).map(Double.init)))
  }

  private func gnss(_ times: [Double]) -> String {
    "time_s,latitude_deg,longitude_deg\n" + times.map { "\($0),\(52 + $0 * 1e-4),13\n" }.joined()
  }

  private func errors(_ command: String = "replay", status: Int32 = 0) throws -> String {
    let run = try Tool.run([command, drive])
    #expect(run.status == status, "\(run.errors)")
    return run.errors
  }

  @Test func aDriveInMillisecondsIsSaid() throws {
    let imu = String(decoding: try scratch.bytes("drive/imu.csv"), as: UTF8.self)
    try scratch.put(
      "drive/imu.csv",
      imu.split(separator: "\n").enumerated().map { i, row in
        i == 0 ? "\(row)\n" : "\((i - 1) * 20)\(row.drop { $0 != "," })\n"
      }.joined())
    let rows = (0...20).map { "\($0 * 1000),\(52 + Double($0) * 1e-4),13\n" }.joined()
    try scratch.put("drive/gnss.csv", "time_s,latitude_deg,longitude_deg\n" + rows)
    #expect(
      try errors().contains("imu.csv holds a sample every 20.0 s, which is too seldom: is its time_s in ms?"))
  }

  @Test func aTableThatIsOnlyThereAsGzipIsSaid() throws {
    try FileManager.default.moveItem(atPath: drive + "/gnss.csv", toPath: drive + "/gnss.csv.gz")
    #expect(try errors().contains("note: gnss.csv.gz is not read: unpack it (gunzip gnss.csv.gz)"))
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 8, 0], "is packed by gzip"), ([0xFF, 0xFE, 0x74, 0], "is text in UTF-16"),
      ([0xFE, 0xFF, 0, 0x74], "is text in UTF-16"),
    ] as [([UInt8], String)])
  func aTableThatIsNoTextOfOursIsSaid(bytes: [UInt8], words: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: drive + "/gnss.csv"))
    #expect(try errors(status: 3).contains("gnss.csv: \(words)"))
    let log = try Tool.run(["import", "nmea", drive + "/gnss.csv", "--output", scratch("out")])
    #expect(log.status == 3 && log.errors.contains("gnss.csv: \(words)"), "\(log.errors)")
  }

  @Test func rowsThatAreNotSortedAreSaidWithWhatToDo() throws {
    try scratch.put("drive/gnss.csv", gnss((0...20).reversed().map(Double.init)))
    #expect(try errors().contains("20 out of order of 21. Sort them by time_s."))
  }
}
