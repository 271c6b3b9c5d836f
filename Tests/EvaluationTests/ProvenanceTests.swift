import Drives
import Evaluation
import Foundation
import Live
import Programs
import Release
import SensorEvents
import Testing

@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ProvenanceTests {
  private let folder = NSTemporaryDirectory() + "/reckon-provenance-\(UUID())"

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

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

  @Test func evaluateNamesTheOptionsThatCount() throws {
    let json = folder + "/figures.json"
    defer { try? FileManager.default.removeItem(atPath: folder) }
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
