import Drives
import Evaluation
import Foundation
import JSON
import Navigation
import Testing

@Suite struct EvaluationJSONTests {
  /// The JSON of one made-up drive, decoded.
  private func decoded(withTruth: Bool) throws -> [String: Any] {
    var settings = EvaluationSettings()
    settings.outageLengths = [10, 30]
    var run = EvaluationRun(
      truth: withTruth ? Made.track(until: 60) : TruthTrack([]), geometry: .init(), settings: settings)
    for sample in Made.drive(until: 60) { run.take(sample) }
    let evaluation = DriveEvaluation(
      description: DriveDescription(name: "made \"up\"\n", kind: .simulated), figures: run.finish(),
      rejections: [RowRejections(file: "imu.csv")])
    let data = Data(EvaluationJSON.text([evaluation]).utf8)
    let array = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(array.count == 1)
    return array[0]
  }

  private func object(_ parent: [String: Any], _ key: String) throws -> [String: Any] {
    try #require(parent[key] as? [String: Any], "\(key) is no object")
  }

  private let statistics = ["p50", "p68", "p95", "p99", "max", "rms"]

  @Test func everyKeyOfTheFormatIsThere() throws {
    let drive = try decoded(withTruth: true)
    #expect(drive["drive"] as? String == "made \"up\"\n")
    #expect(drive["kind"] as? String == "simulated")
    #expect(drive["duration_s"] as? Double == 60)
    #expect(abs((drive["distance_m"] as? Double ?? 0) - 600) < 1)
    let estimators = try object(drive, "estimators")
    let gnss = try object(estimators, "gnss")
    #expect(gnss["count"] as? Int == 61)
    for key in statistics { #expect(try object(gnss, "horizontal_error_m")[key] is Double) }
    let causal = try object(estimators, "causal")
    for name in [
      "horizontal_error_m", "along_track_error_m", "cross_track_error_m", "height_error_m", "speed_error_m_s",
      "course_error_deg",
    ] {
      for key in statistics { #expect(try object(causal, name)[key] is Double, "\(name).\(key)") }
    }
    for key in ["coverage_68", "coverage_95", "misleading", "availability"] {
      #expect(causal[key] is Double, "\(key)")
    }
    for key in ["stand_detected_after_s", "stand_released_after_s", "false_stop_s"] {
      #expect(causal[key] != nil)
    }
    #expect(causal["aligned_after_s"] != nil)
    let outages = try #require(drive["outages"] as? [[String: Any]])
    #expect(outages.map { $0["length_s"] as? Double } == [10, 30])
    for outage in outages {
      #expect(outage["count"] is Int)
      for key in ["p50", "p95", "max", "rms"] { #expect(try object(outage, "end_error_m")[key] != nil) }
      for key in ["p50", "p95", "max"] { #expect(try object(outage, "percent_of_distance")[key] != nil) }
    }
    let latency = try object(drive, "latency")
    for sensor in ["imu_ns", "gnss_ns"] {
      for key in ["p50", "p99", "p99_9", "max"] { #expect(try object(latency, sensor)[key] is Double) }
    }
    #expect(latency["allocations"] is NSNull)
    #expect(estimators["receiver"] is NSNull)
    #expect((drive["real_gaps"] as? [Any])?.isEmpty == true)
  }

  @Test func anotherSystemAndRealGapsAreTold() throws {
    let receiver = Made.track(until: 60)
    var run = EvaluationRun(
      truth: Made.track(until: 60), receiver: receiver, geometry: .init(), settings: EvaluationSettings())
    for sample in Made.drive(until: 60) {
      if case .gnss(let fix) = sample, fix.time > Made.time(20), fix.time < Made.time(40) { continue }
      run.take(sample)
    }
    let evaluation = DriveEvaluation(
      description: DriveDescription(name: "gap"), figures: run.finish(), rejections: [])
    let array = try JSONSerialization.jsonObject(with: Data(EvaluationJSON.text([evaluation]).utf8))
    let drive = try #require((array as? [[String: Any]])?.first)
    let estimators = try object(drive, "estimators")
    let causal = try object(estimators, "causal")
    let other = try object(estimators, "receiver")
    #expect(Set(other.keys) == Set(causal.keys))
    #expect(try object(other, "horizontal_error_m")["max"] is Double && other["coverage_95"] is NSNull)
    let gaps = try #require(drive["real_gaps"] as? [[String: Any]])
    #expect(gaps.count == 1 && gaps[0]["length_s"] as? Double == 20)
    for key in [
      "start_s", "end_s", "good_fix_s", "stated_error_m", "compared_before_s", "causal_error_m",
      "receiver_error_m",
    ] {
      #expect(gaps[0][key] is Double, "\(key)")
    }
    #expect(gaps[0]["inside_95"] is Bool)
    let table = EvaluationTable.text([evaluation])
    #expect(table.contains("receiver") && table.contains("real gap"))
    let page = HTMLReport.render([DriveReport(evaluation)])
    #expect(page.contains("Real gaps in the fixes") && page.contains("Receiver's own"))
  }

  @Test func figuresThatCannotBeHadAreNull() throws {
    let drive = try decoded(withTruth: false)
    let estimators = try object(drive, "estimators")
    #expect(estimators["fixed_lag"] is NSNull && estimators["full"] is NSNull)
    for estimator in ["gnss", "causal"] {
      let score = try object(estimators, estimator)
      for key in statistics { #expect(try object(score, "horizontal_error_m")[key] is NSNull) }
      #expect(try object(score, "heading_error_deg")["p50"] is NSNull)
      #expect(score["coverage_68"] is NSNull)
    }
    #expect(try object(estimators, "causal")["availability"] as? Double == 1)
    for outage in try #require(drive["outages"] as? [[String: Any]]) {
      #expect(outage["count"] as? Int == 0)
      #expect(try object(outage, "end_error_m")["p50"] is NSNull)
    }
    #expect(try object(try object(drive, "latency"), "wheel_ns")["p50"] is NSNull)
  }

  @Test func numbersThatAreNotFiniteAreNull() {
    #expect(JSON.figure(.nan).text == "null")
    #expect(JSON.figure(.infinity).text == "null")
    #expect(JSON.figure(-0.0000001).text == "0.0")
    #expect(JSON.figure(1.25).text == "1.25")
  }

  @Test func sameFiguresGiveTheSameBytes() {
    let values = JSON.members([
      "b": .integer(1), "a": .array([.null, .bool(true), .string("\u{1}")]), "c": .array([]),
    ])
    #expect(
      values.indentedText
        == "{\n  \"b\": 1,\n  \"a\": [\n    null,\n    true,\n    \"\\u0001\"\n  ],\n  \"c\": []\n}\n")
  }

  @Test func numbersAlignToTheRightAndNamesToTheLeft() {
    var table = TextTable(["drive", "P50 m"], leading: 1)
    table.add(["a", TextTable.cell(1.005, digits: 1)])
    table.add(["longer", TextTable.cell(-12.34, digits: 1)])
    table.add(["b", TextTable.cell(nil)])
    #expect(table.text == "drive   P50 m\na         1.0\nlonger  -12.3\nb           –\n")
    #expect(TextTable.cell(0.049, digits: 2) == "0.05")
    #expect(TextTable.cell(-0.001, digits: 2) == "0.00")
    #expect(TextTable.cell(1999.9, digits: 0) == "2000")
  }
}
