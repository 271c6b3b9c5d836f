import CLibrary

/// How large errors are, and whether what is stated of them is true.
enum AccuracyFigures {
  static func all(_ tracks: [ReportTrack]) -> [ReportFigure] {
    [distribution(tracks), reliability(tracks), stanford(tracks)].compactMap(\.self)
  }

  private static func errors(_ track: ReportTrack) -> [Double] {
    track.role == .truth ? [] : track.points.compactMap(\.horizontalError).filter(\.isFinite).sorted()
  }

  /// The distribution of the horizontal error of each track.
  private static func distribution(_ tracks: [ReportTrack]) -> ReportFigure? {
    let sorted = tracks.map { ($0.role, errors($0)) }.filter { $0.1.count > 1 }
    let shares = stride(from: 0.005, through: 0.9951, by: 0.005)
    let ends = sorted.flatMap { [ErrorStatistics.percentile(0.02, ofSorted: $0.1), $0.1[$0.1.count - 1]] }
    guard let low = ends.min(), let high = ends.max() else { return nil }
    var plot = FigurePlot(
      x: .logarithmic(max(low, high / 1e4, 1e-3), high, "horizontal error, m"),
      y: .linear(0, 100, "% of the time within"))
    for (role, errors) in sorted {
      var points = shares.map { (x: ErrorStatistics.percentile($0, ofSorted: errors), y: 100 * $0) }
      points.append((x: errors[errors.count - 1], y: 100))
      plot.add(FigureCurve(points), FigurePlot.Line(role.rawValue, role.short))
    }
    let percents = [50.0, 68, 90, 95, 99, 100]
    let rows = percents.map { percent in
      ["\(Int(percent)) %"]
        + sorted.map { FigureNumber.figure(ErrorStatistics.percentile(percent / 100, ofSorted: $0.1)) }
    }
    let words = sorted.map { role, errors in
      "\(role.title) \(FigureNumber.figure(ErrorStatistics.percentile(0.95, ofSorted: errors))) m"
    }
    return ReportFigure(
      "distribution", "How large the errors are",
      summary: "95 % of the time within: \(words.joined(separator: ", ")).",
      table: (["Within, m"] + sorted.map(\.0.title), rows), plot: plot)
  }

  /// Stated against achieved probability.
  private static func reliability(_ tracks: [ReportTrack]) -> ReportFigure? {
    let curves = tracks.filter { $0.role != .truth }.map {
      ($0.role, StatedDistribution.reliability($0.points))
    }.filter { !$0.1.isEmpty }
    guard !curves.isEmpty else { return nil }
    var plot = FigurePlot(x: .linear(0, 100, "stated, %"), y: .linear(0, 100, "achieved, %"))
    plot.add(FigureCurve([(0, 0), (100, 100)]), FigurePlot.Line("bound", "true", isDashed: true))
    for (role, shares) in curves {
      let points =
        [(x: 0.0, y: 0.0)] + shares.enumerated().map { (x: Double($0.offset + 1), y: 100 * $0.element) }
      plot.add(FigureCurve(points), FigurePlot.Line(role.rawValue, role.short))
    }
    let percents = [10, 25, 50, 68, 75, 90, 95, 99]
    let rows = percents.map { percent in
      ["\(percent) %"] + curves.map { ReportText.percent($0.1[percent - 1]) }
    }
    let words = curves.map {
      "\($0.0.title) \(ReportText.percent($0.1[49])) and \(ReportText.percent($0.1[94]))"
    }
    return ReportFigure(
      "reliability", "Whether the stated accuracy is true",
      summary:
        "Of the radii stated for 50 and 95 % these shares hold the truth: \(words.joined(separator: ", ")).",
      note:
        "Below the diagonal errors are larger than stated. Between the 68 % and 95 % radii: Weibull's distribution.",
      table: (["Stated"] + curves.map(\.0.title), rows), plot: plot)
  }

  /// The error against the stated 95 % radius.
  private static func stanford(_ tracks: [ReportTrack]) -> ReportFigure? {
    guard
      let track = tracks.first(where: { $0.role == .causal }) ?? tracks.first(where: { $0.role == .track })
    else { return nil }
    let points = track.points.compactMap { point -> (error: Double, radius: Double)? in
      guard let error = point.horizontalError, error.isFinite, let radius = point.radius95, radius > 0,
        radius.isFinite
      else { return nil }
      return (error, radius)
    }
    guard points.count > 1 else { return nil }
    let high = (points.flatMap { [$0.error, $0.radius] }.max() ?? 1) * 1.1
    let low = max(min((points.map(\.radius).min() ?? 1), high / 100) / 4, high / 1e4)
    var plot = FigurePlot(
      x: .logarithmic(low, high, "horizontal error, m"), y: .logarithmic(low, high, "stated 95 % radius, m"))
    addCells(points, low, high, &plot)
    plot.add(FigureCurve([(low, low), (high, high)]), FigurePlot.Line("bound"))
    plot.addText("held", x: 0.04, y: 0.92)
    plot.addText("misleading", x: 0.97, y: 0.05, anchor: "end")
    let count = Double(points.count)
    let outside = Double(points.count { $0.error > $0.radius }) / count
    let gross =
      Double(points.count { MisleadingInformation.holds(error: $0.error, radius95: $0.radius) }) / count
    return ReportFigure(
      "stanford", "Error against stated radius (Stanford diagram)",
      summary:
        "The error exceeds the stated 95 % radius for \(ReportText.percent(outside)) of the time, and twice the radius "
        + "and 5 m for \(ReportText.percent(gross)).",
      note: "Darker for more time; \(ReportText.percent(outside)) is below the line.",
      table: (
        ["", "Share of the time"],
        [
          ["Error within the radius", ReportText.percent(1 - outside)],
          ["Error beyond the radius", ReportText.percent(outside)],
          ["Beyond twice the radius and 5 m", ReportText.percent(gross)],
        ]
      ), plot: plot)
  }

  private static func addCells(
    _ points: [(error: Double, radius: Double)], _ low: Double, _ high: Double, _ plot: inout FigurePlot
  ) {
    let bins = 40
    let edge = { (bin: Int) in low * pow(high / low, Double(bin) / Double(bins)) }
    var counts: [Int: Int] = [:]
    for point in points {
      let (i, j) = (
        min(bins - 1, Int(plot.x.place(point.error) * Double(bins))),
        min(bins - 1, Int(plot.y.place(point.radius) * Double(bins)))
      )
      counts[i * bins + j, default: 0] += 1
    }
    let most = Double(counts.values.max() ?? 1)
    for (bin, count) in counts.sorted(by: { $0.key < $1.key }) {
      let (i, j) = (bin / bins, bin % bins)
      let opacity = 0.18 + 0.82 * (Double(count) / most).squareRoot()
      plot.addCell(
        x: edge(i), edge(i + 1), y: edge(j), edge(j + 1), opacity: opacity, i > j ? "bad" : "causal")
    }
  }
}

extension ReportTrack.Role {
  /// A name for the legend of a figure.
  var short: String {
    switch self {
    case .gnss: "GNSS"
    case .causal: "fused"
    case .fixedLag: "fixed lag"
    case .full: "full"
    case .receiver: "receiver"
    case .track: "other"
    case .truth: "truth"
    }
  }
}
