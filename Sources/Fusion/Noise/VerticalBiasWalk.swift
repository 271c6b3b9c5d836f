import LinearAlgebra
import Navigation

/// How fast the accelerometer's bias along gravity changes on this car: a road shakes a car up and down, and
/// what a part makes of that, and of its warmth, moves this bias more than the others.
///
/// Rear axle and gyroscope see it within seconds: the car does not leave the road. Held for constant, a
/// change of 5 mg goes into the pitch instead, and from there into the speed of the next outage. Over a
/// window the estimate of a bias that walks moves by the walk's variance and by what less of it is unknown at
/// the end: the corrections of a filter that is right have that variance, and more tells of the walk.
package struct VerticalBiasWalk: Sendable {
  /// Length of a window, and the longest that counts, s. [chosen: as of ``GyroBiasDrift``]
  private static let window = 20.0, longest = 30.0
  /// Speed from which the car drives, m/s: as below, and of the 22 drives 5.3 m with each.
  /// [measured on five drives whose bias moves by 5 or 8 mg: 15, 14, 16 m with 1, 2, 5]
  private static let leastSpeed = 2.0
  /// Walk at first, m/s²/√s: P95 at the ends of outages of 30 s; of 22 drives as they are 5.3, 5.3, 5.4 m.
  /// [measured on five drives whose bias moves by 5 or 8 mg: 20, 14, 12 m with 3e-4, 5e-4, 1e-3; 31 before]
  private static let first = 5e-4
  /// Windows that the first one counts for, the newest that count, and the most that one may say, in
  /// variances. [chosen: as of ``TiltNoise``]
  private static let priorCount = 3.0, memory = 30.0, largest = 9.0
  /// Bounds of the walk, m/s²/√s. [chosen: 0.1 and 10 mg in 20 s]
  private static let bounds = 2e-4...0.02

  /// Density of the walk, m²/s⁵.
  private var density = first * first
  private var count = VerticalBiasWalk.priorCount
  private var start: (time: Timestamp, bias: Vector3, variance: Double)?

  package init() {}

  /// Random walk of the bias, m/s²/√s.
  package var walk: Double { density.squareRoot() }

  /// Whether a window ends with a fix at `time`, or the first one begins.
  @inline(__always) package func isDue(at time: Timestamp) -> Bool {
    start.map { time.seconds(since: $0.time) >= Self.window } ?? true
  }

  /// Ends a window.
  ///
  /// - Parameters:
  ///   - bias: of the accelerometer in body axes, m/s².
  ///   - down: along gravity, in body axes.
  ///   - variance: of the bias along that, m²/s⁴.
  ///   - speed: at the end of the window, m/s.
  package mutating func add(
    bias: Vector3, down: Vector3, variance: Double, speed: Double, at time: Timestamp
  ) {
    defer { start = (time, bias, variance) }
    guard let start, speed > Self.leastSpeed else { return }
    let elapsed = time.seconds(since: start.time)
    guard elapsed < Self.longest else { return }
    let expected = density * elapsed
    // What is not known yet is learned for its own sake.
    guard abs(variance - start.variance) < expected else { return }
    let change = (bias - start.bias).dot(down)
    let ratio = max(0, change * change + variance - start.variance) / expected
    count = min(count + 1, Self.memory)
    density *= 1 + (min(ratio, Self.largest) - 1) / count
    density = min(
      max(density, Self.bounds.lowerBound * Self.bounds.lowerBound),
      Self.bounds.upperBound * Self.bounds.upperBound)
  }
}
