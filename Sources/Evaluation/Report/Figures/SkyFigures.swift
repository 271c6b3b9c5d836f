import Drives
import Navigation

/// The satellites that the receiver saw: where they stood, how strong they were, and how many.
enum SkyFigures {
  /// The satellites of one time.
  private struct Moment {
    var time: Double
    var seen: ArraySlice<SatelliteSample>

    /// How many the fix used; nil where the receiver does not say.
    var used: Int? { seen.contains { $0.isUsed != nil } ? seen.count { $0.isUsed == true } : nil }

    /// Strengths of those that the fix used, or of all where the receiver does not say, ascending.
    var strengths: [Double] {
      seen.filter { used == nil || $0.isUsed == true }.compactMap(\.strength).filter { $0 > 0 }.sorted()
    }
  }

  static func all(_ sky: [SatelliteSample], _ time: FigureAxis) -> [ReportFigure] {
    let moments = moments(sky).filter { $0.time >= time.low && $0.time <= time.high }
    guard !moments.isEmpty else { return [] }
    return [SkyPlot.figure(sky), strength(moments, time), count(moments, time)].compactMap(\.self)
  }

  private static func moments(_ sky: [SatelliteSample]) -> [Moment] {
    var moments: [Moment] = []
    var start = 0
    for next in 1...max(1, sky.count) where next <= sky.count {
      if next < sky.count, sky[next].time == sky[start].time { continue }
      moments.append(Moment(time: sky[start].time.seconds, seen: sky[start..<next]))
      start = next
    }
    return moments
  }

  private static func strength(_ moments: [Moment], _ time: FigureAxis) -> ReportFigure? {
    let told = moments.map { (time: $0.time, values: $0.strengths) }.filter { !$0.values.isEmpty }
    guard !told.isEmpty else { return nil }
    let share = { (p: Double) in
      told.map { (x: $0.time, y: ErrorStatistics.percentile(p, ofSorted: $0.values)) }
    }
    let (low, middle, high) = (share(0.1), share(0.5), share(0.9))
    let top = max(50, high.map(\.y).max() ?? 0)
    var plot = FigurePlot(x: time, y: .linear(min(10, low.map(\.y).min() ?? 0), top, "C/N0, dB-Hz"))
    plot.addBand(
      low: FigureCurve(overTime: low), high: FigureCurve(overTime: high), FigurePlot.Line("c1", "10 to 90 %"))
    plot.add(FigureCurve(overTime: middle), FigurePlot.Line("c1", "median"))
    let all = told.flatMap(\.values).sorted()
    let words = [0.1, 0.5, 0.9].map { FigureNumber.figure(ErrorStatistics.percentile($0, ofSorted: all)) }
    return ReportFigure(
      "sky-strength", "Strength of the satellites used",
      summary: "Carrier to noise density: the median is \(words[1]) dB-Hz, 80 % lie between \(words[0]) and "
        + "\(words[2]).",
      table: FigureData.table([("10 %", low), ("Median, dB-Hz", middle), ("90 %", high)]), plot: plot,
      isOverTime: true)
  }

  private static func count(_ moments: [Moment], _ time: FigureAxis) -> ReportFigure {
    let visible = moments.map { (x: $0.time, y: Double($0.seen.count)) }
    let used = moments.compactMap { moment in moment.used.map { (x: moment.time, y: Double($0)) } }
    let top = (visible.map(\.y).max() ?? 1) * 1.05 + 1
    var plot = FigurePlot(x: time, y: .linear(0, top, "satellites"))
    plot.add(FigureCurve(overTime: visible), FigurePlot.Line("truth", "in view"))
    plot.add(FigureCurve(overTime: used), FigurePlot.Line("c1", "used"))
    let mean = { (points: [(x: Double, y: Double)]) in
      FigureNumber.figure(
        points.isEmpty ? nil : points.map(\.y).reduce(0, +) / Double(points.count))
    }
    return ReportFigure(
      "sky-count", "Satellites in view and used",
      summary: "On average \(mean(visible)) in view, \(mean(used)) used.",
      table: FigureData.table([("In view", visible), ("Used", used)]), plot: plot, isOverTime: true)
  }
}
