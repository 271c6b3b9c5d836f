import Drives

/// Evaluations as text for a terminal.
public enum EvaluationTable {
  /// A table of the errors, one of the outages where they were studied, one of the gaps that the fixes really
  /// have, and one of the time taken.
  public static func text(_ evaluations: [DriveEvaluation]) -> String {
    [errors(evaluations), outages(evaluations), realGaps(evaluations), latencies(evaluations)].filter {
      !$0.isEmpty
    }
    .map(\.text).joined(separator: "\n")
  }

  private static func errors(_ evaluations: [DriveEvaluation]) -> TextTable {
    var table = TextTable(
      [
        "drive", "horizontal error", "n", "P50 m", "P68 m", "P95 m", "P99 m", "max m", "RMS m", "cover 68 %",
        "cover 95 %", "available %", "aligned after s",
      ], leading: 2)
    for evaluation in evaluations {
      let figures = evaluation.figures
      let scores = [
        ("gnss", figures.gnss), ("causal", figures.causal), ("fixed lag", figures.fixedLag),
        ("full", figures.full), ("receiver", figures.receiver), ("track", figures.track?.score),
      ]
      // Beside a track alone there is no engine and no receiver.
      for case (let name, let score?) in scores where score.count > 0 || figures.track == nil {
        let e = score.horizontal
        table.add(
          [evaluation.description.name, name, String(score.count)]
            + [e?.p50, e?.p68, e?.p95, e?.p99, e?.max, e?.rms].map { TextTable.cell($0) }
            + [score.coverage68, score.coverage95, score.availability].map { share in
              TextTable.cell(share.map { $0 * 100 }, digits: 1)
            } + [TextTable.cell(score.alignedAfter, digits: 1)])
      }
    }
    return table
  }

  private static func outages(_ evaluations: [DriveEvaluation]) -> TextTable {
    var table = TextTable(
      [
        "drive", "outage by motion", "length s", "n", "P50 m", "P95 m", "max m", "RMS m", "P50 %", "P95 %",
        "max %",
        "cover 68 %", "cover 95 %", "worst from s",
      ], leading: 2)
    for evaluation in evaluations {
      for outage in evaluation.figures.outages {
        table.add(row(evaluation.description.name, "all", outage))
        for (motion, score) in outage.byMotion where score.count > 0 && score.count < outage.count {
          table.add(row("", motion.replacing("_", with: "-"), score))
        }
      }
    }
    return table
  }

  private static func row(_ drive: String, _ motion: String, _ score: OutageScore) -> [String] {
    let (e, p) = (score.endError, score.percentOfDistance)
    return [drive, motion, TextTable.cell(score.length, digits: 0), String(score.count)]
      + [e?.p50, e?.p95, e?.max, e?.rms, p?.p50, p?.p95, p?.max].map { TextTable.cell($0) }
      + [score.coverage68, score.coverage95].map { share in TextTable.cell(share.map { $0 * 100 }, digits: 1)
      }
      + [TextTable.cell(score.worstStart, digits: 1)]
  }

  private static func realGaps(_ evaluations: [DriveEvaluation]) -> TextTable {
    var table = TextTable(
      [
        "drive", "real gap", "from s", "length s", "good fix s", "states m", "causal m", "its 95 % m",
        "inside",
        "receiver m",
      ], leading: 2)
    for evaluation in evaluations {
      for (i, gap) in evaluation.figures.realGaps.enumerated() {
        table.add(
          [evaluation.description.name, String(i + 1)]
            + [gap.start, gap.length, gap.goodFix].map { TextTable.cell($0, digits: 1) }
            + [gap.statedError, gap.causalError, gap.accuracy95].map { TextTable.cell($0) }
            + [gap.isInside95.map { $0 ? "yes" : "no" } ?? "–", TextTable.cell(gap.receiverError)])
      }
    }
    return table
  }

  private static func latencies(_ evaluations: [DriveEvaluation]) -> TextTable {
    var table = TextTable(
      ["drive", "time of one sample", "n", "P50 µs", "P99 µs", "P99.9 µs", "max µs"], leading: 2)
    for evaluation in evaluations {
      let latencies = evaluation.figures.latencies
      for (name, histogram) in [
        ("imu", latencies.inertial), ("gnss", latencies.gnss), ("wheel", latencies.wheel),
      ]
      where histogram.count > 0 {
        let values = [0.5, 0.99, 0.999].map(histogram.percentile) + [histogram.max.map(Double.init)]
        table.add(
          [evaluation.description.name, name, String(histogram.count)]
            + values.map { nanoseconds in TextTable.cell(nanoseconds.map { $0 / 1000 }) })
      }
    }
    return table
  }
}
