import Foundation
import Location
import Navigation
import Testing

@Suite struct LocationTextTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", 0), ("2023-11-14T22:13:20.250Z", 1_700_000_000_250_000_000),
    ("2000-02-29T23:59:59.000Z", 951_868_799_000_000_000), ("1969-12-31T23:59:59.999Z", -1_000_000),
    ("2100-03-01T00:00:00.000Z", 4_107_542_400_000_000_000), ("2262-04-11T23:47:16.854775807Z", Int64.max),
  ]) func utcTextIsISO8601(_ text: String, _ nanoseconds: Int64) {
    let time = Timestamp(nanoseconds: nanoseconds)
    #expect(time.utcText == text)
    if !text.hasPrefix("2262") { #expect(Timestamp(utcText: text) == time) }
  }

  @Test func utcTextComesBackForEveryDayOfSixCenturies() {
    for day in stride(from: Int64(-106_000), to: 106_000, by: 1) {
      let time = Timestamp(nanoseconds: day * 86_400_000_000_000 + 43_200_000_000_001)
      #expect(Timestamp(utcText: time.utcText) == time)
    }
  }

  @Test(arguments: [
    "", "2026-05-01", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-05-01T24:00:00Z",
    "1600-05-01T00:00:00Z",
    "2026-05-01T00:00:00", "2026-05-01T00:00:00.Z", "2026-05-01T00:00:00.1234567890Z", "x026-05-01T00:00:00Z",
  ]) func whatIsNoUTCTextIsNone(_ text: String) { #expect(Timestamp(utcText: text) == nil) }

  @Test func decimalsOfAUTCTextMayBeAny() {
    for (decimals, nanoseconds) in [("", 0), (".5", 500_000_000), (".000000001", 1)] as [(String, Int64)] {
      #expect(Timestamp(utcText: "1970-01-01T00:00:00\(decimals)Z")?.nanoseconds == nanoseconds)
    }
  }

  private var full: Location {
    var location = Made.location(at: 1)
    location.utc = Timestamp(nanoseconds: 1_700_000_000_250_000_000)
    (location.altitude, location.ellipsoidalAltitude, location.verticalAccuracy) = (450, 500, 3)
    (location.courseDegrees, location.courseAccuracyDegrees) = (0.1, 2)
    (location.headingDegrees, location.headingAccuracyDegrees) = (359.9, 1)
    (location.speed, location.signedSpeed, location.speedAccuracy) = (3, -3, 0.1)
    location.sources = [.gnss, .inertial, .cached]
    return location
  }

  @Test func aLocationComesBackFromItsCode() throws {
    var bare = Made.location(at: 2)
    (bare.utc, bare.mode) = (nil, nil)
    for location in [full, bare] {
      let code = try JSONEncoder().encode(location)
      #expect(try JSONDecoder().decode(Location.self, from: code) == location)
    }
    let text = String(decoding: try JSONEncoder().encode(full), as: UTF8.self)
    #expect(text.contains(#""utc":"2023-11-14T22:13:20.250Z""#))
    #expect(text.contains(#""sources":["gnss","inertial","cached"]"#))
    let wrong = Data(text.replacing("2023-11-14T", with: "").utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Location.self, from: wrong) }
  }

  @Test func regionsComeBackFromTheirCode() throws {
    let region = Region(
      identifier: "home", center: Coordinate(latitudeDegrees: 48, longitudeDegrees: 11), radius: 100,
      notifyOnExit: false)
    #expect(try JSONDecoder().decode(Region.self, from: JSONEncoder().encode(region)) == region)
  }

  @Test func theDateIsOfUTC() {
    let expected = Date(timeIntervalSince1970: 1_700_000_000.25)
    #expect(abs(full.date?.timeIntervalSince(expected) ?? .infinity) < 1e-6)
    var location = full
    location.utc = nil
    #expect(location.date == nil)
  }

  @Test func descriptionsHaveWordsAndNoRawValues() {
    #expect("\(LocationSources([.gnss, .wheel]))" == "gnss wheel" && "\(LocationSources([]))" == "nothing")
    #expect("\(full)".hasSuffix("aided (gnss inertial cached)"))
    var reduced = full
    reduced.mode = nil
    #expect(!"\(reduced)".contains("nil"))
    for reason in DeferralReason.allCases { #expect("\(reason)".contains(" ")) }
    #expect(
      "\(LocationError.deferredFailed(.full))"
        == "updates were not deferred: as many locations were held as can be")
  }
}
