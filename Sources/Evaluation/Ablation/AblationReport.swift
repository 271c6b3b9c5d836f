import Drives

/// An ablation as one HTML page that needs nothing but itself.
public enum AblationReport {
  /// The page for `ablation` of what comes from `provenance`.
  public static func render(_ ablation: Ablation, provenance: Provenance) -> String {
    let figures = ablation.metrics.compactMap { AblationFigures.figure($0, of: ablation) }
    let rows = ablation.parts.flatMap(\.rows)
    return HTMLReport.page(
      title: "What each part is worth", kind: "ablation", tabs: "",
      body: """
        <section class="panel" data-name="ablation">
        <header class="drive-head"><div><p class="kind">Ablation</p><h1>What each part is worth</h1>
        <p class="place">\(ReportText.escaped(ablation.drives.prefix(20).joined(separator: ", ")))\
        \(ablation.drives.count > 20 ? " and \(ablation.drives.count - 20) more" : "")</p></div>
        <dl class="facts"><div><dt>Drives</dt><dd>\(ablation.drives.count)</dd></div>
        <div><dt>Parts switched off</dt><dd>\(ablation.parts.count)</dd></div>
        <div><dt>Figures worse</dt><dd>\(rows.count { $0.isBetter == false })</dd></div>
        <div><dt>Figures better</dt><dd>\(rows.count { $0.isBetter == true })</dd></div></dl></header>
        <section class="fig-group" aria-label="Without each part"><h2>Without each part</h2><div class="figs">
        \(figures.map { $0.html(drive: 0) }.joined(separator: "\n"))
        </div></section>
        \(table(ablation))
        \(notes(ablation))
        \(provenance.html)
        </section>
        """)
  }

  private static func table(_ ablation: Ablation) -> String {
    let lines = ablation.parts.flatMap { part in
      part.rows.filter { $0.difference != 0 }.map { row in
        let values = [row.first, row.second, row.difference, row.low, row.high, row.p, row.adjusted].map {
          "<td>\(FigureNumber.figure($0))</td>"
        }
        return """
          <tr><th scope="row">\(ReportText.escaped(part.name))</th><td>\(ReportText.escaped(Ablation.label(row.metric)))</td>\
          <td>\(row.count)</td>\(values.joined())<td>\(ReportTables.verdict(row.isBetter))</td></tr>
          """
      }
    }
    let heads = [
      "Without", "Figure", "Pairs", "All on", "Without it", "Difference", "from", "to", "By chance", "of all",
      "It is",
    ]
    return ReportTables.table(
      title: "Every figure that changed", head: "<tr>\(ReportTables.heads(heads))</tr>", rows: lines)
  }

  private static func notes(_ ablation: Ablation) -> String {
    let idle = ablation.parts.filter { !$0.changesAnything }.map(\.name)
    var items = [
      "Without a part the engine is called better or worse where such a difference would come by chance in fewer than 5 % of all "
        + "comparisons, all parts in view (Student's paired t test, Holm's correction over the parts, figure by figure). A coverage "
        + "is compared by its distance from 68 % or 95 %.",
      "Figures are paired drive by drive. “Each” is the end of one outage, paired with the same outage, of those that do not "
        + "overlap: it has an interval on a single drive too, which holds for that drive alone.",
    ]
    if !idle.isEmpty {
      items.append("No figure of these drives is another without: \(idle.joined(separator: ", ")).")
    }
    return ReportTables.notes(items)
  }
}

enum AblationFigures {
  /// The differences of one figure, a row a part, the worst without it first; nil where no part changes it.
  static func figure(_ metric: String, of ablation: Ablation) -> ReportFigure? {
    let found = ablation.parts.compactMap { part in
      part.rows.first { $0.metric == metric && $0.difference != 0 }.map { (part: part.name, row: $0) }
    }.sorted { $0.row.difference > $1.row.difference }
    guard !found.isEmpty else { return nil }
    let label = Ablation.label(metric)
    let isShare = metric.contains("coverage") || metric.hasSuffix("misleading")
    let scale = isShare ? 100.0 : 1
    let marks = found.map { part, row in
      let style = row.isBetter.map { $0 ? "full" : "bad" } ?? "truth"
      return FigureRows.Row(
        name: part, from: row.low.map { scale * $0 }, to: row.high.map { scale * $0 },
        dots: [(scale * row.difference, style)], style: style)
    }
    // Intervals of few drives reach far, and so does a part without which a drive is lost:
    // they run off the figure.
    let middles = marks.compactMap(\.dots.first?.value).map(abs).sorted(by: >)
    let reach = 1.05 * min(2 * middles[0], 4 * middles[middles.count / 4])
    var plot = FigureRows(
      axis: .about0(reach, "\(label): without less all on\(isShare ? ", points" : "")"), rows: marks)
    plot.zero = 0
    plot.legend = [("worse without", "bad"), ("better", "full"), ("could be chance", "truth")]
    let told = found.filter { $0.row.isBetter != nil }.map {
      "\($0.part) (\(FigureNumber.figure($0.row.first)) becomes \(FigureNumber.figure($0.row.second)))"
    }
    return ReportFigure(
      "ablation-\(metric.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-").lowercased())", label,
      summary: told.isEmpty
        ? "No difference that could not be chance."
        : "It is another without \(told.joined(separator: ", ")).",
      table: (
        ["Without", "All on", "Without it", "Difference", "from", "to"],
        found.map { part, row in
          [part] + [row.first, row.second, row.difference, row.low, row.high].map(FigureNumber.figure)
        }
      ), content: plot.content, height: plot.height)
  }
}
