import Drives
import Navigation

/// The true track of a drive, held whole: where the car was at any time that truth covers.
public struct TruthTrack: Sendable {
  /// Truth is never interpolated over more than this many seconds.
  public static let longestGap = 0.5
  /// Its samples in order of time.
  public let samples: [TruthSample]
  /// Metres driven up to each sample.
  private let distances: [Double]

  /// A track of `samples`, which ascend in time.
  public init(_ samples: [TruthSample]) {
    self.samples = samples
    var path = PathLength(step: 0.5)
    distances = samples.map { path.add($0.position) }
  }

  /// Metres driven from the first sample to the last.
  public var distance: Double? { distances.last }

  /// From its first sample to its last; nil where it has none.
  var span: ClosedRange<Timestamp>? {
    samples.last.map { samples[0].time...$0.time }
  }

  /// The truth at `time`: a sample's own values at its own time, between two at most ``longestGap`` apart the
  /// linear interpolation (yaw the shorter way round), else nil.
  public func sample(at time: Timestamp) -> TruthSample? {
    let after = index(after: time)
    guard after > 0 else { return nil }
    let a = samples[after - 1]
    if a.time == time { return a }
    guard after < samples.count else { return nil }
    let b = samples[after]
    let gap = b.time.seconds(since: a.time)
    guard gap <= Self.longestGap else { return nil }
    return Self.interpolate(a, b, at: time, part: time.seconds(since: a.time) / gap)
  }

  /// Metres driven between two times of the track.
  public func distance(from start: Timestamp, to end: Timestamp) -> Double {
    distance(at: end) - distance(at: start)
  }

  /// The samples from `start` to `end`, both included.
  public func samples(from start: Timestamp, to end: Timestamp) -> ArraySlice<TruthSample> {
    var first = index(after: start)
    while first > 0, samples[first - 1].time >= start { first -= 1 }
    return samples[first..<max(first, index(after: end))]
  }

  private func distance(at time: Timestamp) -> Double {
    let after = index(after: time)
    guard after > 0, after < samples.count else { return after == 0 ? 0 : distances[after - 1] }
    let a = samples[after - 1].time
    let part = time.seconds(since: a) / samples[after].time.seconds(since: a)
    return distances[after - 1] + part * (distances[after] - distances[after - 1])
  }

  /// Index of the first sample later than `time`.
  func index(after time: Timestamp) -> Int {
    var low = 0
    var high = samples.count
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Between two samples, `part` of the way from the first.
  static func interpolate(
    _ a: TruthSample, _ b: TruthSample, at time: Timestamp, part t: Double
  ) -> TruthSample {
    var between = a
    between.time = time
    between.position = a.position.displaced(byNED: t * b.position.displacement(from: a.position))
    between.velocityNED = both(a.velocityNED, b.velocityNED) { $0 + t * ($1 - $0) }
    between.roll = both(a.roll, b.roll) { $0 + t * Angle.wrapped($1 - $0) }
    between.pitch = both(a.pitch, b.pitch) { $0 + t * Angle.wrapped($1 - $0) }
    between.yaw = both(a.yaw, b.yaw) { Angle.wrapped($0 + t * Angle.wrapped($1 - $0)) }
    return between
  }

  private static func both<T>(_ a: T?, _ b: T?, _ combine: (T, T) -> T) -> T? {
    guard let a, let b else { return nil }
    return combine(a, b)
  }
}
