/// Numbers of curves, for tables, sentences and the ends of axes.
enum FigureData {
  /// A table of curves over time: each at the same nine times.
  static func table(
    _ curves: [(name: String, points: [(x: Double, y: Double)])]
  ) -> (heads: [String], rows: [[String]]) {
    let from = curves.compactMap { $0.points.first?.x }.min() ?? 0
    let to = curves.compactMap { $0.points.last?.x }.max() ?? 0
    let rows = (0...8).map { step in
      let time = from + (to - from) * Double(step) / 8
      return [FigureNumber.clock(time)]
        + curves.map { FigureNumber.figure(nearest($0.points, time, within: (to - from) / 16)) }
    }
    return (["Time"] + curves.map(\.name), rows)
  }

  /// The value of `points`, which ascend, nearest to `x`.
  static func nearest(_ points: [(x: Double, y: Double)], _ x: Double, within reach: Double) -> Double? {
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].x < x { low = middle + 1 } else { high = middle }
    }
    let found = [low - 1, low].filter(points.indices.contains).min {
      abs(points[$0].x - x) < abs(points[$1].x - x)
    }
    return found.flatMap { abs(points[$0].x - x) <= reach ? points[$0].y : nil }
  }

  /// The value that the share `p` of the finite ones does not exceed.
  static func percentile(_ p: Double, _ values: [Double]) -> Double? {
    let sorted = values.filter(\.isFinite).sorted()
    return sorted.isEmpty ? nil : ErrorStatistics.percentile(p, ofSorted: sorted)
  }

  /// `count` of something, with the word for one and for many.
  static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
