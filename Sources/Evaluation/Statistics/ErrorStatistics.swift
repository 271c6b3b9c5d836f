import CLibrary

/// Percentiles of the magnitude of an error, in the unit of the error.
///
/// The percentile `p` of n sorted magnitudes is read at the position p · (n − 1), counted from 0, with
/// linear interpolation between the two neighbours (Hyndman and Fan's definition 7): the 0 % is the smallest,
/// the 100 % the largest, the 50 % the median.
public struct ErrorStatistics: Sendable, Equatable {
  /// Number of errors.
  public let count: Int
  /// 50 %, 68 %, 95 % and 99 % of the magnitudes, and the largest.
  public let p50, p68, p95, p99, max: Double
  /// Root mean square.
  public let rms: Double
  /// Mean with the sign of the errors: what does not average out.
  public let mean: Double

  /// Statistics of `errors`, or nil where there is none.
  public init?(_ errors: [Double]) {
    guard !errors.isEmpty else { return nil }
    let sorted = errors.map(abs).sorted()
    count = errors.count
    p50 = Self.percentile(0.50, ofSorted: sorted)
    p68 = Self.percentile(0.68, ofSorted: sorted)
    p95 = Self.percentile(0.95, ofSorted: sorted)
    p99 = Self.percentile(0.99, ofSorted: sorted)
    max = sorted[sorted.count - 1]
    rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    mean = errors.reduce(0, +) / Double(errors.count)
  }

  /// The value below which the share `p` (0 … 1) of `sorted` lies; `sorted` ascends and is not empty.
  package static func percentile(_ p: Double, ofSorted sorted: [Double]) -> Double {
    let position = p * Double(sorted.count - 1)
    let i = Swift.min(Int(position), sorted.count - 1)
    let next = Swift.min(i + 1, sorted.count - 1)
    return sorted[i] + (sorted[next] - sorted[i]) * (position - Double(i))
  }
}
