import Drives
import JSON

/// Two runs over the same drives, figure by figure: the differences of each drive against chance, by
/// Student's paired t test.
public struct PairedComparison: Sendable {
  /// One figure.
  public struct Row: Sendable, Equatable {
    /// Name of the figure, and drives that have it in both runs.
    public var metric: String, count: Int
    /// Mean of the first run, of the second, and of second less first.
    public var first: Double, second: Double, difference: Double
    /// Bounds of the 95 % confidence interval of the mean difference; nil for a single drive.
    public var low: Double?, high: Double?
    /// Probability of such a difference, or a larger one, by chance, and the same with all figures in view
    /// (Holm 1979, "A simple sequentially rejective multiple test procedure"); nil for a single drive.
    public var p: Double?, adjusted: Double?
    /// Whether the second run is better; nil where the adjusted probability is 5 % or more.
    public var isBetter: Bool?
    fileprivate var better: EvaluationMetric.Better

    /// The row as JSON, the first run as `a` and the second as `b`.
    var json: JSON {
      .members([
        "figure": .string(metric), "drives": .integer(count), "a": .figure(first),
        "b": .figure(second), "difference": .figure(difference), "low_95": .figure(low),
        "high_95": .figure(high), "p": .figure(p), "p_adjusted": .figure(adjusted),
        "b_is_better": isBetter.map(JSON.bool) ?? .null,
      ])
    }
  }

  /// Figures of what is to be paired: of a drive, or of a part of one.
  struct Sample: Sendable {
    /// What it is paired by.
    var drive: String
    var values: [(metric: EvaluationMetric, value: Double?)]
  }

  /// One figure of one drive in both runs.
  public struct Value: Sendable, Equatable {
    /// Names of the drive and of the figure.
    public var drive: String, metric: String
    /// The figure in the first run, and in the second.
    public var first: Double, second: Double
  }

  /// Every figure of every drive that both have.
  public var values: [Value] = []
  /// The figures that both have.
  public var rows: [Row] = []
  /// Drives in both.
  public var pairs = 0
  /// Drives that are in one of them only.
  public var unpaired: [String] = []

  /// Compares drives by their names.
  public init(_ first: [EvaluationRecord], _ second: [EvaluationRecord]) {
    self.init(first.map(Sample.init), second.map(Sample.init))
  }

  /// Compares samples by their names.
  init(_ first: [Sample], _ second: [Sample]) {
    var order: [EvaluationMetric] = []
    let partners = Dictionary(second.map { ($0.drive, $0) }) { first, _ in first }
    var values: [EvaluationMetric: [(Double, Double)]] = [:]
    for a in first {
      guard let b = partners[a.drive] else {
        unpaired.append(a.drive)
        continue
      }
      pairs += 1
      let others = Dictionary(b.values.map { ($0.metric, $0.value) }) { first, _ in first }
      for (metric, value) in a.values {
        guard let value, let other = others[metric] ?? nil else { continue }
        if values[metric] == nil { order.append(metric) }
        values[metric, default: []].append((value, other))
        self.values.append(Value(drive: a.drive, metric: metric.name, first: value, second: other))
      }
    }
    let known = Set(first.map(\.drive))
    unpaired += second.map(\.drive).filter { !known.contains($0) }
    rows = order.map { Self.row($0, values[$0] ?? []) }
    Self.adjust(&rows)
  }

  private static func row(_ metric: EvaluationMetric, _ values: [(Double, Double)]) -> Row {
    let n = Double(values.count)
    let (first, second) = (values.reduce(0) { $0 + $1.0 } / n, values.reduce(0) { $0 + $1.1 } / n)
    // Of a share it is the distance from what it should be that is compared; the sign is that of getting
    // worse.
    let differences = values.map { difference(metric, $0.0, $0.1) }
    let mean = differences.reduce(0, +) / n
    var row = Row(
      metric: metric.name, count: values.count, first: first, second: second, difference: mean,
      better: metric.better)
    guard values.count > 1 else { return row }
    let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
    let error = (variance / n).squareRoot()
    let reach = StudentT.quantile(twoSided: 0.05, degrees: n - 1) * error
    (row.low, row.high) = (mean - reach, mean + reach)
    row.p = error > 0 ? StudentT.twoSided(mean / error, degrees: n - 1) : mean == 0 ? 1 : 0
    return row
  }

  private static func difference(_ metric: EvaluationMetric, _ a: Double, _ b: Double) -> Double {
    if case .nearest = metric.better { return metric.badness(b) - metric.badness(a) }
    return b - a
  }

  /// Adjusts the probabilities with all of `rows` in view, and says what is better or worse.
  static func adjust(_ rows: inout [Row]) {
    let tested = rows.indices.filter { rows[$0].p != nil }.sorted {
      (rows[$0].p ?? 1, $0) < (rows[$1].p ?? 1, $1)
    }
    var largest = 0.0
    for (rank, i) in tested.enumerated() {
      largest = max(largest, min(1, (rows[i].p ?? 1) * Double(tested.count - rank)))
      rows[i].adjusted = largest
      rows[i].isBetter = nil
      guard largest < 0.05 else { continue }
      rows[i].isBetter = rows[i].difference < 0
      if case .higher = rows[i].better { rows[i].isBetter = rows[i].difference > 0 }
    }
  }

  /// A table for a terminal.
  public var text: String {
    var table = TextTable(
      ["figure", "drives", "A", "B", "B − A", "from", "to", "p", "p of all", "B is"], leading: 1)
    for row in rows {
      let verdict = row.isBetter.map { $0 ? "better" : "worse" } ?? "–"
      table.add(
        [row.metric, "\(row.count)"]
          + [row.first, row.second, row.difference, row.low, row.high].map { TextTable.cell($0, digits: 3) }
          + [row.p, row.adjusted].map { TextTable.cell($0, digits: 4) } + [verdict])
    }
    return table.text
  }

  /// The figures as JSON, of what comes from `provenance`.
  public func json(provenance: Provenance? = nil) -> String {
    JSON.members([
      "pairs": .integer(pairs), "unpaired": .array(unpaired.map(JSON.string)),
      "figures": .array(rows.map(\.json)), "provenance": provenance?.json ?? .null,
    ]).indentedText
  }
}

extension PairedComparison.Sample {
  fileprivate init(_ record: EvaluationRecord) { self.init(drive: record.drive, values: record.values) }
}
