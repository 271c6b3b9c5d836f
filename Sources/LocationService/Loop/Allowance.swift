import Navigation

/// How many messages a client may send: so many a second, lasting, and ten times as many at once.
struct Allowance: Sendable {
  private let rate: Double
  private var left: Double
  private var time: Timestamp

  /// `rate` messages a second from `now` on.
  init(rate: Double, at now: Timestamp) { (self.rate, left, time) = (rate, rate * 10, now) }

  /// Whether one more is within it.
  mutating func allowsOneMore(at now: Timestamp) -> Bool {
    left = min(left + max(0, now.seconds(since: time)) * rate, rate * 10) - 1
    time = now
    return left >= 0
  }
}
