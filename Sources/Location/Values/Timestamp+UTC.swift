import Navigation

/// A time in UTC since 1970 as a text: ISO 8601 to the nanosecond where it needs that, else to the
/// millisecond.
extension Timestamp {
  /// As `2026-05-01T12:00:00.250Z`: of times that are UTC since 1970, such as ``Location/utc``.
  public var utcText: String {
    CalendarTime(utcNanoseconds: nanoseconds, decimals: nanoseconds % 1_000_000 == 0 ? 3 : 9).text
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
    let date = CalendarDate(year: year, month: month, day: day)
    let days = date.daysSince1970
    guard CalendarDate(daysSince1970: days) == date else { return nil }
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    self.init(nanoseconds: seconds * 1_000_000_000 + fraction)
  }
}
