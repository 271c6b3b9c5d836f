import Drives
import Evaluation
import Foundation
import Navigation
import TestParts
import Testing

/// Runs the built `reckon score`.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct ScoreCommandTests {
  private let made = TrackMade()

  private func drive(seconds: Double = 90) throws -> String {
    try StressMade.write(StressMade.drive(seconds: seconds), in: made.folder)
  }

  private func figures(_ path: String) throws -> [String: Any] {
    let array = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    return try #require((array as? [[String: Any]])?.first)
  }

  /// What replay writes is scored as evaluate scores the engine itself: by the same code, at the same times.
  @Test(arguments: ["csv", "gpx", "tum"])
  func ownTrackHasTheFiguresOfEvaluate(format: String) throws {
    let (drive, track, json) = (try drive(), made("own.\(format)"), made("score.json"))
    #expect(try Tool.run(["replay", drive, "--output", track]).status == 0)
    let run = try Tool.run(["score", track, "--drive", drive, "--json", json, "--report", made("score.html")])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Nothing of these was removed"))
    let estimators = try #require(try figures(json)["estimators"] as? [String: Any])
    let (own, other) = (
      try #require(estimators["causal"] as? [String: Any]),
      try #require(estimators["track"] as? [String: Any])
    )
    #expect(own["count"] as? Int == other["count"] as? Int && (other["availability"] as? Double ?? 0) > 0.9)
    for error in ["horizontal_error_m", "along_track_error_m", "cross_track_error_m", "height_error_m"] {
      let (a, b) = (try #require(own[error] as? [String: Any]), try #require(other[error] as? [String: Any]))
      for key in ["p50", "p95", "max", "rms"] {
        #expect(
          abs(try #require(a[key] as? Double) - (try #require(b[key] as? Double))) < 1e-3, "\(error) \(key)")
      }
    }
    if format != "tum" {
      #expect(own["coverage_68"] as? Double == other["coverage_68"] as? Double)
      #expect(own["coverage_95"] as? Double == other["coverage_95"] as? Double)
    }
    let html = try String(contentsOfFile: made("score.html"), encoding: .utf8)
    #expect(html.contains("\"role\":\"track\"") && html.contains("Other system") && html.contains("ATE"))
  }

  /// A bundled drive, whose truth is of the antenna, some 1.1 m from the IMU.
  private static let commute = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../datasets/open-sky-commute").standardized.path

  private func errors(
    of estimator: String, _ arguments: [String]
  ) throws -> (figures: [String: Double], run: ProgramRun) {
    let json = made("score.json")
    let run = try Tool.run(["score"] + arguments + ["--drive", Self.commute, "--json", json])
    #expect(run.status == 0, "\(run.errors)")
    let estimators = try #require(try figures(json)["estimators"] as? [String: Any])
    let score = try #require(estimators[estimator] as? [String: Any])
    let errors = try #require(score["horizontal_error_m"] as? [String: Any])
    return (errors.compactMapValues { $0 as? Double }, run)
  }

  /// It was scored as if the IMU were at the antenna: 1.02 m in place of 0.61 m in the median.
  /// TUM has an attitude also before the heading is known, so that its first points are moved the wrong way.
  @Test(arguments: ["csv", "gpx", "tum"])
  func ownTrackIsMovedToThePointOfTheTruth(format: String) throws {
    let track = made("own.\(format)")
    #expect(try Tool.run(["replay", Self.commute, "--output", track]).status == 0)
    let (own, _) = try errors(of: "causal", [track])
    let (moved, run) = try errors(of: "track", [track, "--no-engine"])
    for key in format == "tum" ? ["p50", "p68"] : ["p50", "p68", "p95", "rms"] {
      let (a, b) = (try #require(own[key]), try #require(moved[key]))
      #expect(abs(a - b) < 0.02, "\(key): \(a), \(b)")
    }
    #expect(run.output.contains("moved to the truth's point by drive.json: -0.70 m forward, 0.55 right"))
    let (left, other) = try errors(of: "track", [track, "--no-engine", "--point", "truth"])
    let (here, there) = (try #require(own["p50"]), try #require(left["p50"]))
    #expect(there > here + 0.2 && !other.output.contains("moved to"), "\(here), \(there)")
  }

  /// Without the columns of ours a table is of the truth's point.
  @Test func aTrackThatCannotBeMovedIsSaid() throws {
    let own = made("own.csv")
    #expect(try Tool.run(["replay", Self.commute, "--output", own]).status == 0)
    let rows = try String(contentsOfFile: own, encoding: .utf8).split(separator: "\n")
    let places = rows.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).prefix(4).joined(separator: ",")
    }
    let track = try made.put("places.csv", places.joined(separator: "\n") + "\n")
    let (left, plain) = try errors(of: "track", [track, "--no-engine"])
    #expect(try #require(left["p50"]) > 0.8 && !plain.errors.contains("attitude"), "\(plain)")
    let (_, told) = try errors(
      of: "track", [track, "--no-engine", "--point", "imu", "--time-shift", "-0.05"])
    #expect(told.errors.contains("note: no point has an attitude"), "\(told)")
  }

  @Test func unusableArgumentsEndWithTwo() throws {
    let track = try made.put("a.csv", "time_s,latitude_deg,longitude_deg\n1,52.5,13.4\n")
    for arguments in [
      [], ["--drive", "a", "--truth", "b"], ["--drive", "a", "--time", "tai"],
      ["--drive", "a", "--origin", "1,2"],
      ["--drive", "a", "--origin", "91,2,3"], ["--drive", "a", "--pairing", "-1"],
      ["--drive", "a", "--point", "antenna"], ["--truth", "a", "--point", "imu"],
      ["--drive", "a", "--json", "/nowhere/at/all.json"],
    ] {
      let run = try Tool.run(["score", track] + arguments)
      #expect(run.status == 2 && !run.errors.isEmpty, "\(arguments)")
    }
  }

  @Test func unusableDataEndsWithThreeAndSaysWhere() throws {
    let drive = try drive()
    for (text, said) in [
      ("", "no point"), ("garbage\n", "line 1"),
      ("time_s,latitude_deg,longitude_deg\n1000,52.5,13.4\n", "nothing to compare"),
    ] {
      let track = try made.put("bad", text)
      let run = try Tool.run(["score", track, "--drive", drive])
      #expect(run.status == 3 && run.errors.contains("bad") && run.errors.contains(said), "\(run.errors)")
    }
    let good = try made.put("a.csv", "time_s,latitude_deg,longitude_deg\n1,52.5,13.4\n")
    #expect(try Tool.run(["score", good, "--drive", made("none")]).status == 3)
    #expect(try Tool.run(["score", good, "--drive", drive, "--no-engine"]).status == 0)
  }

  /// A track may be larger than memory.
  @Test func memoryDoesNotGrowWithTheTrack() throws {
    let drive = try drive()
    func peak(rows: Int) throws -> Int {
      let path = try made.put("long.csv", "time_s,latitude_deg,longitude_deg\n")
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.seekToEnd()
      var text = ""
      for row in 0..<rows {
        text += "\(Double(row) / 1000),52.5000\(row % 10),13.4\n"
        if text.utf8.count > 1 << 20 || row == rows - 1 {
          try handle.write(contentsOf: Data(text.utf8))
          text = ""
        }
      }
      try handle.close()
      let child = try ChildProcess(try #require(Tool.path), ["score", path, "--drive", drive, "--no-engine"])
      let (status, kilobytes) = child.wait()
      #expect(status == 0)
      return kilobytes
    }
    let (short, long) = (try peak(rows: 20_000), try peak(rows: 2_000_000))
    print("score: \(short) kB for 0.5 MB, \(long) kB for 50 MB")
    #expect(short > 1024 && long - short < 8 * 1024)
  }
}
