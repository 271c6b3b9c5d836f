/// The tabs of a report of several drives, and the table that compares them.
enum ReportOverview {
  /// A tab a drive, after one for the comparison; empty for a single drive.
  static func tabs(_ reports: [DriveReport]) -> String {
    guard reports.count > 1 else { return "" }
    let names = ["All drives"] + reports.map(\.name)
    let buttons = names.enumerated().map { index, name in
      let id = index == 0 ? "all" : "\(index - 1)"
      return """
        <button role="tab" id="tab-\(id)" aria-controls="panel-\(id)" aria-selected="\(index == 0)" \
        data-panel="\(id)" title="\(ReportText.escaped(name))">\(ReportText.escaped(name))</button>
        """
    }
    return "<div class=\"tabs\" role=\"tablist\" aria-label=\"Drives\">\(buttons.joined())</div>"
  }

  /// The comparison; empty for a single drive.
  static func panel(_ reports: [DriveReport]) -> String {
    guard reports.count > 1 else { return "" }
    let rows = reports.enumerated().map { row($0.element, index: $0.offset) }
    return """
      <section class="panel" id="panel-all" role="tabpanel" aria-labelledby="tab-all">
      <header class="drive-head"><div><h1>\(reports.count) drives</h1>
      <p class="place">Horizontal error in metres: GNSS alone, each fix at its own time, against the fused position. \
      A drive whose truth was made of the same fixes has no gain.</p></div>
      </header>
      <div class="card"><div class="scroll" tabindex="0" role="region" aria-label="All drives"><table>
      <thead><tr><th scope="col" rowspan="2">Drive</th><th scope="colgroup" colspan="3">Half the time within</th>\
      <th scope="colgroup" colspan="3">95 % of the time within</th>\
      <th scope="colgroup" colspan="2">Worst</th><th scope="col" rowspan="2">Inside stated 95 %</th></tr>
      <tr><th scope="col">GNSS</th><th scope="col">Fused</th><th scope="col">Gain</th>\
      <th scope="col">GNSS</th><th scope="col">Fused</th><th scope="col">Gain</th>\
      <th scope="col">GNSS</th><th scope="col">Fused</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></div>
      </section>
      """
  }

  private static func row(_ report: DriveReport, index: Int) -> String {
    let gnss = report.score(.gnss)
    let fused = report.score(.causal)
    let pair = { (key: KeyPath<ReportScore, Double?>) in
      """
      <td>\(ReportText.figure(gnss?[keyPath: key]))</td>\
      <td class="strong">\(ReportText.figure(fused?[keyPath: key]))</td>
      """
    }
    let gain = { (key: KeyPath<ReportScore, Double?>) -> String in
      let badge =
        report.isTruthOfTheFixes ? nil : ReportGain(from: gnss?[keyPath: key], to: fused?[keyPath: key]).badge
      return "<td>\(badge ?? ReportText.missing)</td>"
    }
    return """
      <tr><th scope="row"><a href="#drive=\(index)">\(ReportText.escaped(report.name))</a>\
      <small>\(ReportText.escaped(report.kind)), \(ReportText.distance(report.distance))</small></th>\
      \(pair(\.p50))\(gain(\.p50))\(pair(\.p95))\(gain(\.p95))\(pair(\.max))\
      <td>\(ReportText.percent(fused?.coverage95))</td></tr>
      """
  }
}

extension DriveReport {
  /// The row of `role`, where there is one.
  func score(_ role: ReportTrack.Role) -> ReportScore? { scores.first { $0.role == role } }
}
