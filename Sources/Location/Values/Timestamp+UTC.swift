import Navigation

/// A time in UTC since 1970 as a text: ISO 8601 to the nanosecond where it needs that, else to the
/// millisecond.
extension Timestamp {
  /// As `2026-05-01T12:00:00.250Z`: of times that are UTC since 1970, such as ``Location/utc``.
  public var utcText: String {
    let (seconds, fraction) = nanoseconds.floorDivided(by: 1_000_000_000)
    let (days, second) = seconds.floorDivided(by: 86_400)
    let (year, month, day) = Self.date(ofDay: days)
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let isWholeMillisecond = fraction % 1_000_000 == 0
    let decimals = isWholeMillisecond ? digits(fraction / 1_000_000, 3) : digits(fraction, 9)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
      + "T\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2)).\(decimals)Z"
  }

  /// The time that ``utcText`` writes, with any number of decimals; nil where `text` is no such.
  public init?(utcText text: String) {
    let bytes = Array(text.utf8)
    func number(_ from: Int, _ count: Int) -> Int64? {
      let digits = bytes[from..<from + count]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
      [4, 7, 10, 13, 16].map({ bytes[$0] }) == Array("--T::".utf8),
      let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2), (1678...2261).contains(year),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), (1...9).contains(bytes.count - 21),
        let decimals = number(20, bytes.count - 21)
      else { return nil }
      fraction = decimals
      for _ in bytes.count - 21..<9 { fraction *= 10 }
    }
    let days = Self.day(ofYear: year, month: month, day: day)
    guard Self.date(ofDay: days) == (year, month, day) else { return nil }
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    self.init(nanoseconds: seconds * 1_000_000_000 + fraction)
  }

  // Days since 1970-01-01 and dates of the Gregorian calendar, in cycles of 400 years (146,097 days) from 1
  // March of the year 0, so that a leap day is the last of its year. H. Hinnant, "chrono-Compatible Low-Level
  // Date Algorithms".

  private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (cycle, dayOfCycle) = (days + 719_468).floorDivided(by: 146_097)
    let year = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * year + year / 4 - year / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (cycle * 400 + year + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
  }

  private static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
    let (cycle, yearOfCycle) = (month <= 2 ? year - 1 : year).floorDivided(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
