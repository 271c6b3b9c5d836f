import Drives
import Evaluation
import Foundation
import Live
import Programs
import Release
import SensorEvents
import TestParts
import Testing

@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ProvenanceTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  private static let origin = Provenance(
    version: "9.9.9", commit: nil, options: ["--outages", "30"], drive: "a/<b>", date: "2026-03-01T12:00:00Z")

  private func evaluation() -> DriveEvaluation {
    var run = EvaluationRun(truth: TruthTrack([]), geometry: .init(), settings: EvaluationSettings())
    for sample in Made.drive(until: 5) { run.take(sample) }
    return DriveEvaluation(description: DriveDescription(name: "made"), figures: run.finish(), rejections: [])
  }

  @Test func theVersionStandsInOnePlaceAndIsSemantic() {
    let parts = Release.version.split(separator: ".").compactMap { Int($0) }
    #expect(parts.count == 3)
    #expect(ProgramVersion.text.hasPrefix(Release.version + " (commit "))
  }

  @Test func jsonTellsWhereEachDrivesFiguresComeFrom() throws {
    var evaluation = evaluation()
    evaluation.provenance = Self.origin
    let data = Data(EvaluationJSON.text([evaluation]).utf8)
    let array = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let provenance = try #require(array.first?["provenance"] as? [String: Any])
    #expect(Set(provenance.keys) == ["version", "commit", "options", "drive", "date"])
    #expect(provenance["version"] as? String == "9.9.9")
    #expect(provenance["commit"] is NSNull, "a commit that nobody named is null")
    #expect(provenance["options"] as? [String] == ["--outages", "30"])
    #expect(provenance["drive"] as? String == "a/<b>")
    #expect(provenance["date"] as? String == "2026-03-01T12:00:00Z")
  }

  @Test func reportSaysItEscaped() {
    var evaluation = evaluation()
    evaluation.provenance = Self.origin
    let page = HTMLReport.render([DriveReport(evaluation)])
    #expect(
      page.contains(
        "Made by Reckon 9.9.9, commit unknown, on 2026-03-01T12:00:00Z from a/&lt;b&gt; with --outages 30."))
  }

  @Test func recordingKeepsTheProgramAndItsSources() throws {
    let live = LiveConfiguration(
      sources: [SourceDescription(id: SourceID(2), name: "imu at local:", role: .inertial)])
    let text = LiveRecording.text(live, program: "reckon 0.1.0\n(commit unknown)")
    #expect(LiveRecording.program(text) == "reckon 0.1.0 (commit unknown)")
    #expect(LiveRecording.configuration(text)?.sources == live.sources)
    #expect(LiveRecording.program(LiveRecording.text(live)) == nil, "older recordings name none")
  }

  @Test(arguments: ["reckon", "reckond", "tracker", "geofence-alarm", "trip-logger"])
  func everyProgramKnowsItsVersion(_ program: String) throws {
    let run = try Tool.run(["--version"], program: program)
    #expect(run.status == 0)
    #expect(run.output.contains(Release.version), "\(run.output)")
  }

  /// A track says it where the format has room: CSV has none, as most readers take the first line
  /// for the names of columns.
  @Test func tracksSayWhereTheyComeFrom() throws {
    let drive = try StressMade.write(StressMade.drive("<a> & b", seconds: 20), in: folder)
    let sentence =
      "Made by Reckon \(Release.version), commit 0123456789ab, on 2026-01-01T00:00:00Z from \(drive) with --rate 5.0."
    let escaped = sentence.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;")
    let said = [
      "gpx": "<metadata><desc>\(escaped)</desc></metadata>", "gpx-1.0": "<desc>\(escaped)</desc>",
      "kml": "<description>\(escaped)</description>", "tum": "# \(sentence)\n", "kitti": "# \(sentence)\n",
    ]
    for (format, expected) in said {
      let text = try track(of: drive, as: format)
      #expect(text.contains(expected), "\(format): \(text.prefix(500))")
    }
    let json = try JSONSerialization.jsonObject(with: Data(track(of: drive, as: "geojson").utf8))
    let made = try #require((json as? [String: Any])?["provenance"] as? [String: Any])
    #expect(made["drive"] as? String == drive && made["options"] as? [String] == ["--rate", "5.0"])
    #expect(made["commit"] as? String == "0123456789ab" && made["date"] as? String == "2026-01-01T00:00:00Z")
    for format in ["csv", "csv-exact"] { #expect(try track(of: drive, as: format).hasPrefix("time_s,")) }
  }

  /// What `reckon replay` writes; the same to the byte when it is written once more.
  private func track(of drive: String, as format: String) throws -> String {
    let texts = try ["first", "again"].map { name in
      let file = folder + "/" + name
      let run = try Tool.run(
        ["replay", drive, "--rate", "5", "--output", file, "--format", format],
        environment: ["SOURCE_DATE_EPOCH": "1767225600", "RECKON_COMMIT": "0123456789ab"])
      #expect(run.status == 0, "\(run.errors)")
      return try String(contentsOfFile: file, encoding: .utf8)
    }
    #expect(texts[0] == texts[1], "\(format)")
    return texts[0]
  }

  @Test func evaluateNamesTheOptionsThatCount() throws {
    let json = folder + "/figures.json"
    let drive = #filePath.replacing(
      "Tests/EvaluationTests/ProvenanceTests.swift", with: "datasets/open-sky-commute")
    let run = try Tool.run(
      ["evaluate", drive, "--json", json, "--no-wheel", "--disable", "wheel-vibration"],
      environment: ["SOURCE_DATE_EPOCH": "1767225600", "RECKON_COMMIT": "0123456789ab-dirty"])
    #expect(run.status == 0, "\(run.errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: json))
    let array = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let provenance = try #require(array.first?["provenance"] as? [String: Any])
    #expect(provenance["options"] as? [String] == ["--no-wheel", "--disable", "wheel-vibration"])
    #expect(provenance["date"] as? String == "2026-01-01T00:00:00Z")
    #expect(provenance["commit"] as? String == "0123456789ab-dirty")
  }
}
