/// What many readings come to, in the unit of the readings. Percentiles by nearest rank: each is
/// a reading that did occur.
package struct Distribution {
  package let count: Int
  package let mean: Double
  package let p50: Int
  package let p99: Int
  package let p999: Int
  package let p9999: Int
  package let max: Int

  /// Sums up at least one reading.
  package init(_ readings: some Sequence<Int>) {
    let sorted = readings.sorted()
    precondition(!sorted.isEmpty, "a distribution needs a reading")
    func percentile(_ percent: Double) -> Int {
      sorted[min(sorted.count - 1, Int((Double(sorted.count) * percent / 100).rounded(.up)) - 1)]
    }
    count = sorted.count
    mean = Double(sorted.reduce(0, +)) / Double(sorted.count)
    p50 = percentile(50)
    p99 = percentile(99)
    p999 = percentile(99.9)
    p9999 = percentile(99.99)
    max = sorted[sorted.count - 1]
  }
}
