import Navigation

/// Calendar time, without a calendar library.
package enum UTC {
  /// `time` after `origin` (Unix time) as `2026-03-01T12:00:00.125Z`, to the nearest millisecond.
  ///
  /// Days to a date of the Gregorian calendar counted from 1 March, so that the leap day comes last
  /// (E. G. Richards, "Calendars", in Explanatory Supplement to the Astronomical Almanac, 3rd
  /// edition, 2013, chapter 15).
  package static func text(_ time: Timestamp, origin: Timestamp) -> String {
    let unix = unix(time, origin: origin).nanoseconds
    let milliseconds = floorDivided(floorDivided(unix, 500_000).quotient + 1, 2).quotient
    let (days, ofDay) = floorDivided(milliseconds, 86_400_000)
    let (year, month, day) = date(daysSince1970: days)
    let seconds = ofDay / 1000
    return
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(seconds / 3600, 2)):"
      + "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(ofDay % 1000, 3))Z"
  }

  /// Unix time of `time` after `origin`, clamped to what a timestamp holds.
  static func unix(_ time: Timestamp, origin: Timestamp) -> Timestamp {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(origin.nanoseconds)
    return Timestamp(nanoseconds: overflow ? (origin.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// The nearest whole millisecond.
  static func rounded(_ time: Timestamp) -> Timestamp {
    let milliseconds = floorDivided(floorDivided(time.nanoseconds, 500_000).quotient + 1, 2).quotient
    let (whole, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? time : Timestamp(nanoseconds: whole)
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 719,468 days from 1 March of year 0 to 1 January 1970; 146,097 days in 400 years.
    let (era, ofEra) = floorDivided(days + 719_468, 146_097)
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * ofYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, ofYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func floorDivided(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
