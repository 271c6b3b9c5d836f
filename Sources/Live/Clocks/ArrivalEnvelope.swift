import Navigation

/// Learns how far the host clock is ahead of a sender's from messages that tell the sender's time and come a
/// varying while later: the smallest difference shows the offset, the rest is delay.
///
/// The least differences of the last five minutes, one for each ten seconds, bound a straight line from
/// above; of the lines within the drift that may be, the one nearest to them all is an edge of their lower
/// convex hull. (Moon, Skelly, Towsley, "Estimation and removal of clock skew from network delay
/// measurements", INFOCOM 1999.)
public struct ArrivalEnvelope: Sendable {
  private struct Point: Sendable {
    /// Seconds since the base.
    var x: Double
    /// Difference less the base's, s.
    var y: Double
  }

  private static let bucket = 10.0
  private static let capacity = 32
  /// A slope is told from noise over at least this long, s.
  private static let leastSpan = 60.0

  private let largestDrift: Double
  private var base: (host: Timestamp, difference: Int64)?
  private var points: [Point] = []
  private var hull: [Point] = []
  /// The line y = level + slope (x − middle).
  private var level = 0.0, slope = 0.0, middle = 0.0
  /// How many differences it is made of.
  public private(set) var count = 0

  /// An envelope that knows nothing yet; `largestDrift` in seconds a second.
  public init(largestDrift: Double = 100e-6) {
    self.largestDrift = largestDrift
    points.reserveCapacity(Self.capacity + 1)
    hull.reserveCapacity(Self.capacity + 1)
  }

  /// Seconds that the difference grows by in a second.
  public var drift: Double { slope }

  /// Takes a message that came at `arrival` and told `difference` nanoseconds less.
  public mutating func add(arrival: Timestamp, difference: Int64) {
    guard let base else {
      base = (arrival, difference)
      count = 1
      points.append(Point(x: 0, y: 0))
      fit()
      return
    }
    let point = Point(
      x: arrival.seconds(since: base.host), y: Double(difference.clampedMinus(base.difference)) * 1e-9)
    guard let last = points.last, point.x >= last.x else { return }
    count += 1
    if (point.x / Self.bucket).rounded(.down) == (last.x / Self.bucket).rounded(.down) {
      guard point.y < last.y else { return }
      points[points.count - 1] = point
    } else {
      points.append(point)
      if points.count > Self.capacity { points.removeFirst() }
    }
    fit()
  }

  /// The sender's clock was set `nanoseconds` ahead: every difference is so much less.
  public mutating func shift(senderBy nanoseconds: Int64) {
    if let base { self.base = (base.host, base.difference.clampedMinus(nanoseconds)) }
  }

  /// The least difference to be expected of a message that comes at `arrival`, ns;
  /// nil where nothing is known.
  public func difference(at arrival: Timestamp) -> Int64? {
    guard let base else { return nil }
    let x = arrival.seconds(since: base.host)
    return base.difference.clampedPlus(Int64(nanosecondsIn: level + slope * (x - middle)))
  }

  private mutating func fit() {
    hull.removeAll(keepingCapacity: true)
    for point in points {
      while hull.count > 1, isAbove(hull[hull.count - 1], hull[hull.count - 2], point) { hull.removeLast() }
      hull.append(point)
    }
    var sum = 0.0
    for point in points { sum += point.x }
    middle = sum / Double(points.count)
    guard let first = points.first, let last = points.last, last.x - first.x >= Self.leastSpan,
      let i = hull.indices.dropFirst().first(where: { hull[$0].x >= middle })
    else {
      slope = 0
      level = lowestLevel
      return
    }
    let edge = (hull[i].y - hull[i - 1].y) / (hull[i].x - hull[i - 1].x)
    slope = max(-largestDrift, min(largestDrift, edge))
    level = lowestLevel
  }

  /// The highest line of the slope that lies above no point.
  private var lowestLevel: Double {
    var level = Double.infinity
    for point in points { level = min(level, point.y - slope * (point.x - middle)) }
    return level
  }

  /// Whether `point` lies on or above the straight line from `before` to `after`.
  private func isAbove(_ point: Point, _ before: Point, _ after: Point) -> Bool {
    (point.y - before.y) * (after.x - before.x) >= (after.y - before.y) * (point.x - before.x)
  }
}
