/// All variants together, a line a figure.
extension StressText {
  static func pooled(_ summary: StressSummary) -> String {
    let lines: [(String, String)] = [
      ("variants", "\(summary.variants), \(cell(summary.position.time / 3600, 2)) h scored"),
      ("lost", "\(summary.lost), \(percent(summary.share(summary.lostTime), 3)) % of the time"),
      (
        "misleading for over 2 s",
        "\(summary.misleading), misleading \(percent(summary.share(summary.misleadingTime), 3)) % of the time"
      ),
      ("impossible", "\(summary.impossible), \(summary.impossibleSolutions) solutions"),
      ("without a solution", "\(percent(summary.share(summary.unavailableTime), 3)) % of the time"),
      (
        "false heading",
        "\(summary.headingFalse), \(percent(summary.headingFalseShare, 3)) % of the time with one"
          + " (\(percent(summary.headingBeyondShare, 3)) % over 5 stated σ)"
      ),
      (
        "inside 68, 95 %",
        [
          coverage("position", summary.position), coverage("heading", summary.heading),
          coverage("course", summary.course), coverage("speed", summary.speed),
          coverage("height", summary.height),
        ].joined(separator: "; ")
      ),
      (
        "inside, 6-minute means",
        "68 %: \(window(summary.window68)); 95 %: \(window(summary.window95)) (P5, P50 of the windows)"
      ),
      (
        "95 % radius over 64 m",
        "\(percent(summary.diagram.vagueShare, 2)) % of the time with errors under 4 m"
      ),
      ("P95 while fixes are good", "\(cell(summary.goodRatio, 2)) of the fixes' (median)"),
      (
        "worst",
        "\(metres(summary.goodWorst)) m with good fixes, \(metres(summary.worst)) m of all"
      ),
      (
        "heading claimed after",
        "\(cell(summary.headingAfter)) s, of them \(cell(summary.headingAfterDriving)) above 3 m/s (P95);"
          + " never \(summary.headingNever)"
      ),
      (
        "heading or course after",
        "\(cell(summary.directionAfterDriving)) s above 3 m/s (P95)"
      ),
      ("resets", "\(summary.resets)"),
    ]
    var table = TextTable(["all variants", ""], leading: 2)
    for (name, value) in lines { table.add([name, value]) }
    return table.text
  }

  private static func coverage(_ name: String, _ coverage: StressCoverage) -> String {
    "\(name) \(percent(coverage.share68, 1)), \(percent(coverage.share95, 1))"
  }

  private static func window(_ shares: (p5: Double, p50: Double)?) -> String {
    "\(percent(shares?.p5, 1)), \(percent(shares?.p50, 1))"
  }
}
