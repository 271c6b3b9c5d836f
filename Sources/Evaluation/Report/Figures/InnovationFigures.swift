import LinearAlgebra

/// Fixes less what was predicted for them, in metres.
enum InnovationFigures {
  static func all(_ moments: [FixMoment], _ time: FigureAxis) -> [ReportFigure] {
    let parts: [(String, String, (FixMoment) -> (value: Double, sigma: Double))] = [
      ("fix-north", "north", { ($0.north, $0.sigma.x) }), ("fix-east", "east", { ($0.east, $0.sigma.y) }),
      ("fix-up", "up", { ($0.up, $0.sigma.z) }),
    ]
    return parts.compactMap { figure($0, $1, moments, $2, time) }
  }

  private static func figure(
    _ id: String, _ direction: String, _ moments: [FixMoment],
    _ part: (FixMoment) -> (value: Double, sigma: Double), _ time: FigureAxis
  ) -> ReportFigure? {
    let points = moments.map { (time: $0.time, part: part($0), fate: $0.fate) }.filter(\.part.value.isFinite)
    guard points.count > 1 else { return nil }
    // A few wild ones, which the guard rejects, do not press the rest flat.
    let bounds = points.map { (x: $0.time, y: 1.96 * $0.part.sigma) }
    let usual = FigureData.percentile(0.98, points.map { abs($0.part.value) }) ?? 1
    let reach = max(usual, FigureData.percentile(0.8, bounds.map(\.y)) ?? 0) * 1.2
    var plot = FigurePlot(x: time, y: .about0(max(reach, 1e-3), "m \(direction)"))
    plot.addBand(
      low: FigureCurve(overTime: bounds.map { ($0.x, -$0.y) }), high: FigureCurve(overTime: bounds),
      FigurePlot.Line("causal", "95 %"))
    plot.addLevel(0, FigurePlot.Line("zero"))
    let dots = { (fate: MeasurementMoment.Fate?) in
      points.filter { $0.fate == fate }.map { (x: $0.time, y: $0.part.value) }
    }
    plot.addDots(MeasurementFigures.thinned(dots(nil)), FigurePlot.Line("truth", "aligning"))
    plot.addDots(MeasurementFigures.thinned(dots(.used)), FigurePlot.Line("causal", "used"))
    plot.addDots(MeasurementFigures.thinned(dots(.weighedDown)), FigurePlot.Line("gnss", "less weight"))
    plot.addCrosses(dots(.rejected), FigurePlot.Line("bad", "rejected"))
    let inside = Double(points.count { abs($0.part.value) <= 1.96 * $0.part.sigma }) / Double(points.count)
    let middle = FigureData.percentile(0.5, points.map { abs($0.part.value) })
    return ReportFigure(
      id, "Fix less prediction, \(direction)",
      summary:
        "Half of \(points.count) fixes are within \(FigureNumber.figure(middle)) m of what was predicted for them; "
        + "\(ReportText.percent(inside)) lie within 1.96 standard deviations of both together.",
      note: points.contains { abs($0.part.value) > reach }
        ? "What lies beyond the scale stands at its end." : "",
      table: FigureData.table([
        ("Fix less prediction, m", points.map { (x: $0.time, y: $0.part.value) }), ("1.96 σ", bounds),
      ]), plot: plot, isOverTime: true)
  }
}
