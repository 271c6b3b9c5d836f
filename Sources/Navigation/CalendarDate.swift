/// A date of the Gregorian calendar.
///
/// Days are counted in cycles of 400 years (146,097 days) from 1 March of the year 0, 719,468 days before
/// 1970, so that a leap day is the last of its year (E. G. Richards, "Calendars", in Explanatory Supplement
/// to the Astronomical Almanac, 3rd edition, 2013, chapter 15; H. Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms").
package struct CalendarDate: Equatable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date so many days after 1 January 1970.
  package init(daysSince1970 days: Int64) {
    let (cycle, dayOfCycle) = (days + 719_468).floorDivided(by: 146_097)
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  }

  /// Days since 1 January 1970; a day that its month does not have counts on into the next.
  package var daysSince1970: Int64 {
    let (cycle, yearOfCycle) = (month <= 2 ? year - 1 : year).floorDivided(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  /// The quotient towards −∞, and the remainder, which is never negative.
  package func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
