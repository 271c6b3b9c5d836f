/// The part of the page that shows one drive.
struct ReportPanel {
  /// Its number among the drives.
  let index: Int
  /// What it shows.
  let report: DriveReport

  /// The panel with its headline, map, chart, tables and data.
  var html: String {
    let data = ReportData(report)
    return """
      <section class="panel" id="panel-\(index)" data-drive="\(index)" role="tabpanel" \
      aria-label="\(ReportText.escaped(report.name))">
      \(head)
      \(headline)
      \(report.tracks.isEmpty ? "" : figures)
      \(ReportTables.scores(report.scores))
      \(ReportTables.outages(report.outages))
      \(notes(unplaced: data.unplaced))
      <script type="application/json" class="data">\(data.json)</script>
      </section>
      """
  }

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

  private var headline: String {
    let figures: [(String, String, KeyPath<ReportScore, Double?>)] = [
      ("Half the time within", "P50", \.p50), ("95 % of the time within", "P95", \.p95),
      ("Worst", "max", \.max),
    ]
    return """
      <div class="headline" role="group" aria-label="Horizontal error, fused against GNSS alone">
      \(figures.map { comparison(title: $0.0, mark: $0.1, key: $0.2) }.joined(separator: "\n"))
      \(honesty)
      </div>
      """
  }

  private func comparison(title: String, mark: String, key: KeyPath<ReportScore, Double?>) -> String {
    let gnss = report.score(.gnss)?[keyPath: key]
    let fused = report.score(.causal)?[keyPath: key]
    let largest = max(gnss ?? 0, fused ?? 0)
    let bar = { (value: Double?, role: String) in
      guard let value, value.isFinite, largest > 0, largest.isFinite else { return "<i class=\"bar\"></i>" }
      return
        "<i class=\"bar\"><i class=\"\(role)\" style=\"width:\(ReportText.fixed(100 * value / largest, digits: 1))%\"></i></i>"
    }
    return """
      <div class="card figure"><h2>\(title) <small>\(mark)</small></h2>
      <p class="big"><b>\(ReportText.figure(fused))</b> <span>m</span> \
      \(ReportGain(from: gnss, to: fused).words == nil ? "" : ReportGain(from: gnss, to: fused).badge)</p>
      <div class="pair"><span>Fused</span>\(bar(fused, "causal"))<span>\(ReportText.figure(fused)) m</span>
      <span>GNSS alone</span>\(bar(gnss, "gnss"))<span>\(ReportText.figure(gnss)) m</span></div></div>
      """
  }

  /// Whether the accuracy that the engine states is true: the truth should lie inside the radii 68 and 95 % of the time.
  private var honesty: String {
    let fused = report.score(.causal)
    let row = { (name: String, share: Double?, target: Int) in
      let width = ReportText.fixed(min(100, max(0, (share ?? 0) * 100)), digits: 1)
      return """
        <span>\(name)</span><i class="bar mark" style="--mark:\(target)%"><i class="causal" style="width:\(width)%"></i></i>\
        <span>\(ReportText.percent(share))</span>
        """
    }
    return """
      <div class="card figure"><h2>Truth inside the stated 95 % radius</h2>
      <p class="big"><b>\(ReportText.fixed(fused?.coverage95.map { $0 * 100 }, digits: 1))</b> <span>%</span></p>
      <div class="pair">\(row("68 % radius", fused?.coverage68, 68))\(row("95 % radius", fused?.coverage95, 95))</div></div>
      """
  }

  private var figures: String {
    """
    <div class="card view">
    <div class="bar-top"><h2>Track</h2><div class="layers" role="group" aria-label="Layers"></div></div>
    <div class="map-box"><canvas class="map" tabindex="0" role="application" \
    aria-label="Map of the tracks. Arrow keys pan, plus and minus zoom, 0 fits, comma and full stop step through time."></canvas>
    <div class="map-buttons"><button data-map="in" aria-label="Zoom in">+</button>\
    <button data-map="out" aria-label="Zoom out">−</button>\
    <button data-map="fit" aria-label="Fit the track">Fit</button></div></div>
    <dl class="readout" aria-live="off"></dl>
    <div class="bar-top chart-top"><h2>Horizontal error over time</h2><div class="chart-buttons">\
    <div class="segmented" role="group" aria-label="Error scale"><button data-scale="sqrt" aria-pressed="true">√ scale</button>\
    <button data-scale="linear" aria-pressed="false">Linear, clipped</button></div>\
    <button data-chart="in" aria-label="Zoom in on time">+</button>\
    <button data-chart="out" aria-label="Zoom out of time">−</button>\
    <button data-chart="reset">All</button></div></div>
    <canvas class="chart" tabindex="0" role="application" \
    aria-label="Horizontal error over time. Left and right move the cursor, plus and minus zoom, 0 shows all."></canvas>
    <p class="hint">Drag across the chart to zoom in on a stretch of time; double-click shows all. \
    Shaded: the 68 % and 95 % radii that the fused position states of itself.</p>
    </div>
    """
  }

  private func notes(unplaced: Int) -> String {
    var sentences = report.notes
    if unplaced > 0 {
      sentences.append("\(unplaced) points without a finite time or position are not drawn.")
    }
    guard !sentences.isEmpty else { return "" }
    let items = sentences.map { "<li>\(ReportText.escaped($0))</li>" }.joined()
    return "<div class=\"card notes\"><h2>Notes</h2><ul>\(items)</ul></div>"
  }
}
