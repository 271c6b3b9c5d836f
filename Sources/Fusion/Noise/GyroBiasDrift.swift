import LinearAlgebra
import Navigation

/// How fast the gyroscope's bias goes on changing: that of a part that warms up, or that the sun shines on,
/// drifts one way for minutes, by a hundred times what it wanders by.
///
/// What the bias is corrected by in one window is held against the next. Corrections for multipath, noise and
/// what no model holds go back and forth, and their product is below zero; only of a bias that drifts they go
/// the same way. Their mean product, the autocovariance at a lag of one, is therefore the power of the drift
/// alone: it becomes the rate at which the bias is carried on, also where there is nothing to correct it by,
/// and the noise that says how far that is believed.
package struct GyroBiasDrift: Sendable {
  /// Length of a window, and the longest that counts, s: with 10, 15, 20, 30 s errors at the ends of outages
  /// of 30 s have a P95 of 54, 51, 48, 69 m; without, 101 m.
  /// [measured on ten simulated drives whose IMU warms]
  private static let window = 20.0, longest = 30.0
  /// Pairs of windows that count, and windows that make up the rate: on the ten drives 3 or 10, and 2 or 5,
  /// give a P95 of 48 to 51 m. [chosen: a part warms up in five minutes]
  private static let memory = 6.0, rateMemory = 3.0
  /// A change counts from so many times the variance that the window took off the bias: what is not known
  /// yet is learned one way too. On the ten drives 1 and 10 give a P95 of 48 and 51 m. [chosen: two sigma]
  private static let learned = 4.0
  /// Largest density, rad²/s³: that of 0.26 deg/s in 20 s.
  /// [chosen: twice that of an MPU-6050 that warms by 10 K in 7 minutes]
  private static let largest = 1e-6
  /// The rate fades over this time, s: on the ten drives with 100 and 400 s, too, a P95 of 50 m.
  /// [chosen: as long as a part warms]
  package static let fading = 200.0

  /// Rate of the bias in body axes, rad/s².
  package private(set) var rate = Vector3.zero
  /// Density of the walk that stands for what the rate is off by, rad²/s³ per axis.
  package private(set) var density = 0.0
  private var start: (time: Timestamp, bias: Vector3, variance: Vector3)?
  private var before: Vector3?
  private var pairs = 0.0
  /// Means of the products of changes that follow each other, of their squares, and of change over time.
  private var lasting = Vector3.zero, all = Vector3.zero, mean = Vector3.zero

  package init() {}

  /// Whether a window ends with a fix at `time`, or the first one begins.
  @inline(__always) package func isDue(at time: Timestamp) -> Bool {
    start.map { time.seconds(since: $0.time) >= Self.window } ?? true
  }

  /// Ends a window.
  ///
  /// - Parameters:
  ///   - bias: of the gyroscope in body axes, rad/s, with its variance per axis.
  ///   - walk: density of its random walk by default, rad²/s³.
  /// - Returns: whether there is more known than before.
  package mutating func add(
    bias: Vector3, variance: Vector3, at time: Timestamp, walk: Double
  ) -> Bool {
    defer { start = (time, bias, variance) }
    guard let start, time.seconds(since: start.time) < Self.longest else {
      before = nil
      return false
    }
    let elapsed = time.seconds(since: start.time)
    let change = Self.change(bias - start.bias, learned: start.variance - variance)
    defer { before = change }
    guard let before else { return false }
    pairs = min(pairs + 1, Self.memory)
    // One pair counts as half: the other is that nothing drifts.
    let share = 1 / (pairs + 1)
    let product = Vector3(
      Self.product(before.x, change.x), Self.product(before.y, change.y), Self.product(before.z, change.z))
    lasting += (product - lasting) * share
    all += (change.scaled(by: change) - all) * share
    mean += (change * (1 / elapsed) - mean) * max(share, 1 / Self.rateMemory)
    let power = Vector3(max(0, lasting.x), max(0, lasting.y), max(0, lasting.z))
    density = min((power.x + power.y + power.z) / (3 * elapsed), Self.largest)
    let least = walk * elapsed
    rate = Vector3(
      mean.x * power.x / (all.x + least), mean.y * power.y / (all.y + least),
      mean.z * power.z / (all.z + least))
    return true
  }

  /// The change of each axis that is none of what was still to be learned.
  private static func change(_ change: Vector3, learned: Vector3) -> Vector3 {
    func counted(_ change: Double, _ learned: Double) -> Double {
      change * change > Self.learned * learned ? change : 0
    }
    return Vector3(
      counted(change.x, learned.x), counted(change.y, learned.y), counted(change.z, learned.z))
  }

  /// One leap, of an IMU that is knocked or a bias that is taken anew, counts no more than what comes after.
  private static func product(_ a: Double, _ b: Double) -> Double {
    a * b > 0 ? min(a * a, b * b) : a * b
  }
}
