/// A curve over time or any other ascending quantity, thinned to what a figure can show.
struct FigureCurve: Sendable {
  /// Ascending; values that are not finite break the line.
  var points: [(x: Double, y: Double)]
  /// A longer step than this breaks the line.
  var gap = Double.infinity

  init(_ points: [(x: Double, y: Double)], gap: Double = .infinity) {
    self.points = points
    self.gap = gap
  }

  /// A curve over time that is broken where it pauses.
  init(overTime points: [(x: Double, y: Double)]) {
    let steps = zip(points, points.dropFirst()).map { $1.x - $0.x }.sorted()
    self.init(points, gap: max(2.5, 3.5 * (steps.isEmpty ? 0 : steps[steps.count / 2])))
  }

  /// Its unbroken stretches, in each of `columns` parts of the axis no more than first, least, greatest and
  /// last.
  func stretches(_ axis: FigureAxis, columns: Int) -> [[(x: Double, y: Double)]] {
    var all: [[(x: Double, y: Double)]] = []
    var now: [(x: Double, y: Double)] = []
    var part: [(x: Double, y: Double)] = []
    var column = -1
    func flush() {
      now += Self.outline(part)
      part = []
    }
    var last = -Double.infinity
    for point in points {
      guard point.y.isFinite, point.x.isFinite, point.x >= axis.low, point.x <= axis.high,
        point.x - last <= gap || part.isEmpty && now.isEmpty
      else {
        flush()
        if !now.isEmpty { all.append(now) }
        (now, column, last) = ([], -1, -.infinity)
        if point.y.isFinite, point.x >= axis.low, point.x <= axis.high {
          (part, last) = ([point], point.x)
          column = Int(axis.place(point.x) * Double(columns))
        }
        continue
      }
      last = point.x
      let here = Int(axis.place(point.x) * Double(columns))
      if here != column { flush() }
      column = here
      part.append(point)
    }
    flush()
    if !now.isEmpty { all.append(now) }
    return all
  }

  private static func outline(_ part: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard part.count > 4 else { return part }
    let least = part.indices.min { part[$0].y < part[$1].y } ?? 0
    let greatest = part.indices.max { part[$0].y < part[$1].y } ?? 0
    return Set([0, least, greatest, part.count - 1]).sorted().map { part[$0] }
  }
}
