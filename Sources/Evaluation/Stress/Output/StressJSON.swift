import Drives

/// A stress study as JSON; a figure that cannot be had is null.
public enum StressJSON {
  /// The text of the file, of what comes from `provenance`.
  public static func text(_ results: [StressResult], provenance: Provenance? = nil) -> String {
    let all = StressSummary(results)
    let changes = StressChange.allCases.filter { change in
      results.contains { $0.changes.contains(change) }
    }
    return JSONValue.object([
      ("pooled", value(all)),
      ("radius_95_against_error", value(all.diagram)),
      (
        "changes",
        .object(
          changes.map { change in
            (change.rawValue, value(StressSummary(results.filter { $0.changes.contains(change) })))
          })
      ),
      (
        "drives",
        .object(results.byDrive.map { ($0.name, value(StressSummary($0.results))) })
      ),
      ("variants", .array(results.map(value))),
      ("provenance", JSONValue(provenance)),
    ]).text
  }

  private static func value(_ summary: StressSummary) -> JSONValue {
    .object([
      ("variants", .integer(summary.variants)),
      ("scored_s", JSONValue(summary.position.time)),
      ("lost", .integer(summary.lost)),
      ("lost_share", JSONValue(summary.share(summary.lostTime))),
      ("misleading", .integer(summary.misleading)),
      ("misleading_share", JSONValue(summary.share(summary.misleadingTime))),
      ("impossible", .integer(summary.impossible)),
      ("impossible_solutions", .integer(summary.impossibleSolutions)),
      ("heading_false", .integer(summary.headingFalse)),
      ("heading_false_share", JSONValue(summary.headingFalseShare)),
      ("heading_5_sigma_share", JSONValue(summary.headingBeyondShare)),
      ("unavailable_share", JSONValue(summary.share(summary.unavailableTime))),
      ("position", value(summary.position)), ("heading", value(summary.heading)),
      ("course", value(summary.course)), ("speed", value(summary.speed)), ("height", value(summary.height)),
      ("window_68", window(summary.window68)), ("window_95", window(summary.window95)),
      ("good_fix_p95_ratio_median", JSONValue(summary.goodRatio)),
      ("worst_with_good_fixes_m", JSONValue(summary.goodWorst)), ("worst_m", JSONValue(summary.worst)),
      ("heading_after_p95_s", JSONValue(summary.headingAfter)),
      ("heading_after_driving_p95_s", JSONValue(summary.headingAfterDriving)),
      ("direction_after_driving_p95_s", JSONValue(summary.directionAfterDriving)),
      ("heading_never", .integer(summary.headingNever)), ("resets", .integer(summary.resets)),
    ])
  }

  private static func value(_ result: StressResult) -> JSONValue {
    let figures = result.figures
    return .object([
      ("drive", .string(result.drive)), ("seed", .integer(Int(clamping: result.seed))),
      ("changes", .array(result.changes.map { .string($0.rawValue) })),
      ("details", .array(result.details.map { .string($0) })),
      ("bad", .bool(figures.isBad)),
      ("lost_s", JSONValue(figures.lost)), ("lost_first", value(figures.lostFirst)),
      ("lost_worst_m", JSONValue(figures.lostWorst)),
      ("misleading_s", JSONValue(figures.misleading)),
      ("misleading_longest", value(figures.misleadingLongest)),
      ("impossible_solutions", .integer(figures.impossible)),
      ("impossible_from_s", JSONValue(figures.impossibleFrom)),
      ("heading_5_sigma_s", JSONValue(figures.headingBeyond)),
      ("heading_false_s", JSONValue(figures.headingFalse)),
      ("heading_false_from_s", JSONValue(figures.headingFalseFrom)),
      ("unavailable_s", JSONValue(figures.unavailable)),
      ("position", value(figures.position)), ("heading", value(figures.heading)),
      ("course", value(figures.course)), ("speed", value(figures.speed)), ("height", value(figures.height)),
      ("good_fix_error_p95_m", JSONValue(figures.goodP95)), ("fix_error_p95_m", JSONValue(figures.fixP95)),
      ("worst_with_good_fixes_m", JSONValue(figures.goodWorst)),
      ("worst_with_good_fixes_at_s", JSONValue(figures.goodWorstAt)),
      ("worst_m", JSONValue(figures.worst)), ("worst_at_s", JSONValue(figures.worstAt)),
      ("heading_after_s", JSONValue(figures.headingAfter)),
      ("heading_after_driving_s", JSONValue(figures.headingAfterDriving)),
      ("direction_after_driving_s", JSONValue(figures.directionAfterDriving)),
      ("heading_never", .bool(figures.headingNever)), ("resets", .integer(figures.resets)),
    ])
  }

  private static func value(_ coverage: StressCoverage) -> JSONValue {
    .object([
      ("time_s", JSONValue(coverage.time)), ("inside_68", JSONValue(coverage.share68)),
      ("inside_95", JSONValue(coverage.share95)),
    ])
  }

  private static func window(_ shares: (p5: Double, p50: Double)?) -> JSONValue {
    .object([("p5", JSONValue(shares?.p5)), ("p50", JSONValue(shares?.p50))])
  }

  /// A row a bin of the 95 % radius, a column a bin of the error.
  private static func value(_ diagram: StressDiagram) -> JSONValue {
    let bins = 0..<StressDiagram.count
    return .object([
      ("edges_m", .array(StressDiagram.edges.map { .number($0) })),
      (
        "seconds",
        .array(bins.map { row in .array(bins.map { .number(diagram.time(radius: row, error: $0)) }) })
      ),
    ])
  }

  private static func value(_ piece: StressFigures.Piece?) -> JSONValue {
    guard let piece else { return .null }
    return .object([
      ("from_s", JSONValue(piece.start)), ("length_s", JSONValue(piece.length)),
      ("error_m", JSONValue(piece.error)), ("radius_95_m", JSONValue(piece.radius)),
    ])
  }
}
