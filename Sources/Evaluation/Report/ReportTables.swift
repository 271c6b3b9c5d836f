/// The tables of scores and of outages.
enum ReportTables {
  /// A row an estimator; empty where nothing was scored.
  static func scores(_ scores: [ReportScore]) -> String {
    guard !scores.isEmpty else { return "" }
    let best = [\ReportScore.p50, \.p68, \.p95, \.p99, \.max, \.rms].map { key in
      scores.compactMap { $0[keyPath: key] }.filter(\.isFinite).min()
    }
    let rows = scores.map { score in
      let errors = [score.p50, score.p68, score.p95, score.p99, score.max, score.rms]
      let errorCells = zip(errors, best).map { value, best in
        cell(ReportText.fixed(value, digits: 2), strong: scores.count > 1 && value != nil && value == best)
      }
      let cells = [
        ReportText.fixed(score.speedError, digits: 2), ReportText.fixed(score.courseErrorDegrees, digits: 2),
        ReportText.fixed(score.headingErrorDegrees, digits: 2), ReportText.percent(score.coverage68),
        ReportText.percent(score.coverage95), ReportText.percent(score.availability),
      ].map { cell($0) }
      return """
        <tr><th scope="row"><i class="swatch \(score.role.rawValue)"></i>\(score.role.title)</th>\
        \((errorCells + cells).joined())</tr>
        """
    }
    return table(
      title: "Scores",
      head: """
        <tr><th scope="col" rowspan="2">Estimator</th><th scope="colgroup" colspan="6">Horizontal error, m</th>\
        <th scope="colgroup" colspan="3">68 % error</th><th scope="colgroup" colspan="2">Truth inside stated</th>\
        <th scope="col" rowspan="2">Available</th></tr>
        <tr>\(heads(["P50", "P68", "P95", "P99", "Max", "RMS", "Speed, m/s", "Course, °", "Heading, °", "68 %", "95 %"]))</tr>
        """, rows: rows)
  }

  /// A row a length; empty where no outage was studied.
  static func outages(_ outages: [ReportOutage]) -> String {
    guard !outages.isEmpty else { return "" }
    let rows = outages.map { outage in
      let cells = [
        "\(outage.count)", ReportText.fixed(outage.p50, digits: 2), ReportText.fixed(outage.p95, digits: 2),
        ReportText.fixed(outage.max, digits: 2), ReportText.fixed(outage.percentP50, digits: 2),
        ReportText.fixed(outage.percentP95, digits: 2),
      ].map { cell($0) }
      let digits = outage.length == outage.length.rounded() ? 0 : 1
      return
        "<tr><th scope=\"row\">\(ReportText.fixed(outage.length, digits: digits)) s</th>\(cells.joined())</tr>"
    }
    return table(
      title: "Without satellites",
      head: """
        <tr><th scope="col" rowspan="2">Fixes cut for</th><th scope="col" rowspan="2">Windows</th>\
        <th scope="colgroup" colspan="3">Error at the end, m</th>\
        <th scope="colgroup" colspan="2">% of distance driven</th></tr>
        <tr>\(heads(["P50", "P95", "Max", "P50", "P95"]))</tr>
        """, rows: rows)
  }

  /// A row a gap; empty where there is none.
  static func realGaps(_ gaps: [RealGap]) -> String {
    guard !gaps.isEmpty else { return "" }
    let rows = gaps.map { gap in
      let cells = [
        ReportText.fixed(gap.length, digits: 1), ReportText.fixed(gap.goodFix, digits: 1),
        ReportText.fixed(gap.statedError, digits: 2), ReportText.fixed(gap.causalError, digits: 2),
        ReportText.fixed(gap.accuracy95, digits: 2),
        gap.isInside95.map { $0 ? "yes" : "no" } ?? ReportText.missing,
        ReportText.fixed(gap.receiverError, digits: 2),
      ].map { cell($0) }
      return "<tr><th scope=\"row\">\(ReportText.fixed(gap.start, digits: 1)) s</th>\(cells.joined())</tr>"
    }
    return table(
      title: "Real gaps in the fixes, before the first good one after each",
      head: """
        <tr>\(heads([
          "From", "Length, s", "Good fix at, s", "It states, m", "Fused off by, m", "Fused 95 % radius, m", "Inside",
          "Receiver's own off by, m",
        ]))</tr>
        """, rows: rows)
  }

  /// Whether the second of two is better, as a mark.
  static func verdict(_ isBetter: Bool?) -> String {
    guard let word = isBetter.map({ $0 ? "better" : "worse" }) else { return ReportText.missing }
    return "<span class=\"badge \(word)\">\(word)</span>"
  }

  /// Sentences below a table.
  static func notes(_ items: [String]) -> String {
    let list = items.map { "<li>\(ReportText.escaped($0))</li>" }.joined()
    return "<div class=\"card notes\"><h2>Notes</h2><ul>\(list)</ul></div>"
  }

  /// The heads of columns.
  static func heads(_ names: [String]) -> String {
    names.map { "<th scope=\"col\">\($0)</th>" }.joined()
  }

  private static func cell(_ text: String, strong: Bool = false) -> String {
    strong ? "<td class=\"strong\">\(text)</td>" : "<td>\(text)</td>"
  }

  /// A card with a table, which says what it is of by `label` where its title alone would not.
  static func table(title: String, label: String? = nil, head: String, rows: [String]) -> String {
    """
    <div class="card"><h2>\(title)</h2><div class="scroll" tabindex="0" role="region" aria-label="\(label ?? title)"><table>
    <thead>\(head)</thead>
    <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></div>
    """
  }
}

extension ReportTrack.Role {
  /// What the page calls it.
  var title: String {
    switch self {
    case .gnss: "GNSS alone"
    case .causal: "Fused"
    case .fixedLag: "Fused, fixed lag"
    case .full: "Fused, full smoother"
    case .receiver: "Receiver's own"
    case .track: "Other system"
    case .truth: "Truth"
    }
  }
}
