import Foundation
import TestParts
import Testing

/// A folder where a file is needed.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct FolderForFileTests {
  private let scratch = ScratchFolder()

  @Test(arguments: ["gpsd", "nmea", "gnsslogger", "mcap", "ulog"])
  func aFolderInsteadOfAFileIsSaidWithWhatIsInIt(_ format: String) throws {
    for name in ["b.log", "a.log", ".hidden", "c.log", "d.log", "sub/e.log"] {
      try scratch.put("logs/" + name, "x")
    }
    let run = try Tool.run(["import", format, scratch("logs"), "--output", scratch("out")])
    #expect(run.status == 3)
    let words = "is a folder, and a file is needed; name one of those in it (a.log, b.log, c.log and 1 more)"
    #expect(run.errors.contains("error: \(scratch("logs")): \(words)"), "\(run.errors)")
    let empty = try Tool.run(["import", format, scratch("logs/sub/.."), "--output", scratch("out")])
    #expect(empty.status == 3)
  }

  @Test func aFolderInPlaceOfATableIsSaid() throws {
    let drive = try StressMade.write(StressMade.drive("a", seconds: 20), in: scratch("drives"))
    try FileManager.default.removeItem(atPath: drive + "/imu.csv")
    try FileManager.default.createDirectory(atPath: drive + "/imu.csv", withIntermediateDirectories: false)
    let run = try Tool.run(["replay", drive])
    #expect(
      run.status == 3 && run.errors.contains("imu.csv: is a folder, and a file is needed"), "\(run.errors)")
  }
}
