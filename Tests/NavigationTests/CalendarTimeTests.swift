import Navigation
import Testing

@Suite struct CalendarTimeTests {
  @Test func timeIsRoundedWithItsCarry() {
    #expect(CalendarTime.iso8601(utcNanoseconds: 0) == "1970-01-01T00:00:00.000Z")
    #expect(CalendarTime.iso8601(utcNanoseconds: -1) == "1970-01-01T00:00:00.000Z")
    #expect(CalendarTime.iso8601(utcNanoseconds: -1_000_000) == "1969-12-31T23:59:59.999Z")
    #expect(CalendarTime.iso8601(utcNanoseconds: 951_782_399_999_600_000) == "2000-02-29T00:00:00.000Z")
    #expect(CalendarTime.iso8601(utcNanoseconds: 1_709_251_199_999_400_000) == "2024-02-29T23:59:59.999Z")
    #expect(CalendarTime.iso8601(utcNanoseconds: 4_107_542_400_000_000_000) == "2100-03-01T00:00:00.000Z")
  }
}
