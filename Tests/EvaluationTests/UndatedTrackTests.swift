import Drives
import Foundation
import TestParts
import Testing

/// A track without times of day says why it has none.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct UndatedTrackTests {
  private let made = TrackMade()

  private func drive() throws -> String {
    try StressMade.write(StressMade.drive("a", seconds: 20), in: made.folder + "/drives")
  }

  @Test(arguments: ["gpx", "kml", "geojson", "csv", "tum", "mcap"])
  func replayWithoutStartSaysWhyThereAreNoTimes(_ ending: String) throws {
    let drive = try drive()
    let track = made("track." + ending)
    let undated = try Tool.run(["replay", drive, "--output", track])
    #expect(undated.status == 0)
    #expect(
      undated.errors.contains(
        "\(track) has no times of day, because drive.json of \(drive) has no start_utc"),
      "\(undated.errors)")
    // What it says to write there does.
    let file = drive + "/drive.json"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let member = "\"start_utc\": \"2026-03-01T12:00:00.000Z\""
    #expect(undated.errors.contains(member))
    try text.replacing("{", with: "{\(member),", maxReplacements: 1)
      .write(toFile: file, atomically: true, encoding: .utf8)
    let dated = try Tool.run(["replay", drive, "--output", track])
    #expect(dated.status == 0 && !dated.errors.contains("times of day"), "\(dated.errors)")
    guard !["tum", "mcap"].contains(ending) else { return }
    #expect(try String(contentsOfFile: track, encoding: .utf8).contains("2026-03-01T12:00:1"))
  }

  @Test func whatHasNoTimesAtAllSaysNothingOfThem() throws {
    let run = try Tool.run(
      ["replay", try drive(), "--output", made("track.kitti"), "--times", made("times.txt")])
    #expect(run.status == 0 && !run.errors.contains("times of day"), "\(run.errors)")
  }

  @Test func importThatFindsNoDateSaysSo() throws {
    let table = try made.put(
      "fixes.csv", "t,lat,lon\n" + (0..<20).map { "\($0),\(52 + Double($0) * 1e-4),13\n" }.joined())
    let map = try made.put(
      "map.json",
      #"{"gnss": {"file": "fixes.csv", "columns": {"time_s": "t", "latitude_deg": "lat", "longitude_deg": "lon"}}}"#
    )
    let run = try Tool.run(["import", "csv", made.folder, "--map", map, "--output", made("imported")])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("drive.json has no start_utc, because nothing in the source tells when"))
    let description = try String(contentsOfFile: made("imported") + "/drive.json", encoding: .utf8)
    #expect(description.contains("has no start_utc") && !description.contains("\"start_utc\":"))
    _ = table
  }
}
