import Foundation
import TestParts
import Testing

/// What cannot be written is said by the name that was asked for, and nothing of it stays.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct NamedOutputTests {
  private let scratch = ScratchFolder()

  /// Files that may not grow, as on a disk that is full.
  private func run(_ arguments: [String]) throws -> ProgramRun {
    let tool = try #require(Tool.path)
    let words = ([tool] + arguments).map { "'\($0)'" }.joined(separator: " ")
    // In units of 512 or 1024 bytes; what the test itself keeps of the output has room.
    return try ProgramRun("/bin/sh", ["-c", "trap '' XFSZ; ulimit -f 16; exec \(words)"])
  }

  @Test func aFullDiskIsSaidByTheNameThatWasAskedFor() throws {
    let drive = try StressMade.write(StressMade.drive("a", seconds: 60), in: scratch("drives"))
    let nmea = scratch("log.nmea")
    let sentences = (0..<2000).map { i in
      let time = String(format: "%02d%02d%02d", 10 + i / 3600, i / 60 % 60, i % 60)
      return "$GPRMC,\(time),A,5200.0000,N,01300.0000,E,000.0,000.0,010326,,,A\r\n"
    }
    try scratch.put("log.nmea", sentences.joined())
    for (arguments, named) in [
      (["replay", drive, "--output", scratch("t.csv")], "t.csv"),
      (["replay", drive, "--output", scratch("t.kitti"), "--times", scratch("times")], "t.kitti"),
      (["simulate", "town", "--output", scratch("town")], "town/imu.csv"),
      (["import", "nmea", nmea, "--output", scratch("imported")], "imported/gnss.csv"),
    ] {
      let run = try run(arguments)
      #expect(run.status == 3, "\(arguments)")
      #expect(run.errors.contains("error: \(scratch(named)): cannot write: "), "\(run.errors)")
      #expect(run.errors.contains("ulimit -f") && !run.errors.contains(".partial"), "\(run.errors)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    #expect(left == ["drives", "log.nmea"])
  }
}
