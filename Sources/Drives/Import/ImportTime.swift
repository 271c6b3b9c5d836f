import Navigation

/// Calendar, GPS and Unix time.
package enum ImportTime {
  /// GPS time began at 1980-01-06 00:00:00 UTC.
  private static let gpsEpoch: Int64 = 315_964_800

  /// Seconds by which GPS time is ahead of UTC at a Unix time (IERS Bulletin C; none has
  /// been announced since 2017).
  package static func leapSeconds(unix: Int64) -> Int64 {
    // From 1999-01-01, 2006-01-01, 2009-01-01, 2012-07-01, 2015-07-01, 2017-01-01.
    let steps: [Int64] = [
      915_148_800, 1_136_073_600, 1_230_768_000, 1_341_100_800, 1_435_708_800, 1_483_228_800,
    ]
    return 12 + Int64(steps.count { unix >= $0 })
  }

  /// UTC since 1970 of a GPS week and time of week; ``Timestamp`` at its end where no such week can be.
  package static func utc(week: Int64, timeOfWeek: Timestamp) -> Timestamp {
    // 10,000 weeks reach to the year 2171.
    guard (0...10_000).contains(week), abs(timeOfWeek.seconds) < 2e9 else {
      return Timestamp(nanoseconds: .max)
    }
    let seconds = gpsEpoch &+ week &* 604_800
    let leap = leapSeconds(unix: seconds &+ timeOfWeek.nanoseconds / 1_000_000_000)
    return Timestamp(nanoseconds: (seconds &- leap) &* 1_000_000_000 &+ timeOfWeek.nanoseconds)
  }

  /// UTC since 1970 of nanoseconds of GPS time since its epoch.
  package static func utc(gps: Timestamp) -> Timestamp { utc(week: 0, timeOfWeek: gps) }

  /// UTC since 1970 of `2011-09-26T13:02:25.964389445Z`, or with a blank for the T and without the Z; nil for
  /// anything else, and for years that a count of nanoseconds does not reach.
  package static func utc(calendar text: some StringProtocol) -> Timestamp? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2 else { return nil }
    let body = parts.count == 1 && whole.hasSuffix("Z") ? whole.dropLast() : whole
    let bytes = Array(body.utf8)
    guard bytes.count == 19, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x20,
      bytes[13] == 0x3A, bytes[16] == 0x3A
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].reduce(Int64?(0)) { sum, byte in
        guard let sum, (48...57).contains(byte) else { return nil }
        return sum * 10 + Int64(byte - 48)
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1900...2199).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      let digits = parts[1].hasSuffix("Z") ? parts[1].dropLast() : parts[1]
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      for place in 0..<9 {
        let digit = place < digits.utf8.count ? Array(digits.utf8)[place] - 48 : 0
        nanoseconds = nanoseconds * 10 + Int64(digit)
      }
    }
    let days = CalendarDate(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    return Timestamp(nanoseconds: seconds * 1_000_000_000 + nanoseconds)
  }
}
