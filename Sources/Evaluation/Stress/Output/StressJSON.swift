import Drives
import JSON

/// A stress study as JSON; a figure that cannot be had is null.
public enum StressJSON {
  /// The text of the file, of what comes from `provenance`.
  public static func text(_ results: [StressResult], provenance: Provenance? = nil) -> String {
    let all = StressSummary(results)
    let changes = StressChange.allCases.filter { change in
      results.contains { $0.changes.contains(change) }
    }
    return JSON.members([
      "pooled": value(all),
      "radius_95_against_error": value(all.diagram),
      "changes": .object(
        changes.map { change in
          let own = results.filter { $0.changes.contains(change) }
          return .init(key: change.rawValue, value: value(StressSummary(own)))
        }),
      "drives": .object(
        results.byDrive.map { .init(key: $0.name, value: value(StressSummary($0.results))) }),
      "variants": .array(results.map(value)),
      "provenance": provenance?.json ?? .null,
    ]).indentedText
  }

  private static func value(_ summary: StressSummary) -> JSON {
    .members([
      "variants": .integer(summary.variants),
      "scored_s": .figure(summary.position.time),
      "lost": .integer(summary.lost),
      "lost_share": .figure(summary.share(summary.lostTime)),
      "misleading": .integer(summary.misleading),
      "misleading_share": .figure(summary.share(summary.misleadingTime)),
      "impossible": .integer(summary.impossible),
      "impossible_solutions": .integer(summary.impossibleSolutions),
      "heading_false": .integer(summary.headingFalse),
      "heading_false_share": .figure(summary.headingFalseShare),
      "heading_5_sigma_share": .figure(summary.headingBeyondShare),
      "unavailable_share": .figure(summary.share(summary.unavailableTime)),
      "position": value(summary.position), "heading": value(summary.heading),
      "course": value(summary.course), "speed": value(summary.speed), "height": value(summary.height),
      "window_68": window(summary.window68), "window_95": window(summary.window95),
      "good_fix_p95_ratio_median": .figure(summary.goodRatio),
      "worst_with_good_fixes_m": .figure(summary.goodWorst), "worst_m": .figure(summary.worst),
      "heading_after_p95_s": .figure(summary.headingAfter),
      "heading_after_driving_p95_s": .figure(summary.headingAfterDriving),
      "direction_after_driving_p95_s": .figure(summary.directionAfterDriving),
      "heading_never": .integer(summary.headingNever), "resets": .integer(summary.resets),
    ])
  }

  private static func value(_ result: StressResult) -> JSON {
    let figures = result.figures
    return .members([
      "drive": .string(result.drive), "seed": .integer(Int(clamping: result.seed)),
      "changes": .array(result.changes.map { .string($0.rawValue) }),
      "details": .array(result.details.map { .string($0) }),
      "bad": .bool(figures.isBad),
      "lost_s": .figure(figures.lost), "lost_first": value(figures.lostFirst),
      "lost_worst_m": .figure(figures.lostWorst),
      "misleading_s": .figure(figures.misleading),
      "misleading_longest": value(figures.misleadingLongest),
      "impossible_solutions": .integer(figures.impossible),
      "impossible_from_s": .figure(figures.impossibleFrom),
      "heading_5_sigma_s": .figure(figures.headingBeyond),
      "heading_false_s": .figure(figures.headingFalse),
      "heading_false_from_s": .figure(figures.headingFalseFrom),
      "unavailable_s": .figure(figures.unavailable),
      "position": value(figures.position), "heading": value(figures.heading),
      "course": value(figures.course), "speed": value(figures.speed), "height": value(figures.height),
      "good_fix_error_p95_m": .figure(figures.goodP95), "fix_error_p95_m": .figure(figures.fixP95),
      "worst_with_good_fixes_m": .figure(figures.goodWorst),
      "worst_with_good_fixes_at_s": .figure(figures.goodWorstAt),
      "worst_m": .figure(figures.worst), "worst_at_s": .figure(figures.worstAt),
      "heading_after_s": .figure(figures.headingAfter),
      "heading_after_driving_s": .figure(figures.headingAfterDriving),
      "direction_after_driving_s": .figure(figures.directionAfterDriving),
      "heading_never": .bool(figures.headingNever), "resets": .integer(figures.resets),
    ])
  }

  private static func value(_ coverage: StressCoverage) -> JSON {
    .members([
      "time_s": .figure(coverage.time), "inside_68": .figure(coverage.share68),
      "inside_95": .figure(coverage.share95),
    ])
  }

  private static func window(_ shares: (p5: Double, p50: Double)?) -> JSON {
    .members(["p5": .figure(shares?.p5), "p50": .figure(shares?.p50)])
  }

  /// A row a bin of the 95 % radius, a column a bin of the error.
  private static func value(_ diagram: StressDiagram) -> JSON {
    let bins = 0..<StressDiagram.count
    return .members([
      "edges_m": .array(StressDiagram.edges.map { .figure($0) }),
      "seconds": .array(
        bins.map { row in .array(bins.map { .figure(diagram.time(radius: row, error: $0)) }) }),
    ])
  }

  private static func value(_ piece: StressFigures.Piece?) -> JSON {
    guard let piece else { return .null }
    return .members([
      "from_s": .figure(piece.start), "length_s": .figure(piece.length),
      "error_m": .figure(piece.error), "radius_95_m": .figure(piece.radius),
    ])
  }
}
