import Navigation

/// When to take a snapshot: often enough that a late sample leads back over little, and just before the next
/// late fix, because a receiver that is late is so with every fix, and its fixes are evenly spaced.
package struct SnapshotSchedule: Sendable {
  /// No two snapshots are closer than this, s: so many have room. [chosen]
  package static let leastInterval = 0.09
  /// Time between snapshots, s, while the heading is sought, with many navigators to copy. [chosen]
  static let bankInterval = 0.2
  /// Time between them else, s, and where for `lateMemory`, s, all samples have come in order, or late fixes
  /// when they were foreseen, or the one that will be gone back to is known: the first late sample that is
  /// another then goes a longer way back, once. One waits for `patience` intervals for a sample that does
  /// little else. [chosen]
  private static let interval = 0.1, orderedInterval = 0.5, lateMemory = 60.0, patience = 1.5
  /// Longest time between samples of the IMU that the last one before a late fix is
  /// known by, s. [chosen: 50 Hz]
  private static let longestStep = 0.02
  /// Time stamps are only known to this, s. [chosen]
  private static let rounding = 1e-6

  /// When a sample was last late that was not foreseen.
  private var lateAt = Timestamp(nanoseconds: .min / 2)
  /// Time of the last late fix, and from the one before to it, s.
  private var lateFix: Timestamp?
  private var fixInterval = 0.0

  /// Time of the last fix that was used, on time or late, and from the one before to it, s.
  private var lastFix = Timestamp(nanoseconds: .min / 2), fixStep = 0.0

  package init() {}

  /// Takes note of a fix that was used.
  package mutating func noteFix(at time: Timestamp) {
    fixStep = time.seconds(since: lastFix)
    lastFix = time
  }

  /// Whether the next sample after `time` is likely a fix, which is to have no snapshot to finish.
  @inline(__always) package func isFixNear(after time: Timestamp) -> Bool {
    0...Self.longestStep ~= fixStep - time.seconds(since: lastFix)
  }

  /// Takes note of a sample that came later than others whose place is after its own; of `fix`'s time, if it
  /// is one.
  package mutating func noteLate(fix: Timestamp?, newest: Timestamp?) {
    guard let fix else { return lateAt = newest ?? lateAt }
    let interval = lateFix.map { fix.seconds(since: $0) } ?? 0
    if interval <= 0 || abs(interval - fixInterval) > Self.rounding { lateAt = newest ?? lateAt }
    (lateFix, fixInterval) = (fix, interval)
  }

  /// When to look again whether one is due, after one that was taken at `time`.
  func quietUntil(after time: Timestamp) -> Timestamp {
    let isOrdered = lateFix == nil && time.seconds(since: lateAt) > Self.lateMemory
    return time.advanced(bySeconds: isOrdered ? Self.orderedInterval : Self.leastInterval)
  }

  /// Whether to take a snapshot after a sample of `time`.
  ///
  /// - Parameters:
  ///   - elapsed: since the newest one, s.
  ///   - isBusy: whether the sample took much work as it is. Where the next one will, it waits as well.
  ///   - hasBank: whether the heading is sought.
  ///   - next: time of the next sample, if there is one: this is worked out anew.
  package func isDue(
    at time: Timestamp, elapsed: Double, isBusy: Bool, hasBank: Bool, next: Timestamp?
  ) -> Bool {
    if let lateFix, !hasBank, let isDue = isDue(at: time, elapsed: elapsed, lateFix: lateFix, next: next) {
      return isDue
    }
    guard elapsed >= Self.interval else { return false }
    let interval =
      time.seconds(since: lateAt) > Self.lateMemory
      ? Self.orderedInterval : hasBank ? Self.bankInterval : Self.interval
    return elapsed >= (isBusy || isFixNear(after: time) ? Self.patience * interval : interval)
  }

  /// The same where a fix was late; nil where that says nothing.
  private func isDue(
    at time: Timestamp, elapsed: Double, lateFix: Timestamp, next: Timestamp?
  ) -> Bool? {
    let left = fixInterval - time.seconds(since: lateFix)
    if left > Self.rounding, left < Self.interval {
      return (next?.seconds(since: time) ?? Self.longestStep) >= left - Self.rounding
    }
    // What else a replay leads over, the next one leads over as well.
    return next != nil && left > -fixInterval ? elapsed >= Self.orderedInterval : nil
  }
}
