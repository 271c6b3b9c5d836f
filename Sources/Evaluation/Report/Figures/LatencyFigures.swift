import CLibrary

/// How long the engine takes over a sample.
enum LatencyFigures {
  static func all(_ latencies: SampleLatencies?) -> [ReportFigure] {
    guard let latencies else { return [] }
    let sensors = [
      ("IMU sample", "c1", latencies.inertial), ("fix", "c2", latencies.gnss),
      ("wheel sample", "c3", latencies.wheel),
    ].filter { $0.2.count > 0 }
    let largest = sensors.compactMap { $0.2.max }.max() ?? 0
    guard largest > 0 else { return [] }
    let rarest = Double(sensors.map(\.2.count).max() ?? 2)
    let least = sensors.compactMap { $0.2.percentile(0.05) }.min() ?? 100
    // One in so many takes longer: 2 is the median, 1000 the 99.9 %.
    let ticks = [
      (2.0, "50 %"), (10, "90 %"), (100, "99 %"), (1e3, "99.9 %"), (1e4, "99.99 %"), (1e5, "1e−5"),
    ]
    let end = max(1000, min(rarest, 1e5))
    let x = FigureAxis(
      low: 1.2, high: end, scale: .logarithmic, title: "share of the samples",
      ticks: ticks.filter { $0.0 <= end * 1.001 }.map { (value: $0.0, label: $0.1) })
    var plot = FigurePlot(x: x, y: .logarithmic(max(least / 1000, 0.01), Double(largest) / 1000, "µs"))
    for (name, style, histogram) in sensors {
      let points = (0...80).compactMap { step -> (x: Double, y: Double)? in
        let rarity = 1.2 * pow(end / 1.2, Double(step) / 80)
        guard rarity <= Double(histogram.count) else { return nil }
        return histogram.percentile(1 - 1 / rarity).map { (rarity, max($0, 1) / 1000) }
      }
      plot.add(FigureCurve(points), FigurePlot.Line(style, name))
    }
    let shares = [0.5, 0.9, 0.99, 0.999]
    let micro = { (nanoseconds: Double?) in FigureNumber.figure(nanoseconds.map { $0 / 1000 }) }
    let words = sensors.map { name, _, histogram in
      "\(name) \(micro(histogram.percentile(0.5))) and \(micro(histogram.percentile(0.999))) µs"
    }
    return [
      ReportFigure(
        "latency", "Time taken", summary: "50 % and 99.9 %: \(words.joined(separator: ", ")).",
        table: (
          ["", "Count", "P50, µs", "P90, µs", "P99, µs", "P99.9, µs", "Max, µs"],
          sensors.map { name, _, histogram in
            [name, "\(histogram.count)"] + shares.map { micro(histogram.percentile($0)) }
              + [micro(histogram.max.map(Double.init))]
          }
        ), plot: plot)
    ]
  }
}
