import Drives

/// One figure of a report: a picture, what it shows in a sentence, and its numbers as a table.
struct ReportFigure {
  /// Its place among the figures of a drive, and the name of its file: small letters and hyphens.
  let id: String
  let title: String
  /// What it shows, for those who do not see it.
  let summary: String
  /// What has to be known to read it.
  let note: String
  /// Heads and rows of the numbers behind it.
  let table: (heads: [String], rows: [[String]])
  private let content: String
  private let height: Double
  /// Its axes, where the first is one of time.
  private let overTime: (x: FigureAxis, y: FigureAxis)?

  init(
    _ id: String, _ title: String, summary: String, note: String = "",
    table: (heads: [String], rows: [[String]]), plot: FigurePlot, isOverTime: Bool = false
  ) {
    (self.id, self.title, self.summary, self.note, self.table) = (id, title, summary, note, table)
    content = plot.content
    height = FigurePlot.height
    overTime = isOverTime ? (plot.x, plot.y) : nil
  }

  /// A figure that is drawn in another way; `content` are the elements inside of the `svg`.
  init(
    _ id: String, _ title: String, summary: String, note: String = "",
    table: (heads: [String], rows: [[String]]), content: String, height: Double
  ) {
    (self.id, self.title, self.summary, self.note, self.table) = (id, title, summary, note, table)
    (self.content, self.height) = (content, height)
    overTime = nil
  }

  /// The figure within a page.
  func html(drive: Int) -> String {
    let name = "\(ReportText.escaped(title))"
    let time =
      overTime.map { x, y in
        " data-from=\"\(x.low)\" data-to=\"\(x.high)\" data-scale=\"\(y.scale)\" data-low=\"\(y.low)\" data-high=\"\(y.high)\""
      } ?? ""
    return """
      <figure class="card fig" id="drive-\(drive)-\(id)" data-name="\(id)"\(time)>
      <div class="fig-head"><h3>\(name)</h3></div>
      <svg class="figure-svg" viewBox="\(box)" role="img" aria-label="\(name). \(ReportText.escaped(summary))">
      \(content)</svg>
      <figcaption>\(note.isEmpty ? "" : "<p>\(ReportText.escaped(note))</p>")\
      <details><summary>Numbers<span class="unseen"> of \(name)</span></summary>\
      <div class="scroll" tabindex="0" role="region" aria-label="Numbers of \(name)">\(tableHTML)</div></details></figcaption>
      </figure>
      """
  }

  /// The figure as a file of its own, of what comes from `provenance`.
  func file(_ provenance: Provenance?) -> String {
    let origin = provenance.map { "<metadata>\(ReportText.escaped($0.text))</metadata>" } ?? ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="figure-svg" viewBox="\(box)" width="\(FigureNumber.coordinate(2 * FigurePlot.width))" \
      role="img"><title>\(ReportText.escaped(title))</title><desc>\(ReportText.escaped(summary))</desc>\(origin)
      <style>\(FigureStyle.css)</style>
      <rect class="paper" width="100%" height="100%"/>
      \(content)</svg>

      """
  }

  private var box: String {
    "0 0 \(FigureNumber.coordinate(FigurePlot.width)) \(FigureNumber.coordinate(height))"
  }

  private var tableHTML: String {
    let heads = table.heads.map { "<th scope=\"col\">\(ReportText.escaped($0))</th>" }.joined()
    let rows = table.rows.map { row in
      let cells = row.enumerated().map { index, text in
        index == 0
          ? "<th scope=\"row\">\(ReportText.escaped(text))</th>" : "<td>\(ReportText.escaped(text))</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    return "<table><thead><tr>\(heads)</tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table>"
  }
}

/// Figures that belong together.
struct FigureGroup {
  let title: String
  let figures: [ReportFigure]
}
