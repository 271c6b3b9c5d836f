import Navigation
import SensorEvents

/// Mean and spread of what an IMU shows.
struct InertialStatistics: Sendable {
  private(set) var count = 0
  private var rateSum = Vector3.zero, forceSum = Vector3.zero
  private var rateSquares = Vector3.zero, forceSquares = Vector3.zero
  private var first: InertialReading?
  private var lastTime: Timestamp?
  /// Seconds from each sample to the next, by their own times.
  private var intervals: [Double] = []

  mutating func add(_ reading: InertialReading) {
    if let lastTime { intervals.append(reading.time.seconds(since: lastTime)) }
    lastTime = reading.time
    guard reading.angularRate.isFinite, reading.specificForce.isFinite else { return }
    let first = first ?? reading
    self.first = first
    count += 1
    // Against the first sample: spreads are small beside gravity.
    let rate = reading.angularRate - first.angularRate
    let force = reading.specificForce - first.specificForce
    rateSum += rate
    forceSum += force
    rateSquares += Vector3(rate.x * rate.x, rate.y * rate.y, rate.z * rate.z)
    forceSquares += Vector3(force.x * force.x, force.y * force.y, force.z * force.z)
  }

  /// rad/s.
  var meanRate: Vector3 { (first?.angularRate ?? .zero) + rateSum * (1 / Double(max(1, count))) }
  /// m/s².
  var meanForce: Vector3 { (first?.specificForce ?? .zero) + forceSum * (1 / Double(max(1, count))) }
  /// Standard deviations of the axes, rad/s.
  var rateSpread: Vector3 { spread(rateSum, rateSquares) }
  /// Standard deviations of the axes, m/s².
  var forceSpread: Vector3 { spread(forceSum, forceSquares) }

  /// The usual interval between samples, and the distance from it that one in twenty exceeds, in
  /// seconds; nil for a few samples.
  var rhythm: (interval: Double, jitter: Double)? {
    guard intervals.count >= 20 else { return nil }
    let interval = intervals.sorted()[intervals.count / 2]
    let distances = intervals.map { abs($0 - interval) }.sorted()
    return (interval, distances[distances.count * 19 / 20])
  }

  private func spread(_ sum: Vector3, _ squares: Vector3) -> Vector3 {
    let n = Double(max(1, count))
    func root(_ sum: Double, _ squares: Double) -> Double {
      max(0, squares / n - (sum / n) * (sum / n)).squareRoot()
    }
    return Vector3(root(sum.x, squares.x), root(sum.y, squares.y), root(sum.z, squares.z))
  }
}
