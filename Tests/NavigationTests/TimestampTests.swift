import Navigation
import Testing

@Suite struct TimestampTests {
  @Test func secondsAreRoundedToTheNearestNanosecond() {
    #expect(Timestamp(seconds: 1.0000000004).nanoseconds == 1_000_000_000)
    #expect(Timestamp(seconds: 1.0000000006).nanoseconds == 1_000_000_001)
    #expect(Timestamp(seconds: -0.25).nanoseconds == -250_000_000)
  }

  @Test func whatDoesNotFitIsClamped() {
    #expect(Timestamp(seconds: .infinity).nanoseconds == .max)
    #expect(Timestamp(seconds: -.infinity).nanoseconds == .min)
    #expect(Timestamp(seconds: 1e300).nanoseconds == .max)
    #expect(Timestamp(seconds: -1e300).nanoseconds == .min)
    #expect(Timestamp(seconds: 9_223_372_036.854775807).nanoseconds == .max)
    #expect(Timestamp(seconds: .nan).nanoseconds == 0)
  }

  @Test func differencesKnowWhenTheyOverflow() {
    let (first, last) = (Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max))
    #expect(last.seconds(since: first) == .infinity)
    #expect(first.seconds(since: last) == -.infinity)
    #expect(last.seconds(since: last) == 0)
    #expect(Timestamp(nanoseconds: 3).seconds(since: Timestamp(nanoseconds: 5)) == -2e-9)
  }

  @Test func advancingStopsAtTheEnds() {
    let last = Timestamp(nanoseconds: .max)
    #expect(last.advanced(bySeconds: 1) == last)
    #expect(last.advanced(bySeconds: .infinity) == last)
    #expect(Timestamp(nanoseconds: .min).advanced(bySeconds: -1).nanoseconds == .min)
    #expect(Timestamp(nanoseconds: 7).advanced(bySeconds: .nan).nanoseconds == 7)
    #expect(last.advanced(bySeconds: -1).nanoseconds == .max - 1_000_000_000)
  }

  /// Long after any origin a difference is still exact: it is made of whole nanoseconds.
  @Test func differencesAreExactFarFromTheOrigin() {
    let far = Timestamp(nanoseconds: 9_000_000_000_000_000_000)
    #expect(Timestamp(nanoseconds: far.nanoseconds + 1).seconds(since: far) == 1e-9)
    #expect(far.advanced(bySeconds: 0.01).nanoseconds - far.nanoseconds == 10_000_000)
  }

  /// `seconds` holds a microsecond for a century.
  @Test func secondsHoldAMicrosecondForACentury() {
    let century: Int64 = 3_155_760_000
    for second in [1, 1_000_000, century / 2, century - 1] {
      for nano: Int64 in [1, 499, 123_456_789, 999_999_999] {
        let seconds = Timestamp(nanoseconds: second * 1_000_000_000 + nano).seconds
        #expect(abs(seconds - Double(second) - Double(nano) * 1e-9) < 1e-6)
      }
    }
  }

  @Test func orderIsThatOfTheNanoseconds() {
    #expect(Timestamp(nanoseconds: -1) < Timestamp(nanoseconds: 0))
    #expect(!(Timestamp(nanoseconds: 0) < Timestamp(nanoseconds: 0)))
  }
}
