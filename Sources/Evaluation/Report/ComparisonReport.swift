import Drives

/// Two runs over the same drives as one HTML page that needs nothing but itself.
public enum ComparisonReport {
  /// The page for `comparison` of the runs that are called `first` and `second`, which
  /// comes from `provenance`.
  public static func render(
    _ comparison: PairedComparison, first: String, second: String, provenance: Provenance? = nil
  ) -> String {
    let groups = ComparisonFigures(comparison: comparison).groups.map { group in
      """
      <section class="fig-group" aria-label="\(group.title)"><h2>\(group.title)</h2><div class="figs">
      \(group.figures.map { $0.html(drive: 0) }.joined(separator: "\n"))
      </div></section>
      """
    }
    return HTMLReport.page(
      title: "A against B", kind: "comparison", tabs: "",
      body: """
        <section class="panel" data-name="comparison">
        <header class="drive-head"><div><p class="kind">Comparison of two runs</p><h1>A against B</h1>
        <p class="place">A: \(ReportText.escaped(first))<br>B: \(ReportText.escaped(second))</p></div>
        <dl class="facts"><div><dt>Drives in both</dt><dd>\(comparison.pairs)</dd></div>
        <div><dt>B better</dt><dd>\(comparison.rows.count { $0.isBetter == true })</dd></div>
        <div><dt>B worse</dt><dd>\(comparison.rows.count { $0.isBetter == false })</dd></div></dl></header>
        \(table(comparison))
        \(groups.joined(separator: "\n"))
        \(notes(comparison))
        \(provenance?.html ?? "")
        </section>
        """)
  }

  private static func table(_ comparison: PairedComparison) -> String {
    let rows = comparison.rows.map { row in
      let values = [row.first, row.second, row.difference, row.low, row.high].map {
        "<td>\(FigureNumber.figure($0))</td>"
      }
      return """
        <tr><th scope="row">\(ReportText.escaped(row.metric.split(separator: "_").joined(separator: " ")))</th>\
        <td>\(row.count)</td>\(values.joined())<td>\(FigureNumber.figure(row.p))</td>\
        <td>\(FigureNumber.figure(row.adjusted))</td><td>\(ReportTables.verdict(row.isBetter))</td></tr>
        """
    }
    return ReportTables.table(
      title: "Every figure",
      head: """
        <tr><th scope="col" rowspan="2">Figure</th><th scope="col" rowspan="2">Drives</th>\
        <th scope="colgroup" colspan="2">Mean</th><th scope="colgroup" colspan="3">B − A, with its 95 % interval</th>\
        <th scope="colgroup" colspan="2">By chance</th><th scope="col" rowspan="2">B is</th></tr>
        <tr>\(ReportTables.heads(["A", "B", "Mean", "from", "to", "alone", "of all"]))</tr>
        """, rows: rows)
  }

  private static func notes(_ comparison: PairedComparison) -> String {
    let items =
      [
        "B is called better or worse where such a difference would come by chance in fewer than 5 % of all comparisons, all figures in view "
          + "(Student's paired t test, Holm's correction). A coverage is compared by its distance from 68 % or 95 %."
      ] + comparison.unpaired.map { "\($0) is in one of the two only; left out." }
    return ReportTables.notes(items)
  }
}
