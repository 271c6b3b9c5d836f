import Foundation
import TestParts
import Testing

/// A drive may be larger than memory: what `reckon replay` holds does not depend on its length. Each is
/// played by a process of its own, whose peak the system tells; that of the tests' own process would be
/// hidden by what other tests have held.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"), .timeLimit(.minutes(15)))
struct LargeReplayTests {
  private let scratch = ScratchFolder()

  @Test func memoryDoesNotGrowWithTheDrive() throws {
    let short = try peak(rows: 20_000)
    let long = try peak(rows: 1_500_000)
    print("replay: \(short) kB for 1.3 MB, \(long) kB for 100 MB")
    #expect(short > 1024 && long - short < 8 * 1024)
  }

  private func peak(rows: Int) throws -> Int {
    try Data(#"{"name": "long"}"#.utf8).write(to: URL(fileURLWithPath: scratch("drive.json")))
    let file = scratch("imu.csv")
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: file))
    var text = "time_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,accel_x_m_s2,accel_y_m_s2,accel_z_m_s2\n"
    for row in 0..<rows {
      // Five milliseconds a row.
      let (seconds, rest) = (row / 200, row % 200 * 5)
      text += "\(seconds).\(rest < 10 ? "00" : rest < 100 ? "0" : "")\(rest)"
      text += ",0.0123457,-0.0023457,0.1123457,0.123457,-0.223457,-9.806651\n"
      if text.utf8.count > 1 << 20 || row == rows - 1 {
        try handle.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try handle.close()
    let child = try ChildProcess(try #require(Tool.path), ["replay", scratch.path])
    let (status, kilobytes) = child.wait()
    #expect(status == 0)
    return kilobytes
  }
}
