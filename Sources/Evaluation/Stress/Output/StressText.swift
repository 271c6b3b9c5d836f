/// The tables of a stress study, and a line a bad case.
public enum StressText {
  /// What is wrong with a variant, and the command that runs it again; nil where nothing is.
  public static func line(_ result: StressResult, path: String, only: [StressChange]) -> String? {
    let figures = result.figures
    guard figures.isBad else { return nil }
    var parts: [String] = []
    if figures.impossible > 0 {
      parts.append("impossible \(figures.impossible) times from \(cell(figures.impossibleFrom)) s")
    }
    if let first = figures.lostFirst {
      parts.append(
        "lost from \(cell(first.start)) s, \(cell(figures.lost)) s in all, to \(cell(figures.lostWorst, 0)) m")
    }
    if figures.isMisleading, let piece = figures.misleadingLongest {
      parts.append(
        "misleading from \(cell(piece.start)) s for \(cell(piece.length)) s, to \(cell(piece.error, 0)) m"
          + " at a 95 % radius of \(cell(piece.radius)) m")
    }
    if figures.isHeadingFalse {
      parts.append(
        "heading over 5 σ off from \(cell(figures.headingFalseFrom)) s, \(cell(figures.headingFalse)) s in all")
    }
    return "\(result.drive) \(result.seed): \(parts.joined(separator: "; "))"
      + " [\(result.details.joined(separator: ", "))]: \(command(result, path: path, only: only))"
  }

  /// The command that runs the variant again.
  static func command(_ result: StressResult, path: String, only: [StressChange]) -> String {
    let changes = only.isEmpty ? "" : " --only \(only.map(\.rawValue).joined(separator: ","))"
    return "reckon stress \(quoted(path)) --seeds \(result.seed):\(result.seed)\(changes)"
  }

  /// By change, by drive, and of all.
  public static func tables(_ results: [StressResult]) -> String {
    var byChange = TextTable(["change"] + heads, leading: 1)
    for change in StressChange.allCases {
      let own = results.filter { $0.changes.contains(change) }
      if !own.isEmpty { byChange.add([change.rawValue] + cells(StressSummary(own))) }
    }
    var byDrive = TextTable(["drive"] + heads, leading: 1)
    var names: [String] = []
    for result in results where !names.contains(result.drive) { names.append(result.drive) }
    for name in names { byDrive.add([name] + cells(StressSummary(results.filter { $0.drive == name }))) }
    let all = StressSummary(results)
    byDrive.add(["all"] + cells(all))
    return byChange.text + "\n" + byDrive.text + "\n" + pooled(all)
  }

  private static let heads = [
    "variants", "lost", "% time", "misleading", "% time", "in 68 %", "in 95 %", "heading 5 σ %", "worst m", "resets",
  ]

  private static func cells(_ summary: StressSummary) -> [String] {
    [
      "\(summary.variants)", "\(summary.lost)", percent(summary.share(summary.lostTime)),
      "\(summary.misleading)", percent(summary.share(summary.misleadingTime)),
      percent(summary.position.share68, 1), percent(summary.position.share95, 1),
      percent(summary.headingFalseShare), cell(summary.worst, 0), "\(summary.resets)",
    ]
  }

  private static func pooled(_ summary: StressSummary) -> String {
    func coverage(_ name: String, _ coverage: StressCoverage) -> String {
      "\(name) \(percent(coverage.share68, 1)), \(percent(coverage.share95, 1)) %"
    }
    let rows = [
      "\(summary.variants) variants, \(cell(summary.position.time / 3600, 2)) h scored",
      "lost \(summary.lost) (\(percent(summary.share(summary.lostTime), 3)) % of the time)",
      "misleading \(summary.misleading) (\(percent(summary.share(summary.misleadingTime), 3)) %)",
      "impossible \(summary.impossible) (\(summary.impossibleSolutions) solutions)",
      "heading over 5 σ off \(summary.headingFalse) (\(percent(summary.headingFalseShare, 3)) %)",
      "no solution \(percent(summary.share(summary.unavailableTime), 3)) %",
      "inside 68, 95 %: " + coverage("position", summary.position) + ", "
        + coverage("heading", summary.heading) + ", " + coverage("course", summary.course) + ", "
        + coverage("speed", summary.speed) + ", " + coverage("height", summary.height),
      "P95 with good fixes over the fixes' \(cell(summary.goodRatio, 2)) (median)",
      "worst with good fixes \(cell(summary.goodWorst)) m, of all \(cell(summary.worst)) m",
      "heading after \(cell(summary.headingAfter)) s (P95; \(cell(summary.headingAfterDriving)) s of driving),"
        + " never \(summary.headingNever)",
      "resets \(summary.resets)",
    ]
    return rows.joined(separator: "; ") + "\n"
  }

  private static func cell(_ value: Double?, _ digits: Int = 1) -> String {
    TextTable.cell(value, digits: digits)
  }

  private static func percent(_ share: Double?, _ digits: Int = 2) -> String {
    TextTable.cell(share.map { 100 * $0 }, digits: digits)
  }

  /// A path as a shell takes it.
  private static func quoted(_ path: String) -> String {
    let plain = path.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._-+".contains($0) }
    return plain && !path.isEmpty ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
