import Navigation

/// The sum of what rate and force have added to the speed, over the last seconds.
package struct SpeedHistory: Sendable {
  /// Time between two sums that are kept, s. [chosen: cars change their acceleration more slowly]
  private static let spacing = 0.05
  /// How many are kept: 3.2 s. [chosen: a lag of 1 s, before a sample of the last two]
  private static let length = 64
  /// Time between two samples of the IMU after which the history begins anew, s.
  /// [chosen: one of 10 Hz that loses two]
  static let longest = 0.3

  /// The sum in m/s at `newest` times the spacing, at the place of `newest` modulo the length, and those
  /// before it.
  private var sums = InlineArray<64, Double>(repeating: 0)
  private var newest = 0, count = 0
  private var epoch: Timestamp?
  private var last = (time: 0.0, sum: 0.0)

  package init() {}

  /// Seconds since the history's own epoch.
  package func seconds(_ time: Timestamp) -> Double { epoch.map { time.seconds(since: $0) } ?? 0 }

  /// Takes the sum so far, m/s; false where the history begins with it.
  package mutating func add(_ sum: Double, at time: Timestamp) -> Bool {
    epoch = epoch ?? time
    let now = (time: seconds(time), sum: sum)
    let elapsed = now.time - last.time
    guard count > 0, 0..<Self.longest ~= elapsed else {
      last = now
      newest = Int((now.time / Self.spacing).rounded(.down))
      sums[newest % Self.length] = sum
      count = 1
      return false
    }
    while Double(newest + 1) * Self.spacing <= now.time {
      newest += 1
      let share = (Double(newest) * Self.spacing - last.time) / elapsed
      sums[newest % Self.length] = last.sum + (sum - last.sum) * share
      count = min(count + 1, Self.length)
    }
    last = now
    return true
  }

  /// The sum at so many seconds since the epoch, m/s; nil from before what is kept, or after it.
  package func sum(at seconds: Double) -> Double? {
    let index = Int((seconds / Self.spacing).rounded(.down))
    guard index > newest - count, index >= 0, index < newest else { return nil }
    let share = seconds / Self.spacing - Double(index)
    let (before, after) = (sums[index % Self.length], sums[(index + 1) % Self.length])
    return before + (after - before) * share
  }
}
