import Drives
import Fusion

/// Evaluations as JSON: an array with an object a drive; a figure that cannot be had is null.
public enum EvaluationJSON {
  /// The text of the file.
  public static func text(_ evaluations: [DriveEvaluation]) -> String {
    JSONValue.array(evaluations.map(value)).text
  }

  static func value(_ evaluation: DriveEvaluation) -> JSONValue {
    let figures = evaluation.figures
    let kind: JSONValue = evaluation.description.kind.map { .string($0.rawValue) } ?? .null
    let isIndependent: JSONValue =
      evaluation.description.truth?.independentOfGNSS.map(JSONValue.bool) ?? .null
    let outages: [JSONValue] = figures.outages.map { .object(members($0)) }
    let measurements: [(String, JSONValue)] = figures.measurements.map { ($0.kind.rawValue, value($0)) }
    var all: [(String, JSONValue)] = [
      ("drive", .string(evaluation.description.name)),
      ("kind", kind),
      ("truth_independent_of_gnss", isIndependent),
      ("duration_s", JSONValue(figures.duration)),
      ("distance_m", JSONValue(figures.distance)),
      ("estimators", estimators(figures)),
      ("non_finite_solutions", .integer(figures.nonFiniteSolutions)),
      ("outages", .array(outages)),
      ("real_gaps", .array(figures.realGaps.map(value))),
      ("latency", value(figures.latencies, allocations: figures.allocations)),
      ("measurements", .object(measurements)),
      ("rejections", .array(evaluation.rejections.map(value))),
      ("provenance", JSONValue(evaluation.provenance)),
    ]
    if let track = figures.track { all.insert(("track", track.json), at: 6) }
    return .object(all)
  }

  private static func estimators(_ figures: EvaluationFigures) -> JSONValue {
    func score(_ score: EstimatorScore?) -> JSONValue {
      score.map { value($0, start: figures.start) } ?? .null
    }
    var all: [(String, JSONValue)] = [
      ("gnss", value(figures.gnss)), ("causal", score(figures.causal)),
      ("fixed_lag", score(figures.fixedLag)),
      ("full", score(figures.full)), ("receiver", score(figures.receiver)),
    ]
    if let track = figures.track { all.append(("track", score(track.score))) }
    return .object(all)
  }

  private static func value(_ score: EstimatorScore, start: Timestamp? = nil) -> JSONValue {
    let settledAfter: (Timestamp?) -> JSONValue = { time in
      JSONValue(start.flatMap { start in time?.seconds(since: start) })
    }
    return .object([
      ("horizontal_error_m", value(score.horizontal)),
      ("count", .integer(score.count)),
      ("along_track_error_m", value(score.along)),
      ("cross_track_error_m", value(score.cross)),
      ("height_error_m", value(score.height)),
      ("speed_error_m_s", value(score.speed)),
      ("course_error_deg", value(score.courseDegrees)),
      ("heading_error_deg", value(score.headingDegrees)),
      ("coverage_68", JSONValue(score.coverage68)),
      ("coverage_95", JSONValue(score.coverage95)),
      ("misleading", JSONValue(score.misleading)),
      ("availability", JSONValue(score.availability)),
      ("aligned_after_s", JSONValue(score.alignedAfter)),
      ("position_nees", JSONValue(score.positionNEES)),
      ("lag_s", JSONValue(score.lag)),
      ("course_delay_s", JSONValue(score.courseDelay)),
      ("heading_settled_after_s", settledAfter(score.headingSettled)),
      ("tilt_settled_after_s", settledAfter(score.tiltSettled)),
      ("standstill_drift_m", value(score.standstillDrift)),
      ("stand_detected_after_s", value(score.standFoundAfter)),
      ("stand_released_after_s", value(score.standReleasedAfter)),
      ("false_stop_s", JSONValue(score.falseStop)),
      ("standstill_count", .integer(score.standstillDrift?.count ?? 0)),
    ])
  }

  private static func value(_ statistics: ErrorStatistics?) -> JSONValue {
    .object([
      ("p50", JSONValue(statistics?.p50)), ("p68", JSONValue(statistics?.p68)),
      ("p95", JSONValue(statistics?.p95)), ("p99", JSONValue(statistics?.p99)),
      ("max", JSONValue(statistics?.max)), ("rms", JSONValue(statistics?.rms)),
      ("mean", JSONValue(statistics?.mean)),
    ])
  }

  private static func members(_ score: OutageScore) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("length_s", JSONValue(score.length)),
      ("count", .integer(score.count)),
      ("lost", .integer(score.lost)),
      ("end_error_m", value(score.endError)),
      ("percent_of_distance", value(score.percentOfDistance)),
      ("percent_count", .integer(score.percentOfDistance?.count ?? 0)),
      ("coverage_68", JSONValue(score.coverage68)),
      ("coverage_95", JSONValue(score.coverage95)),
      ("worst_start_s", JSONValue(score.worstStart)),
    ]
    if !score.byMotion.isEmpty {
      members.append(
        ("by_motion", .object(score.byMotion.map { ($0.motion, .object(self.members($0.score))) })))
      members.append(("windows", .array(score.results.map(value))))
    }
    return members
  }

  private static func value(_ window: OutageResult) -> JSONValue {
    .object([
      ("start_s", JSONValue(window.start)), ("end_error_m", JSONValue(window.endError)),
      ("along_track_error_m", JSONValue(window.along)), ("distance_m", JSONValue(window.distance)),
      ("accuracy_68_m", JSONValue(window.accuracy68)), ("accuracy_95_m", JSONValue(window.accuracy95)),
      ("motion", .string(window.motion.rawValue)),
    ])
  }

  private static func value(_ gap: RealGap) -> JSONValue {
    .object([
      ("start_s", JSONValue(gap.start)), ("end_s", JSONValue(gap.end)), ("length_s", JSONValue(gap.length)),
      ("good_fix_s", JSONValue(gap.goodFix)), ("stated_error_m", JSONValue(gap.statedError)),
      ("compared_before_s", JSONValue(gap.lead)), ("causal_error_m", JSONValue(gap.causalError)),
      ("accuracy_68_m", JSONValue(gap.accuracy68)), ("accuracy_95_m", JSONValue(gap.accuracy95)),
      ("inside_95", gap.isInside95.map(JSONValue.bool) ?? .null),
      ("receiver_error_m", JSONValue(gap.receiverError)),
    ])
  }

  private static func value(_ latencies: SampleLatencies, allocations: Int?) -> JSONValue {
    .object([
      ("imu_ns", value(latencies.inertial)), ("gnss_ns", value(latencies.gnss)),
      ("wheel_ns", value(latencies.wheel)), ("allocations", allocations.map(JSONValue.integer) ?? .null),
    ])
  }

  private static func value(_ histogram: LatencyHistogram) -> JSONValue {
    .object([
      ("p50", JSONValue(histogram.percentile(0.5))), ("p99", JSONValue(histogram.percentile(0.99))),
      ("p99_9", JSONValue(histogram.percentile(0.999))), ("max", JSONValue(histogram.max.map(Double.init))),
      ("count", .integer(histogram.count)),
    ])
  }

  private static func value(_ counts: MeasurementCounts) -> JSONValue {
    .object([
      ("count", .integer(counts.count)), ("accepted", .integer(counts.accepted)),
      ("weighed_down", .integer(counts.weighedDown)), ("outlier", .integer(counts.outliers)),
      ("stale", .integer(counts.stale)), ("non_finite", .integer(counts.nonFinite)),
      ("repeated", .integer(counts.repeated)), ("extrapolated", .integer(counts.extrapolated)),
      ("carried", .integer(counts.carried)), ("contradicted", .integer(counts.contradicted)),
      ("nis_per_dimension", JSONValue(counts.nisPerDimension)),
    ])
  }

  private static func value(_ rows: RowRejections) -> JSONValue {
    .object([
      ("file", .string(rows.file)), ("accepted", .integer(rows.accepted)),
      ("non_finite", .integer(rows.nonFinite)), ("out_of_range", .integer(rows.outOfRange)),
      ("out_of_order", .integer(rows.outOfOrder)),
      ("repeated", .integer(rows.repeated)), ("truncated", .integer(rows.truncated)),
      ("notes", .array(rows.notes.map { .string($0) })),
    ])
  }
}
