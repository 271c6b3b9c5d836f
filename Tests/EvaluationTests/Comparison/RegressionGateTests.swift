import Drives
import Evaluation
import Foundation
import Fusion
import Simulation
import Testing

@Suite struct RegressionGateTests {
  /// A run over one simulated drive, and with all noise that the filter assumes times `factor`.
  private func records(seed: UInt64, noise factor: Double = 1) throws -> [EvaluationRecord] {
    let drive = Simulator(scenario: .ideal, seed: seed).run()
    var settings = EvaluationSettings()
    settings.outageLengths = [20]
    settings.configure = { configuration in
      for key in [
        \ProcessNoise.gyroHorizontal, \.gyroHorizontalPerSpeed, \.accel, \.gyroBias, \.accelBias, \.mounting,
        \.odometerScale,
      ] {
        configuration.processNoise[keyPath: key] *= factor
        configuration.odometryNoise[keyPath: key] *= factor
      }
    }
    let evaluation = DriveEvaluator(settings: settings).evaluate(
      description: drive.description, samples: drive.samples, truth: drive.truth)
    return try EvaluationRecord.of([EvaluationFigureText(evaluation)])
  }

  /// Twenty times, as whoever releases asks of it.
  @Test func noiseDoubledIsCaughtAndNothingChangedPasses() throws {
    var caught = 0
    var passed = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let baseline = try records(seed: seed)
      let gate = RegressionGate()
      if gate.compare(baseline: baseline, now: try records(seed: seed)).isPassed { passed += 1 }
      if !gate.compare(baseline: baseline, now: try records(seed: seed, noise: 2)).isPassed { caught += 1 }
    }
    print("regression gate: \(caught) of 20 worse filters caught, \(passed) of 20 unchanged ones passed")
    #expect(caught == 20 && passed == 20)
  }

  private static func text(p95: Double?, coverage: Double = 0.95, drive: String = "a") -> String {
    """
    [{"drive": "\(drive)", "estimators": {"causal": {"horizontal_error_m": {"p95": \(p95.map { "\($0)" } ?? "null")},
      "coverage_95": \(coverage)}, "fixed_lag": null}, "outages": [], "non_finite_solutions": 0}]
    """
  }

  private func finding(_ before: String, _ after: String) throws -> RegressionGate.Finding {
    let made = TrackMade()
    return RegressionGate().compare(
      baseline: try EvaluationRecord.read(try made.put("a.json", before)),
      now: try EvaluationRecord.read(try made.put("b.json", after)))
  }

  @Test func whatGotWorseIsNamedWithItsTolerance() throws {
    let worse = try finding(Self.text(p95: 2), Self.text(p95: 2.2))
    let item = try #require(worse.worse.first)
    #expect(worse.worse.count == 1 && item.drive == "a" && item.metric == "causal horizontal_error_m p95")
    #expect(item.before == 2 && item.after == 2.2 && item.tolerance == 0.1)
    #expect(
      !worse.isPassed && worse.text.contains("causal horizontal_error_m p95") && worse.text.contains("2.200"))
    #expect(try finding(Self.text(p95: 2), Self.text(p95: 2.09)).isPassed)
    // Two centimetres are nothing, however small the error was.
    #expect(try finding(Self.text(p95: 0.01), Self.text(p95: 0.029)).isPassed)
    #expect(try finding(Self.text(p95: 2), Self.text(p95: 1)).better == 1)
  }

  @Test func coverageIsWorseOnBothSides() throws {
    for coverage in [0.92, 0.98] {
      #expect(try !finding(Self.text(p95: 2), Self.text(p95: 2, coverage: coverage)).isPassed)
    }
    #expect(try finding(Self.text(p95: 2, coverage: 0.9), Self.text(p95: 2, coverage: 0.97)).isPassed)
  }

  @Test func figuresAndDrivesThatAreGoneAreWorse() throws {
    let gone = try finding(Self.text(p95: 2), Self.text(p95: nil))
    #expect(gone.worse.map(\.after) == [nil] && gone.text.contains("–"))
    let other = try finding(Self.text(p95: 2), Self.text(p95: 2, drive: "b"))
    #expect(other.missing == ["a"] && other.unknown == ["b"] && !other.isPassed)
    #expect(try !finding("[]", Self.text(p95: 2)).isPassed)
  }

  @Test(arguments: ["", "{}", "[1]", "[{\"drive\": 1}]", "{\"shard\": {}}", "[{\"drive\": \"a\"}]", "[NaN]"])
  func whatIsNoJSONOfEvaluateIsSaid(text: String) throws {
    let made = TrackMade()
    let error = #expect(throws: EvaluationError.self) {
      try EvaluationRecord.read(try made.put("a.json", text))
    }
    #expect(error?.description.contains("a.json") == true)
    #expect(throws: EvaluationError.self) { try EvaluationRecord.read(made("none.json")) }
  }
}
