/// The cards on top of a drive: how far off the fused position is against GNSS alone, and whether it knows.
struct ReportHeadline {
  private let gnss: ReportScore?
  private let fused: ReportScore?
  /// Whether it means something that one is closer to the truth than the other.
  private let isComparable: Bool

  /// The headline of `report`.
  init(_ report: DriveReport) {
    gnss = report.score(.gnss)
    fused = report.score(.causal)
    isComparable = !report.isTruthOfTheFixes
  }

  /// The cards; empty where neither was scored.
  var html: String {
    guard gnss != nil || fused != nil else { return "" }
    return """
      <div class="headline" role="group" aria-label="Horizontal error, fused against GNSS alone">
      \(comparison("Half the time within", mark: "P50", \.p50))
      \(comparison("95 % of the time within", mark: "P95", \.p95))
      \(comparison("Worst", mark: "max", \.max))
      \(honesty)
      </div>
      """
  }

  private func comparison(_ title: String, mark: String, _ key: KeyPath<ReportScore, Double?>) -> String {
    let (before, after) = (gnss?[keyPath: key], fused?[keyPath: key])
    let largest = max(before ?? 0, after ?? 0)
    let row = { (name: String, role: ReportTrack.Role, value: Double?) in
      """
      <span>\(name)</span><i class="bar">\(bar(value.map { $0 / largest }, role))</i>\
      <span>\(ReportText.figure(value, unit: "m"))</span>
      """
    }
    return card(
      "\(title) <small>\(mark)</small>", figure: ReportText.figure(after), unit: "m",
      badge: isComparable ? ReportGain(from: before, to: after).badge : nil,
      rows: row("Fused", .causal, after) + row("GNSS alone", .gnss, before))
  }

  /// Whether the accuracy that the engine states is true: 68 and 95 % of the time inside its radii, no
  /// less, and not much more.
  private var honesty: String {
    let row = { (percent: Int, share: Double?) in
      """
      <span>\(percent) % radius</span>\
      <i class="bar mark" style="--mark:\(percent)%">\(bar(share, .causal))</i>\
      <span>\(ReportText.percent(share))</span>
      """
    }
    return card(
      "Truth inside stated 95 %",
      figure: ReportText.fixed(fused?.coverage95.map { $0 * 100 }, digits: 1), unit: "%", badge: nil,
      rows: row(68, fused?.coverage68) + row(95, fused?.coverage95))
  }

  private func bar(_ share: Double?, _ role: ReportTrack.Role) -> String {
    guard let share, share.isFinite else { return "" }
    let width = ReportText.fixed(min(1, max(0, share)) * 100, digits: 1)
    return "<i class=\"\(role.rawValue)\" style=\"width:\(width)%\"></i>"
  }

  private func card(_ title: String, figure: String, unit: String, badge: String?, rows: String) -> String {
    let missing = figure == ReportText.missing
    return """
      <div class="card figure"><h2>\(title)</h2>
      <p class="big"><b\(missing ? " class=\"missing\"" : "")>\(figure)</b>\
      \(missing ? "" : " <span>\(unit)</span>") \(badge ?? "")</p>
      <div class="pair">\(rows)</div></div>
      """
  }
}
