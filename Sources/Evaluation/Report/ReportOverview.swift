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
      \(outages(reports))
      </section>
      """
  }

  /// The outages that were asked for, a row a drive; empty where none were.
  private static func outages(_ reports: [DriveReport]) -> String {
    let lengths = Set(reports.flatMap { $0.outages.map(\.length) }.filter(\.isFinite)).sorted()
    guard !lengths.isEmpty else { return "" }
    let rows = reports.enumerated().map { index, report in
      let cells = lengths.map { length in
        let outage = report.outages.first { $0.length == length }
        return [outage?.p50, outage?.p95, outage?.max].map { "<td>\(ReportText.figure($0))</td>" }.joined()
      }
      return "<tr><th scope=\"row\">\(link(report, index: index))</th>\(cells.joined())</tr>"
    }
    let heads = lengths.map { length in
      let seconds = ReportText.fixed(length, digits: length == length.rounded() ? 0 : 1)
      return "<th scope=\"colgroup\" colspan=\"3\">After \(seconds) s, m</th>"
    }
    let parts = lengths.map { _ in ReportTables.heads(["P50", "P95", "Max"]) }
    return ReportTables.table(
      title: "Without satellites", label: "Outages of all drives",
      head: "<tr><th scope=\"col\" rowspan=\"2\">Drive</th>\(heads.joined())</tr><tr>\(parts.joined())</tr>",
      rows: rows)
  }

  /// A link to the drive by its name, which also works from outside of the page.
  private static func link(_ report: DriveReport, index: Int) -> String {
    "<a href=\"#drive=\(address(report.name, index: index))\">\(ReportText.escaped(report.name))</a>"
  }

  /// `name` as it stands in an address; its number where it has no letter to go by.
  static func address(_ name: String, index: Int) -> String {
    let isPlain = { (byte: UInt8) in
      byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
        || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    }
    let text = name.utf8.map { byte in
      isPlain(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
    return text.isEmpty ? "\(index)" : text
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
      <tr><th scope="row">\(link(report, index: index))\
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
