/// Holds the figures of drives against those of before.
public struct RegressionGate: Sendable {
  /// A figure that got worse by more than its tolerance, or that is there no more.
  public struct Regression: Sendable, Equatable {
    public var drive: String, metric: String
    public var before: Double, after: Double?, tolerance: Double
  }

  /// The part of an error by which it may grow.
  public var relative: Double

  /// A gate that lets errors grow by the part `relative`.
  public init(relative: Double = 0.05) { self.relative = relative }

  /// What a comparison found.
  public struct Finding: Sendable, Equatable {
    /// What got worse, drive by drive.
    public var worse: [Regression] = []
    /// Figures that were compared, and those that got better by more than their tolerance.
    public var compared = 0, better = 0
    /// Drives of the baseline that were not evaluated, and drives that it does not have.
    public var missing: [String] = [], unknown: [String] = []
    /// Whether both were made with the same options, as far as is known.
    public var hasSameOptions = true

    /// Whether the gate lets it pass.
    public var isPassed: Bool { worse.isEmpty && missing.isEmpty && compared > 0 }
  }

  /// Compares drives by their names.
  public func compare(baseline: [EvaluationRecord], now: [EvaluationRecord]) -> Finding {
    var finding = Finding()
    finding.unknown = now.map(\.drive).filter { name in !baseline.contains { $0.drive == name } }
    for before in baseline {
      guard let after = now.first(where: { $0.drive == before.drive }) else {
        finding.missing.append(before.drive)
        continue
      }
      if let a = before.options, let b = after.options, a != b { finding.hasSameOptions = false }
      let values = Dictionary(after.values.map { ($0.metric.name, $0.value) }) { first, _ in first }
      for (metric, value) in before.values {
        guard let value else { continue }
        compare(metric, value, values[metric.name] ?? nil, before.drive, &finding)
      }
    }
    return finding
  }

  private func compare(
    _ metric: EvaluationMetric, _ before: Double, _ after: Double?, _ drive: String, _ finding: inout Finding
  ) {
    finding.compared += 1
    let tolerance = metric.tolerance(before: before, relative: relative)
    if let after {
      let change = metric.badness(after) - metric.badness(before)
      // The last digit of the JSON is a millionth.
      if change < -tolerance - 1e-6 { finding.better += 1 }
      guard change > tolerance + 1e-6 else { return }
    }
    finding.worse.append(
      Regression(drive: drive, metric: metric.name, before: before, after: after, tolerance: tolerance))
  }
}

extension RegressionGate.Finding {
  /// What got worse as a table, and a line of all.
  public var text: String {
    var table = TextTable(["drive", "got worse", "before", "now", "tolerance"], leading: 2)
    for item in worse {
      table.add(
        [item.drive, item.metric]
          + [item.before, item.after, item.tolerance].map { TextTable.cell($0, digits: 3) })
    }
    var text = table.isEmpty ? "" : table.text + "\n"
    for drive in missing { text += "\(drive) is in the baseline and was not evaluated\n" }
    let verdict = isPassed ? "passed" : compared == 0 ? "nothing could be compared" : "failed"
    return text
      + "baseline: \(verdict); \(compared) figures compared, \(worse.count) worse, \(better) better\n"
  }
}
