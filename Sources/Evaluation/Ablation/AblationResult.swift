import Drives

/// The figures of one drive with all parts of the engine, or without one of them.
public struct AblationResult: Sendable, Equatable, Codable {
  /// The end of one outage.
  struct End: Sendable, Equatable, Codable {
    /// When the fixes stopped, seconds on the drive's time line, and how far off the
    /// position was at the end, m.
    var start: Double, error: Double
  }

  /// Outages of one length.
  struct Outages: Sendable, Equatable, Codable {
    var length: Double
    var ends: [End]
  }

  /// Name of the drive.
  public var drive: String
  /// The part that was switched off; nil where none was.
  public var part: String?
  /// What was scored, the engine as it ran and with hindsight.
  var estimators: [String]
  var outages: [Outages]
  /// The values of ``metrics``; nil where one could not be had.
  var values: [Double?]

  /// The figures of an evaluation without `part`.
  init(_ evaluation: DriveEvaluation, part: String?) throws(EvaluationError) {
    let figures = evaluation.figures
    drive = evaluation.description.name
    self.part = part
    estimators = [("causal", figures.causal), ("fixed_lag", figures.fixedLag), ("full", figures.full)]
      .compactMap { name, score in score.map { _ in name } }
    outages = figures.outages.map { score in
      Outages(
        length: score.length,
        ends: score.results.map { End(start: $0.start, error: $0.endError) })
    }
    values = []
    let known = Dictionary(
      try EvaluationRecord.of([EvaluationFigureText(evaluation)])[0].values.map { ($0.metric, $0.value) }
    ) { first, _ in first }
    values = metrics.map { known[$0] ?? nil }
  }

  /// What the values are of.
  var metrics: [EvaluationMetric] {
    estimators.flatMap { name in EvaluationMetric.ofEstimatorsAblated.map { $0.of(name) } }
      + outages.flatMap { outage in
        EvaluationMetric.ofOutages.filter { $0.name != "end_error_m max" }.map {
          $0.of("outage \(outage.length) s")
        }
      }
  }

  /// The drive for a comparison, under a name that no other drive has.
  func sample(named name: String) -> PairedComparison.Sample {
    PairedComparison.Sample(drive: name, values: Array(zip(metrics, values)))
  }

  /// Each outage as a sample of its own, or those alone that do not overlap: the errors of those
  /// that do are of the same way.
  func outageSamples(named name: String, apart: Bool) -> [PairedComparison.Sample] {
    outages.flatMap { outage in
      let metric = EvaluationMetric.eachOutage(length: outage.length)
      var free = -Double.infinity
      return outage.ends.compactMap { end -> PairedComparison.Sample? in
        guard !apart || end.start >= free else { return nil }
        free = end.start + outage.length
        return PairedComparison.Sample(
          drive: "\(name) \(outage.length) s from \(end.start) s", values: [(metric, end.error)])
      }
    }
  }
}

extension EvaluationMetric {
  /// What a part of the engine may be worth.
  fileprivate static let ofEstimatorsAblated = ofEstimators.filter { metric in
    [
      "horizontal_error_m p50", "horizontal_error_m p95", "height_error_m p95", "heading_error_deg p95",
      "coverage_68", "coverage_95", "misleading",
    ].contains(metric.name)
  }

  /// How far off the position is at the end of one outage.
  fileprivate static func eachOutage(length: Double) -> EvaluationMetric {
    EvaluationMetric("end_error_m each", floor: 0.1).of("outage \(length) s")
  }
}
