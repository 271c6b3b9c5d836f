/// The part of the page that shows one drive.
struct ReportPanel {
  /// Its number among the drives.
  let index: Int
  /// What it shows.
  let report: DriveReport

  /// The panel with its headline, map, chart, tables and data.
  var html: String {
    let data = ReportData(report)
    let figures = ReportFigures(report)
    return """
      <section class="panel" id="panel-\(index)" data-drive="\(index)" data-name="\(ReportText.escaped(report.name))" role="tabpanel" \
      aria-label="\(ReportText.escaped(report.name))">
      \(head)
      \(report.isTruthOfTheFixes ? Self.kindTruth : "")
      \(ReportHeadline(report).html)
      \(report.tracks.isEmpty ? "" : view)
      \(figures.stillHTML(drive: index))
      \(ReportTables.scores(report.scores))
      \(ReportTables.outages(report.outages))
      \(ReportTables.realGaps(report.realGaps))
      \(figures.html(drive: index))
      \(notes(unplaced: data.unplaced))
      \(provenance)
      <script type="application/json" class="data">\(data.json)</script>\(streets(data))
      </section>
      """
  }

  /// What is to be said before any figure of a drive whose truth is not independent.
  private static let kindTruth = """
    <p class="notice">The truth of this drive was made of the same fixes: it shares their errors. What the \
    fixes are off by, and whether the fused position is closer, says little here; outages and added errors are \
    judged rightly.</p>
    """

  private var head: String {
    let fixes = report.tracks.first { $0.role == .gnss }?.points.count
    let facts = [
      ("Duration", ReportText.duration(report.duration)),
      ("Distance", ReportText.distance(report.distance)),
      ("GNSS fixes", fixes.map(String.init) ?? ReportText.missing),
    ]
    let list = facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined()
    return """
      <header class="drive-head">
      <div><p class="kind">\(ReportText.escaped(report.kind)) drive</p>
      <h1>\(ReportText.escaped(report.name))</h1>
      <p class="place">\(ReportText.escaped(report.place))</p></div>
      <dl class="facts">\(list)</dl>
      </header>
      """
  }

  private var view: String {
    """
    <div class="card view">
    <div class="bar-top"><h2>Track</h2><div class="layers" role="group" aria-label="Layers"></div></div>
    <div class="map-box"><canvas class="map" tabindex="0" role="application" \
    aria-label="Map of the tracks. Arrow keys pan, plus and minus zoom, 0 fits the track, comma and full stop step through time."></canvas>\(report.streets?.credit ?? "")
    <div class="map-buttons"><button data-map="in" aria-label="Zoom in">+</button>\
    <button data-map="out" aria-label="Zoom out">−</button>\
    <button data-map="fit" aria-label="Fit the track">Fit</button></div></div>
    <dl class="readout" aria-live="off"></dl>
    <div class="bar-top chart-top"><h2>Horizontal error over time</h2><div class="chart-buttons">\
    <div class="segmented" role="group" aria-label="Error scale"><button data-scale="sqrt" aria-pressed="true">√ scale</button>\
    <button data-scale="linear" aria-pressed="false">Linear, clipped</button></div>\
    <button data-chart="in" aria-label="Zoom in on time">+</button>\
    <button data-chart="out" aria-label="Zoom out of time">−</button>\
    <button data-chart="reset" aria-label="Show the whole drive">All</button></div></div>
    <canvas class="chart" tabindex="0" role="application" \
    aria-label="Horizontal error over time. Left and right move the cursor, plus and minus zoom, 0 shows all."></canvas>
    <p class="hint"><span class="mouse-only">Over the map, Ctrl and the wheel zoom. Drag across the chart, or any figure over time, to zoom all of them in on a stretch of time; double-click shows all.</span>\
    <span class="touch-only">Two fingers move and zoom the map.</span> \
    \(bounded ? "Shaded: the 68 % and 95 % radii that the fused position states of itself." : "")</p>
    </div>
    """
  }

  private func streets(_ data: ReportData) -> String {
    guard let streets = report.streets, let origin = data.origin else { return "" }
    return "\n" + streets.html(origin: origin)
  }

  /// Whether an estimator states its accuracy.
  private var bounded: Bool {
    report.tracks.contains { track in
      track.role != .gnss && track.role != .truth && track.points.contains { $0.radius68 != nil }
    }
  }

  private var provenance: String {
    report.provenance?.html ?? ""
  }

  private func notes(unplaced: Int) -> String {
    var sentences = report.notes
    if unplaced > 0 {
      sentences.append("\(unplaced) points without a finite time or position are not drawn.")
    }
    if let streets = report.streets, streets.isCoarse {
      sentences.append(
        "Streets are drawn as of zoom \(streets.zooms.upperBound): finer ones would make the page too large.")
    }
    return sentences.isEmpty ? "" : ReportTables.notes(sentences)
  }
}
