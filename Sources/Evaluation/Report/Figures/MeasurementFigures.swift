import Fusion

/// The innovations of each kind of measurement, and what became of them.
enum MeasurementFigures {
  /// No more dots of one sort than this; of more, every so many is drawn.
  private static let most = 2500
  /// What 95 % of χ² over its degrees of freedom lies below, for one, two and three.
  private static let bounds = [3.841, 5.991 / 2, 7.815 / 3]

  static func all(_ moments: [MeasurementMoment], _ time: FigureAxis) -> [ReportFigure] {
    MeasurementVerdict.Kind.allCases.compactMap { kind in
      figure(kind, moments.filter { $0.kind == kind && $0.time.isFinite }, time)
    }
  }

  private static func figure(
    _ kind: MeasurementVerdict.Kind, _ moments: [MeasurementMoment], _ time: FigureAxis
  ) -> ReportFigure? {
    let known = moments.compactMap(\.nisPerDimension)
    guard moments.count > 1, !known.isEmpty else { return nil }
    let top = min(max(known.max() ?? 10, 5), 1e4) * 1.05
    var plot = FigurePlot(x: time, y: .squareRoot(to: top, "NIS / dimension"))
    let points = { (fate: MeasurementMoment.Fate) in
      moments.filter { $0.fate == fate }.map { (x: $0.time, y: $0.nisPerDimension ?? top) }
    }
    let (used, weighed, rejected) = (points(.used), points(.weighedDown), points(.rejected))
    plot.addDots(thinned(used), FigurePlot.Line("causal", "used"))
    plot.addDots(thinned(weighed), FigurePlot.Line("gnss", "less weight"), radius: 1.6)
    plot.addCrosses(rejected, FigurePlot.Line("bad", "rejected"))
    let dimension = moments.first { $0.nisPerDimension != nil }?.dimension ?? 0
    if bounds.indices.contains(dimension - 1) {
      plot.addLevel(bounds[dimension - 1], FigurePlot.Line("bound", "95 %", isDashed: true))
    }
    let means = windowMeans(moments, time)
    plot.add(FigureCurve(means), FigurePlot.Line("truth", "mean"))
    let mean = known.reduce(0, +) / Double(known.count)
    return ReportFigure(
      "innovation-\(kind.slug)", "Innovations: \(kind.title)",
      summary: "\(FigureData.counted(moments.count, "measurement", "measurements")): \(used.count) used, "
        + "\(weighed.count) with less weight, \(rejected.count) rejected; the mean of the normalized innovation squared "
        + "over its dimension is \(FigureNumber.figure(mean)), 1 where the noise is right.",
      note: rejected.contains { $0.y == top }
        ? "Crosses at the top: rejected without an innovation, or beyond the scale." : "",
      table: (
        ["", "Count", "Mean NIS / dimension"],
        MeasurementMoment.Fate.allCases.map { fate in
          let of = moments.filter { $0.fate == fate }
          let values = of.compactMap(\.nisPerDimension)
          let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
          return [fate.title, "\(of.count)", FigureNumber.figure(mean)]
        }
      ), plot: plot, isOverTime: true)
  }

  static func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard points.count > most else { return points }
    let step = (points.count + most - 1) / most
    return stride(from: 0, to: points.count, by: step).map { points[$0] }
  }

  /// The means over fortieths of the time.
  private static func windowMeans(
    _ moments: [MeasurementMoment], _ time: FigureAxis
  ) -> [(x: Double, y: Double)] {
    let (from, to) = (time.low, time.high)
    var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: 40)
    for moment in moments {
      guard let value = moment.nisPerDimension, moment.time >= from, moment.time <= to else { continue }
      let bin = min(39, Int((moment.time - from) / (to - from) * 40))
      sums[bin].sum += value
      sums[bin].count += 1
    }
    return sums.enumerated().map { bin, sum in
      (
        x: from + (to - from) * (Double(bin) + 0.5) / 40,
        y: sum.count > 0 ? sum.sum / Double(sum.count) : .nan
      )
    }
  }
}

extension MeasurementMoment.Fate {
  fileprivate var title: String {
    switch self {
    case .used: "Used"
    case .weighedDown: "With less weight"
    case .rejected: "Rejected"
    }
  }
}

extension MeasurementVerdict.Kind {
  fileprivate var title: String {
    switch self {
    case .gnssPosition: "GNSS position"
    case .gnssVelocity: "GNSS velocity"
    case .wheelSpeed: "wheel speed"
    case .barometer: "barometer"
    case .yawRate: "yaw rate"
    case .nonHolonomic: "no sliding, no jumping"
    case .stillness: "standstill"
    case .wheelVibration: "wheel vibration"
    }
  }
  fileprivate var slug: String {
    switch self {
    case .gnssPosition: "gnss-position"
    case .gnssVelocity: "gnss-velocity"
    case .wheelSpeed: "wheel-speed"
    case .barometer: "barometer"
    case .yawRate: "yaw-rate"
    case .nonHolonomic: "non-holonomic"
    case .stillness: "standstill"
    case .wheelVibration: "wheel-vibration"
    }
  }
}
