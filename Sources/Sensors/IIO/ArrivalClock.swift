import Navigation

/// Tells host time for samples that bear another machine's time, or none: from their
/// arrivals, without the jitter.
///
/// An arrival is the sample's moment plus a delay that is never below some least one. In each window of half
/// a second the least of arrival − expectation is kept; from it a loop of second order steers the offset
/// and the rate of a line that stays continuous. What is left is the least delay itself, a constant.
package struct ArrivalClock: Sendable {
  /// What a sample is to be taken for.
  package struct Reading: Sendable, Equatable {
    /// Its time on the host clock.
    package var time: Timestamp
    /// How many seconds the line jumped ahead just now, because samples are missing; mostly 0.
    package var jump: Double
  }

  /// Length of a window in seconds.
  static let window = 0.5
  /// Share of an offset that is made good in the next window, and share of it taken for a wrong rate.
  static let offsetShare = 0.5, rateShare = 0.15
  /// An offset of a whole window beyond it, in seconds, is no drift: samples are missing,
  /// or the line began badly.
  static let largestOffset = 0.05

  // The line: host = anchorHost + (device − anchorDevice) · slope, in nanoseconds.
  private var anchorHost = 0.0
  private var anchorDevice = 0.0
  private var slope = 1.0
  private var rate = 1.0
  private var origin: Timestamp?
  private var deviceOrigin = 0.0
  private var windowEnd = 0.0
  private var least = Double.infinity
  private var last = -Double.infinity

  /// A line that begins with the first sample.
  package init() {}

  /// The host time of a sample that was taken at `device` (seconds by any clock) and
  /// was in hand at `arrival`.
  package mutating func reading(device: Double, arrival: Timestamp) -> Reading {
    guard let origin else {
      origin = arrival
      deviceOrigin = device
      windowEnd = Self.window
      least = 0
      last = 0
      return Reading(time: arrival, jump: 0)
    }
    let now = arrival.seconds(since: origin)
    let elapsed = device - deviceOrigin
    var expected = anchorHost + (elapsed - anchorDevice) * slope
    least = min(least, now - expected)
    var jump = 0.0
    if now < expected - Self.largestOffset {
      // It was here long before the line says that it was taken.
      expected = move(to: now, elapsed: elapsed, now: now)
    } else if elapsed >= anchorDevice + Self.window || now >= windowEnd + Self.window {
      if abs(least) > Self.largestOffset {
        jump = least
        expected = move(to: expected + least, elapsed: elapsed, now: now)
      } else {
        steer(from: expected, elapsed: elapsed, now: now)
      }
    }
    last = max(expected, last + 1e-6)
    return Reading(time: origin.advanced(bySeconds: last), jump: jump)
  }

  private mutating func move(to expected: Double, elapsed: Double, now: Double) -> Double {
    begin(at: expected, elapsed: elapsed, now: now)
    slope = rate
    return expected
  }

  private mutating func steer(from expected: Double, elapsed: Double, now: Double) {
    let span = max(elapsed - anchorDevice, 0.1 * Self.window)
    rate = min(max(rate + Self.rateShare * least / span, 0.9), 1.1)
    let offset = Self.offsetShare * least
    begin(at: expected, elapsed: elapsed, now: now)
    slope = max(rate + offset / Self.window, 0.5)
  }

  private mutating func begin(at expected: Double, elapsed: Double, now: Double) {
    anchorHost = expected
    anchorDevice = elapsed
    windowEnd = now + Self.window
    least = .infinity
  }
}
