import Navigation

/// Passes over fixes that nobody needs.
struct FixThinning: Equatable {
  /// Fixes a second that are enough; nil: every one counts.
  var rate: Double?
  private var last: Timestamp?

  /// Whether a fix that holds at `time`, by the receiver's clock, is to be handed on.
  mutating func takes(_ time: Timestamp) -> Bool {
    // Receivers keep their rhythm to a few milliseconds. A time that goes back is a clock that was set.
    if let rate, let last, time >= last, time.seconds(since: last) < 0.95 / rate { return false }
    last = time
    return true
  }
}
