import Evaluation
import Foundation
import TestParts
import Testing

@Suite struct AblationTests {
  /// What a run came to, with one estimator and outages of 30 s; P50 and the like are all `value`.
  private func result(
    _ drive: String, without part: String? = nil, _ value: Double, ends: [(Double, Double)]
  ) throws -> AblationResult {
    let name = part.map { "\"part\": \"\($0)\"," } ?? ""
    let all = ends.map { "{\"start\": \($0.0), \"error\": \($0.1)}" }.joined(separator: ",")
    // P50, P95, height, heading, coverages, misleading; then of the outages P50, P95, coverage, lost.
    let values = "\(value), \(value), 1, 1, 0.68, 0.95, 0, 1, 1, 0.95, 0"
    let text = """
      {"drive": "\(drive)", \(name) "estimators": ["causal"], "values": [\(values)],
       "outages": [{"length": 30, "ends": [\(all)]}]}
      """
    return try JSONDecoder().decode(AblationResult.self, from: Data(text.utf8))
  }

  private func row(_ ablation: Ablation, _ part: String, _ metric: String) throws -> PairedComparison.Row {
    let part = try #require(ablation.parts.first { $0.name == part })
    return try #require(part.rows.first { $0.metric == metric })
  }

  /// Gosset's sleep data (as in the tests of the comparison) as ten drives.
  @Test func drivesArePairedAndHaveTheirInterval() throws {
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    var results: [AblationResult] = []
    for (a, b) in zip(first, second) {
      // All of one name: each is another drive all the same.
      results.append(try result("town", a, ends: []))
      results.append(try result("town", without: "stillness", b, ends: []))
      results.append(try result("town", without: "barometer", a, ends: []))
    }
    let ablation = Ablation(results)
    #expect(ablation.drives.prefix(2) == ["town", "town#2"] && ablation.drives.count == 10)
    let row = try row(ablation, "stillness", "causal horizontal_error_m p95")
    #expect(row.count == 10 && abs(row.difference - 1.58) < 1e-12)
    #expect(abs(try #require(row.low) - 0.700114) < 1e-6)
    #expect(abs(try #require(row.high) - 2.459886) < 1e-6)
    // Two parts are in view.
    #expect(abs(try #require(row.adjusted) - 2 * 0.002833) < 1e-6)
    #expect(row.isBetter == false)
    #expect(ablation.parts.map(\.changesAnything) == [true, false])
    #expect(ablation.text.contains("without: barometer\n"))
  }

  @Test func endsOfOutagesThatDoNotOverlapArePairedOneByOne() throws {
    let ends = (0..<10).map { (Double($0) * 10, 1 + Double($0)) }
    // The third is not there without the part.
    let without = ends.filter { $0.0 != 60 }.map { ($0.0, $0.1 + 2 + $0.0 / 30) }
    let ablation = Ablation([
      try result("a", 1, ends: ends), try result("a", without: "wheel-speed", 1, ends: without),
    ])
    let each = try row(ablation, "wheel-speed", "outage 30.0 s end_error_m each")
    // Those from 0, 30 and 90 s, in which it is 2, 3 and 5 m.
    #expect(each.count == 3 && abs(each.difference - 10.0 / 3) < 1e-12)
    let (low, high) = (try #require(each.low), try #require(each.high))
    #expect(low < each.difference && each.difference < high)
    #expect(try row(ablation, "wheel-speed", "causal horizontal_error_m p50").low == nil)
  }
}

/// Runs the built `reckon ablate` on a bundled drive.
@Suite(.enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"))
struct AblateCommandTests {
  private let made = TrackMade()

  private static let drive = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("datasets/open-sky-commute").path

  @Test func withoutWhatMattersTheEngineIsWorseAndTheTableSaysSo() throws {
    let (json, page) = (made("a.json"), made("a.html"))
    let run = try Tool.run([
      "ablate", Self.drive, "--parts", "non-holonomic,barometer", "--json", json, "--report", page,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let line = try #require(
      run.output.split(separator: "\n").first { $0.hasPrefix("non-holonomic") && $0.contains(" each ") })
    #expect(line.hasSuffix("worse"), "\(line)")
    // The drive has no barometer.
    #expect(run.output.hasSuffix("without: barometer\n"))
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
    let parts = try #require((object as? [String: Any])?["parts"] as? [[String: Any]])
    #expect(parts.map { $0["part"] as? String } == ["non-holonomic", "barometer"])
    let figures = try #require(parts[0]["figures"] as? [[String: Any]])
    let each = try #require(figures.first { ($0["figure"] as? String)?.hasSuffix("each") == true })
    // Outages of 30 s end 5 m farther off at least, and not by chance.
    let (difference, low) = (
      try #require(each["difference"] as? Double), try #require(each["low_95"] as? Double)
    )
    #expect(difference > 5 && low > 1, "\(difference), \(low)")
    #expect(each["b_is_better"] as? Bool == false)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    for part in [
      "What each part is worth", "<svg", "non-holonomic", "badge worse", "another without: barometer",
    ] {
      #expect(html.contains(part), "\(part)")
    }
  }

  @Test func stoppedStudyGoesOn() throws {
    let drive = try StressMade.write(StressMade.drive("a", seconds: 60), in: made.folder)
    let arguments = [
      "ablate", drive, "--parts", "stillness", "--outages", "10", "--state", made("state"), "--json",
    ]
    // The second run may end in another second, and its date is in what it writes.
    let date = ["SOURCE_DATE_EPOCH": "1700000000"]
    #expect(try Tool.run(arguments + [made("1.json")], environment: date).status == 0)
    let state = try Data(contentsOf: URL(fileURLWithPath: made("state")))
    #expect(state.split(separator: UInt8(ascii: "\n")).count == 2)
    let again = try Tool.run(arguments + [made("2.json")], environment: date)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: made("state"))) == state, "nothing was run again")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: made("1.json")))
        == Data(contentsOf: URL(fileURLWithPath: made("2.json"))))
  }

  @Test func argumentsAndDrivesThatCannotBeUsedAreSaid() throws {
    for arguments in [
      ["--parts", "wings"], ["--parts", ""], ["--parts", "chassis", "--disable", "chassis"],
      ["--shard", "1/2"],
      ["--outages", "x"],
    ] {
      #expect(try Tool.run(["ablate", Self.drive] + arguments).status == 2, "\(arguments)")
    }
    let none = try StressMade.write(StressMade.drive("b", seconds: 60), in: made.folder, truth: false)
    let run = try Tool.run(["ablate", none, "--parts", "chassis"])
    #expect(run.status == 3 && run.errors.contains("truth.csv"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count { $0.contains("error:") } == 1, "\(run.errors)")
  }
}
