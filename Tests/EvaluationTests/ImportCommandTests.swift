import Foundation
import TestParts
import Testing

/// What `reckon import` makes of odd places and logs.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ImportCommandTests {
  private let scratch = ScratchFolder()

  /// An empty folder, as the one that a shell stands in.
  @Test func aDriveIsMadeInTheFolderOfThisProcess() throws {
    try scratch.put("here/.keep", "")
    try FileManager.default.removeItem(atPath: scratch("here/.keep"))
    let log = "$GPRMC,120000,A,5200.0000,N,01300.0000,E,010.0,000.0,010326,,,A\n"
    try scratch.put("log.nmea", log)
    let tool = try #require(Tool.path)
    let run = try ProgramRun(
      "/bin/sh", ["-c", "cd '\(scratch("here"))' && exec '\(tool)' import nmea ../log.nmea --output ."])
    #expect(run.status == 0, "\(run.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: scratch("here")).sorted()
    #expect(made == ["drive.json", "gnss.csv"])
  }

  @Test func sentencesWithoutADateAreSaid() throws {
    let rows = (10...20).map { "$GPGGA,1200\($0),5200.0000,N,01300.0000,E,1,08,1.0,50.0,M,45.0,M,,\n" }
    try scratch.put("log.nmea", rows.joined())
    let run = try Tool.run(["import", "nmea", scratch("log.nmea"), "--output", scratch("out")])
    #expect(run.status == 3)
    #expect(
      run.errors.contains("none of the 11 fixes has a date: let the receiver say RMC or ZDA"), "\(run.errors)"
    )
  }
}
