/// A UTC in calendar form, rounded to a fraction of a second.
package struct CalendarTime: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64
  var hour: Int64
  var minute: Int64
  var second: Int64
  /// In units of the resolution.
  var fraction: Int64

  /// UTC of so many nanoseconds since 1970, rounded to 10^−decimals s before it is taken apart:
  /// the carry reaches the year.
  init(utcNanoseconds: Int64, decimals: Int) {
    let perSecond = (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 }
    let unit = 1_000_000_000 / perSecond
    let (low, part) = Self.divide(utcNanoseconds, by: unit)
    let units = low + (part * 2 >= unit ? 1 : 0)
    let (seconds, fraction) = Self.divide(units, by: perSecond)
    let (days, ofDay) = Self.divide(seconds, by: 86_400)
    self.fraction = fraction
    hour = ofDay / 3600
    minute = ofDay / 60 % 60
    second = ofDay % 60

    // Days to the Gregorian calendar: years from March on, in eras of 400 years (146,097 days).
    let (era, dayOfEra) = Self.divide(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  /// ISO 8601 to the millisecond, as gpsd writes it.
  package static func iso8601(utcNanoseconds: Int64) -> String {
    let time = CalendarTime(utcNanoseconds: utcNanoseconds, decimals: 3)
    var text = ASCIIText(reserving: 24)
    text.append(time.year, digits: 4)
    text.append("-")
    text.append(time.month, digits: 2)
    text.append("-")
    text.append(time.day, digits: 2)
    text.append("T")
    text.append(time.hour, digits: 2)
    text.append(":")
    text.append(time.minute, digits: 2)
    text.append(":")
    text.append(time.second, digits: 2)
    text.append(".")
    text.append(time.fraction, digits: 3)
    text.append("Z")
    return text.string
  }

  /// Quotient towards −∞, and the remainder that is never negative.
  private static func divide(_ a: Int64, by b: Int64) -> (Int64, Int64) {
    let remainder = ((a % b) + b) % b
    return (a / b - (a % b < 0 ? 1 : 0), remainder)
  }
}
