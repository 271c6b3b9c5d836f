import Navigation

/// Times after an origin in UTC.
package enum UTC {
  /// `time` after `origin` (Unix time) as `2026-03-01T12:00:00.125Z`, to the nearest millisecond.
  package static func text(_ time: Timestamp, origin: Timestamp) -> String {
    CalendarTime.iso8601(utcNanoseconds: unix(time, origin: origin).nanoseconds)
  }

  /// Unix time of `time` after `origin`, clamped to what a timestamp holds.
  static func unix(_ time: Timestamp, origin: Timestamp) -> Timestamp {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(origin.nanoseconds)
    return Timestamp(nanoseconds: overflow ? (origin.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// The nearest whole millisecond.
  static func rounded(_ time: Timestamp) -> Timestamp {
    let milliseconds = (time.nanoseconds.floorDivided(by: 500_000).quotient + 1).floorDivided(by: 2).quotient
    let (whole, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? time : Timestamp(nanoseconds: whole)
  }
}
