import Navigation

/// A rhythm that a loop keeps: what was missed is left out, not made up for.
struct Ticks: Sendable {
  private let interval: Double
  private var next: Timestamp?

  init(rate: Double) { interval = 1 / max(0.01, min(10_000, rate)) }

  /// Seconds until the next tick, from 0 to the interval.
  func remaining(at now: Timestamp) -> Double {
    guard let next else { return 0 }
    return max(0, min(interval, next.seconds(since: now)))
  }

  /// Whether a tick is due at `now`; the next is one interval after this one.
  mutating func isDue(at now: Timestamp) -> Bool {
    guard let due = next else {
      next = now.advanced(bySeconds: interval)
      return true
    }
    let late = now.seconds(since: due)
    // Half a millisecond early is on time: samples that come in the same rhythm take the tick with them.
    guard late > -min(0.0005, interval / 4) || late < -2 * interval else { return false }
    next = abs(late) < interval ? due.advanced(bySeconds: interval) : now.advanced(bySeconds: interval)
    return true
  }
}
