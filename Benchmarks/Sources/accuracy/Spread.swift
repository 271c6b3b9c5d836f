/// How a figure varies over the seeds of a scenario.
struct Spread: Encodable, Sendable {
  /// Median, least and largest.
  let median: Double
  let least: Double
  let most: Double

  /// Nil without values.
  init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    least = sorted[0]
    most = sorted[sorted.count - 1]
  }
}
