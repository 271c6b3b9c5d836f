/// How the error grows without fixes.
enum OutageFigures {
  static func all(_ traces: [OutageTrace]) -> [ReportFigure] {
    guard let step = traces.first?.step, let count = traces.map(\.errors.count).max(), count > 1 else {
      return []
    }
    let times = (0..<count).map { Double($0) * step }
    let at = { (index: Int, values: (OutageTrace) -> [Double]) in
      traces.compactMap { values($0).indices.contains(index) ? values($0)[index] : nil }
    }
    let curve = { (p: Double, values: (OutageTrace) -> [Double]) in
      times.indices.compactMap { i in
        FigureData.percentile(p, at(i, values)).map { (x: times[i], y: $0) }
      }
    }
    let (p50, p95) = (curve(0.5) { $0.errors }, curve(0.95) { $0.errors })
    let stated = curve(0.5) { $0.radii95 }
    let top = max(
      traces.flatMap(\.errors).filter(\.isFinite).max() ?? 1, stated.map(\.y).max() ?? 0)
    var plot = FigurePlot(
      x: .linear(0, times[count - 1], "s without fixes"),
      y: .squareRoot(to: top * 1.04, "horizontal error, m"))
    for trace in traces {
      plot.add(
        FigureCurve(trace.errors.enumerated().map { (Double($0.offset) * step, $0.element) }),
        FigurePlot.Line("fan"))
    }
    plot.add(FigureCurve(stated), FigurePlot.Line("bound", "stated 95 %", isDashed: true))
    plot.add(FigureCurve(p95), FigurePlot.Line("c2", "P95"))
    plot.add(FigureCurve(p50), FigurePlot.Line("causal", "P50"))
    let marks = stride(from: 0, to: count, by: max(1, (count - 1) / 8)).map { i in
      ["\(FigureNumber.figure(times[i])) s"]
        + [p50, p95, stated].map { curve in
          FigureNumber.figure(FigureData.nearest(curve, times[i], within: step / 2))
        }
    }
    return [
      ReportFigure(
        "outages", "Growth of the error without fixes",
        summary:
          "\(FigureData.counted(traces.count, "outage", "outages")) of \(FigureNumber.figure(times[count - 1])) s; at the end "
          + "half are within \(FigureNumber.figure(p50.last?.y)) m, 95 % within \(FigureNumber.figure(p95.last?.y)) m, and "
          + "\(FigureNumber.figure(stated.last?.y)) m is the median of the stated 95 % radius.",
        note: "Each thin line is one of \(FigureData.counted(traces.count, "outage", "outages")).",
        table: (["Without fixes", "P50, m", "P95, m", "Stated 95 %, median, m"], marks), plot: plot)
    ]
  }
}
