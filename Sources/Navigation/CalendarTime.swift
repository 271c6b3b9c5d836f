/// A UTC in calendar form, rounded to a fraction of a second.
package struct CalendarTime: Equatable, Sendable {
  package let date: CalendarDate
  package let hour: Int64
  package let minute: Int64
  package let second: Int64
  /// In units of 10^−``decimals`` s.
  package let fraction: Int64
  package let decimals: Int

  /// UTC of so many nanoseconds since 1970, rounded to 10^−decimals s before it is taken apart:
  /// the carry reaches the year.
  package init(utcNanoseconds: Int64, decimals: Int) {
    let perSecond = (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 }
    let unit = 1_000_000_000 / perSecond
    let (low, part) = utcNanoseconds.floorDivided(by: unit)
    let units = low + (part * 2 >= unit ? 1 : 0)
    let (seconds, fraction) = units.floorDivided(by: perSecond)
    let (days, ofDay) = seconds.floorDivided(by: 86_400)
    date = CalendarDate(daysSince1970: days)
    hour = ofDay / 3600
    minute = ofDay / 60 % 60
    second = ofDay % 60
    self.fraction = fraction
    self.decimals = decimals
  }

  /// ISO 8601, such as `2026-03-01T12:00:00.125Z`.
  package var text: String {
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
      + "T\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2)).\(digits(fraction, decimals))Z"
  }

  /// ISO 8601 to the millisecond.
  package static func iso8601(utcNanoseconds: Int64) -> String {
    CalendarTime(utcNanoseconds: utcNanoseconds, decimals: 3).text
  }
}
