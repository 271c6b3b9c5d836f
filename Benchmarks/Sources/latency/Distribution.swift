/// What many readings come to, in the unit of the readings. Percentiles by nearest rank: each is a reading that
/// did occur.
struct Distribution {
  let count: Int
  let mean: Double
  let p50: Int
  let p99: Int
  let p999: Int
  let max: Int

  /// Sums up at least one reading.
  init(_ readings: some Sequence<Int>) {
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
    max = sorted[sorted.count - 1]
  }
}
