import Drives
import Fusion
import JSON

/// Evaluations as JSON: an array with an object a drive; a figure that cannot be had is null.
public enum EvaluationJSON {
  /// The text of the file.
  public static func text(_ evaluations: [DriveEvaluation]) -> String {
    JSON.array(evaluations.map(value)).indentedText
  }

  static func value(_ evaluation: DriveEvaluation) -> JSON {
    let figures = evaluation.figures
    let kind: JSON = evaluation.description.kind.map { .string($0.rawValue) } ?? .null
    let isIndependent: JSON =
      evaluation.description.truth?.independentOfGNSS.map(JSON.bool) ?? .null
    return .members([
      "drive": .string(evaluation.description.name),
      "kind": kind,
      "truth_independent_of_gnss": isIndependent,
      "duration_s": .figure(figures.duration),
      "distance_m": .figure(figures.distance),
      "estimators": estimators(figures),
      "track": figures.track?.json,
      "non_finite_solutions": .integer(figures.nonFiniteSolutions),
      "outages": .array(figures.outages.map(value)),
      "real_gaps": .array(figures.realGaps.map(value)),
      "latency": value(figures.latencies, allocations: figures.allocations),
      "measurements": .object(figures.measurements.map { .init(key: $0.kind.rawValue, value: value($0)) }),
      "rejections": .array(evaluation.rejections.map(value)),
      "provenance": evaluation.provenance?.json ?? .null,
    ])
  }

  private static func estimators(_ figures: EvaluationFigures) -> JSON {
    func score(_ score: EstimatorScore?) -> JSON {
      score.map { value($0, start: figures.start) } ?? .null
    }
    return .members([
      "gnss": value(figures.gnss), "causal": score(figures.causal), "fixed_lag": score(figures.fixedLag),
      "full": score(figures.full), "receiver": score(figures.receiver),
      "track": figures.track.map { score($0.score) },
    ])
  }

  private static func value(_ score: EstimatorScore, start: Timestamp? = nil) -> JSON {
    let settledAfter: (Timestamp?) -> JSON = { time in
      .figure(start.flatMap { start in time?.seconds(since: start) })
    }
    return .members([
      "horizontal_error_m": value(score.horizontal),
      "count": .integer(score.count),
      "along_track_error_m": value(score.along),
      "cross_track_error_m": value(score.cross),
      "height_error_m": value(score.height),
      "speed_error_m_s": value(score.speed),
      "course_error_deg": value(score.courseDegrees),
      "heading_error_deg": value(score.headingDegrees),
      "coverage_68": .figure(score.coverage68),
      "coverage_95": .figure(score.coverage95),
      "misleading": .figure(score.misleading),
      "availability": .figure(score.availability),
      "aligned_after_s": .figure(score.alignedAfter),
      "position_nees": .figure(score.positionNEES),
      "lag_s": .figure(score.lag),
      "course_delay_s": .figure(score.courseDelay),
      "heading_settled_after_s": settledAfter(score.headingSettled),
      "tilt_settled_after_s": settledAfter(score.tiltSettled),
      "standstill_drift_m": value(score.standstillDrift),
      "stand_detected_after_s": value(score.standFoundAfter),
      "stand_released_after_s": value(score.standReleasedAfter),
      "false_stop_s": .figure(score.falseStop),
      "standstill_count": .integer(score.standstillDrift?.count ?? 0),
    ])
  }

  private static func value(_ statistics: ErrorStatistics?) -> JSON {
    .members([
      "p50": .figure(statistics?.p50), "p68": .figure(statistics?.p68),
      "p95": .figure(statistics?.p95), "p99": .figure(statistics?.p99),
      "max": .figure(statistics?.max), "rms": .figure(statistics?.rms),
      "mean": .figure(statistics?.mean),
    ])
  }

  private static func value(_ score: OutageScore) -> JSON {
    let hasMotions = !score.byMotion.isEmpty
    return .members([
      "length_s": .figure(score.length),
      "count": .integer(score.count),
      "lost": .integer(score.lost),
      "end_error_m": value(score.endError),
      "percent_of_distance": value(score.percentOfDistance),
      "percent_count": .integer(score.percentOfDistance?.count ?? 0),
      "coverage_68": .figure(score.coverage68),
      "coverage_95": .figure(score.coverage95),
      "worst_start_s": .figure(score.worstStart),
      "by_motion": hasMotions
        ? .object(score.byMotion.map { .init(key: $0.motion, value: value($0.score)) }) : nil,
      "windows": hasMotions ? .array(score.results.map(value)) : nil,
    ])
  }

  private static func value(_ window: OutageResult) -> JSON {
    .members([
      "start_s": .figure(window.start), "end_error_m": .figure(window.endError),
      "along_track_error_m": .figure(window.along), "distance_m": .figure(window.distance),
      "accuracy_68_m": .figure(window.accuracy68), "accuracy_95_m": .figure(window.accuracy95),
      "motion": .string(window.motion.rawValue),
    ])
  }

  private static func value(_ gap: RealGap) -> JSON {
    .members([
      "start_s": .figure(gap.start), "end_s": .figure(gap.end), "length_s": .figure(gap.length),
      "good_fix_s": .figure(gap.goodFix), "stated_error_m": .figure(gap.statedError),
      "compared_before_s": .figure(gap.lead), "causal_error_m": .figure(gap.causalError),
      "accuracy_68_m": .figure(gap.accuracy68), "accuracy_95_m": .figure(gap.accuracy95),
      "inside_95": gap.isInside95.map(JSON.bool) ?? .null,
      "receiver_error_m": .figure(gap.receiverError),
    ])
  }

  private static func value(_ latencies: SampleLatencies, allocations: Int?) -> JSON {
    .members([
      "imu_ns": value(latencies.inertial), "gnss_ns": value(latencies.gnss),
      "wheel_ns": value(latencies.wheel), "allocations": allocations.map(JSON.integer) ?? .null,
    ])
  }

  private static func value(_ histogram: LatencyHistogram) -> JSON {
    .members([
      "p50": .figure(histogram.percentile(0.5)), "p99": .figure(histogram.percentile(0.99)),
      "p99_9": .figure(histogram.percentile(0.999)), "max": .figure(histogram.max.map(Double.init)),
      "count": .integer(histogram.count),
    ])
  }

  private static func value(_ counts: MeasurementCounts) -> JSON {
    .members([
      "count": .integer(counts.count), "accepted": .integer(counts.accepted),
      "weighed_down": .integer(counts.weighedDown), "outlier": .integer(counts.outliers),
      "stale": .integer(counts.stale), "non_finite": .integer(counts.nonFinite),
      "repeated": .integer(counts.repeated), "extrapolated": .integer(counts.extrapolated),
      "carried": .integer(counts.carried), "contradicted": .integer(counts.contradicted),
      "nis_per_dimension": .figure(counts.nisPerDimension),
    ])
  }

  private static func value(_ rows: RowRejections) -> JSON {
    .members([
      "file": .string(rows.file), "accepted": .integer(rows.accepted),
      "non_finite": .integer(rows.nonFinite), "out_of_range": .integer(rows.outOfRange),
      "out_of_order": .integer(rows.outOfOrder),
      "repeated": .integer(rows.repeated), "truncated": .integer(rows.truncated),
      "notes": .array(rows.notes.map { .string($0) }),
    ])
  }
}
