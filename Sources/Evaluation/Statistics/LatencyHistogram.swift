/// Counts durations in buckets 1.6 % wide, so that recording one allocates nothing and costs a few cycles.
///
/// Below 128 ns every nanosecond has its bucket; above, every octave has 64 (the layout of HDR histograms).
public struct LatencyHistogram: Sendable {
  private static let octaves = 36
  private var buckets = [UInt32](repeating: 0, count: 128 + octaves * 64)
  /// Number of durations recorded.
  public private(set) var count = 0
  /// The longest one in nanoseconds, exactly; nil before the first.
  public private(set) var max: Int64?

  /// An empty histogram.
  public init() {}

  /// Counts one duration; negative ones count as 0, beyond about two hours as the last bucket.
  public mutating func record(nanoseconds: Int64) {
    let value = Swift.max(0, nanoseconds)
    count += 1
    max = Swift.max(max ?? 0, value)
    buckets[Self.bucket(of: value)] &+= 1
  }

  /// Nanoseconds that the share `p` (0 … 1) of the durations does not exceed, to the middle of its bucket
  /// and never beyond the longest (nearest rank); nil before the first.
  public func percentile(_ p: Double) -> Double? {
    guard let max else { return nil }
    let rank = Swift.max(1, Int((p * Double(count)).rounded(.up)))
    var seen = 0
    for (index, n) in buckets.enumerated() {
      seen += Int(n)
      if seen >= rank { return Swift.min(Self.middle(of: index), Double(max)) }
    }
    return Double(max)
  }

  private static func bucket(of value: Int64) -> Int {
    guard value >= 128 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    guard exponent - 7 < octaves else { return 128 + octaves * 64 - 1 }
    return 128 + (exponent - 7) * 64 + Int(value >> (exponent - 6)) - 64
  }

  private static func middle(of index: Int) -> Double {
    guard index >= 128 else { return Double(index) }
    let shift = (index - 128) / 64 + 1
    let low = Int64((index - 128) % 64 + 64) << shift
    return Double(low) + Double(Int64(1) << shift - 1) / 2
  }
}
