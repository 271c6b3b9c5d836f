/// The errors of the live solution over time, each with what is stated of it.
enum ErrorFigures {
  static func all(_ moments: [ErrorMoment], _ time: FigureAxis) -> [ReportFigure] {
    let parts: [(String, String, String, (ErrorMoment) -> ErrorMoment.Part?)] = [
      ("error-along", "Error along the track", "m ahead", { $0.along }),
      ("error-across", "Error across the track", "m to the right", { $0.across }),
      ("error-height", "Error in height", "m too high", { $0.height }),
      ("error-speed", "Error in speed", "m/s too fast", { $0.speed }),
      ("error-heading", "Error in heading", "° clockwise", { $0.heading }),
    ]
    return parts.compactMap { id, title, unit, part in
      figure(id, title, unit, moments.compactMap { moment in part(moment).map { (moment.time, $0) } }, time)
    } + [nees(moments, time)].compactMap(\.self)
  }

  private static func figure(
    _ id: String, _ title: String, _ unit: String, _ parts: [(time: Double, part: ErrorMoment.Part)],
    _ time: FigureAxis
  ) -> ReportFigure? {
    let parts = parts.filter { $0.part.error.isFinite }
    guard parts.count > 1 else { return nil }
    let errors = parts.map { (x: $0.time, y: $0.part.error) }
    let bounds = parts.map { (x: $0.time, y: 1.96 * $0.part.sigma) }
    let largest = errors.map { abs($0.y) }.max() ?? 0
    let reach = max(largest, FigureData.percentile(0.9, bounds.map(\.y)) ?? 0) * 1.06
    var plot = FigurePlot(x: time, y: .about0(max(reach, 1e-3), unit))
    plot.addBand(
      low: FigureCurve(overTime: bounds.map { ($0.x, -$0.y) }), high: FigureCurve(overTime: bounds),
      FigurePlot.Line("causal", "95 % stated"))
    plot.addLevel(0, FigurePlot.Line("zero"))
    plot.add(FigureCurve(overTime: errors), FigurePlot.Line("causal", "error"))
    let inside = Double(parts.count { abs($0.part.error) <= 1.96 * $0.part.sigma }) / Double(parts.count)
    let p95 = FigureData.percentile(0.95, errors.map { abs($0.y) })
    return ReportFigure(
      id, title,
      summary: "95 % of the errors are within \(FigureNumber.figure(p95)), the largest is "
        + "\(FigureNumber.figure(largest)) (\(unit)); \(ReportText.percent(inside)) lie within 1.96 stated standard deviations.",
      table: FigureData.table([("Error, \(unit)", errors), ("1.96 σ", bounds)]), plot: plot, isOverTime: true)
  }

  private static func nees(_ moments: [ErrorMoment], _ time: FigureAxis) -> ReportFigure? {
    let points = moments.compactMap { moment in moment.nees.map { (x: moment.time, y: $0) } }.filter(
      \.y.isFinite)
    guard points.count > 1 else { return nil }
    let highest = max(10, points.map(\.y).max() ?? 10)
    var plot = FigurePlot(
      x: time, y: .logarithmic(1e-3, highest, "eᵀP⁻¹e / 2"))
    plot.add(FigureCurve(overTime: points), FigurePlot.Line("causal", "NEES"))
    // χ² of two degrees of freedom: 95 % lie below 5.991.
    plot.addLevel(5.991 / 2, FigurePlot.Line("bound", "95 % bound", isDashed: true))
    let mean = points.reduce(0) { $0 + $1.y } / Double(points.count)
    let inside = Double(points.count { $0.y <= 5.991 / 2 }) / Double(points.count)
    return ReportFigure(
      "nees", "Consistency: NEES of the position",
      summary:
        "Mean \(FigureNumber.figure(mean)), 1 where the covariance is right; \(ReportText.percent(inside)) of the time "
        + "below the 95 % bound.",
      note: "1 on average where the covariance is right; much above it is over-confident.",
      table: FigureData.table([("NEES", points)]), plot: plot, isOverTime: true)
  }
}
