/// The figures of two runs against each other.
struct ComparisonFigures {
  let comparison: PairedComparison

  /// The differences of each estimator, and the drives.
  var groups: [FigureGroup] {
    let subjects = comparison.rows.map(\.metric).reduce(into: [String]()) { names, metric in
      let name = Self.subject(metric)
      if names.last != name { names.append(name) }
    }
    let differences = subjects.compactMap { difference($0) }
    let drives =
      [
        ("causal horizontal_error_m p50", "P50 of the horizontal error, m"),
        ("causal horizontal_error_m p95", "P95 of the horizontal error, m"),
      ]
      + comparison.rows.map(\.metric).filter { $0.hasPrefix("outage") && $0.hasSuffix("end_error_m p95") }.map
    {
      ($0, "P95 after an \(Self.subject($0)), m")
    }
    return [
      FigureGroup(title: "B against A, all drives", figures: differences),
      FigureGroup(title: "Drive by drive", figures: drives.compactMap { byDrive($0.0, $0.1) }),
    ].filter { !$0.figures.isEmpty }
  }

  /// What a figure is of: an estimator, or outages of a length.
  private static func subject(_ metric: String) -> String {
    let words = metric.split(separator: " ")
    return words.first == "outage"
      ? words.prefix(3).joined(separator: " ") : words.first.map(String.init) ?? metric
  }

  /// The name without what it is of.
  static func plain(_ metric: String) -> String {
    metric.dropFirst(subject(metric).count + 1).split(separator: "_").joined(separator: " ")
  }

  /// Differences in percent: of A, or of points for a share.
  private static func percent(_ value: Double, _ row: PairedComparison.Row) -> Double? {
    if row.metric.contains("coverage") || row.metric.contains("availability") { return 100 * value }
    return row.first != 0 ? 100 * value / abs(row.first) : nil
  }

  private func difference(_ subject: String) -> ReportFigure? {
    let rows = comparison.rows.filter { Self.subject($0.metric) == subject }
    let marks = rows.compactMap { row -> FigureRows.Row? in
      guard let middle = Self.percent(row.difference, row) else { return nil }
      let style = row.isBetter.map { $0 ? "full" : "bad" } ?? "truth"
      return FigureRows.Row(
        name: Self.plain(row.metric), from: row.low.flatMap { Self.percent($0, row) },
        to: row.high.flatMap { Self.percent($0, row) }, dots: [(middle, style)], style: style)
    }
    guard !marks.isEmpty else { return nil }
    // Intervals of few drives reach far; they run off the figure.
    let middles = marks.compactMap(\.dots.first?.value).map(abs)
    let reach = max(2 * (middles.max() ?? 1), 1)
    let ends = marks.flatMap { [$0.from, $0.to] }.compactMap(\.self).map(abs)
    let axis = FigureAxis.about0(
      min(max(reach, ends.max() ?? 0), 5 * reach) * 1.05, "B − A, % of A (of a share: points)")
    var plot = FigureRows(axis: axis, rows: marks)
    plot.zero = 0
    plot.legend = [("B better", "full"), ("B worse", "bad"), ("could be chance", "truth")]
    let told = rows.filter { $0.isBetter != nil }
    let words = told.map { "\(Self.plain($0.metric)) \($0.isBetter == true ? "better" : "worse")" }
    return ReportFigure(
      "difference-\(subject.split(separator: " ").joined(separator: "-").lowercased())",
      "Differences: \(subject)",
      summary: words.isEmpty
        ? "No difference that could not be chance." : "B is \(words.joined(separator: ", ")).",
      table: (
        ["Figure", "A", "B", "B − A", "from", "to"],
        rows.map { row in
          [Self.plain(row.metric)]
            + [row.first, row.second, row.difference, row.low, row.high].map(FigureNumber.figure)
        }
      ), content: plot.content, height: plot.height)
  }

  private func byDrive(_ metric: String, _ title: String) -> ReportFigure? {
    let values = comparison.values.filter { $0.metric == metric && $0.first > 0 && $0.second > 0 }
    guard let low = values.flatMap({ [$0.first, $0.second] }).min(),
      let high = values.flatMap({ [$0.first, $0.second] }).max()
    else { return nil }
    let rows = values.map { value in
      FigureRows.Row(
        name: value.drive, from: value.first, to: value.second,
        dots: [(value.first, "gnss"), (value.second, "causal")], style: "truth")
    }
    var plot = FigureRows(axis: .logarithmic(low * 0.8, high * 1.25, title), rows: rows)
    plot.legend = [("A", "gnss"), ("B", "causal")]
    let nearer = values.count { $0.second < $0.first }
    return ReportFigure(
      "drives-\(metric.split { $0 == " " || $0 == "_" }.joined(separator: "-").lowercased())", title,
      summary: "B is smaller on \(nearer) of \(FigureData.counted(values.count, "drive", "drives")).",
      table: (
        ["Drive", "A", "B"],
        values.map { [$0.drive, FigureNumber.figure($0.first), FigureNumber.figure($0.second)] }
      ), content: plot.content, height: plot.height)
  }
}
