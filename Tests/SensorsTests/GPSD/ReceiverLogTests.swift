import Foundation
import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// Logs of real receivers through a real gpsd, where they are at hand: `RECKON_GPSD_LOGS`, by default
/// `../shared/logs/gpsd` beside the package.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct ReceiverLogTests {
  private static let folder: String = {
    if let path = ProcessInfo.processInfo.environment["RECKON_GPSD_LOGS"] { return path }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().path + "/shared/logs/gpsd"
  }()

  /// Plays a log; what the source made of it, and what another client of the same gpsd read.
  private func play(_ log: Data) throws -> (
    fixes: [FixReading], counts: GPSDCounts, raw: [RawReports.Position]
  ) {
    let feed = try Listener()
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(feed.port)"])
    let events = EventLog()
    let source = try GPSDSource(
      id: SourceID(0), address: GPSDAddress(host: "127.0.0.1", port: gpsd.port), accuracy: .sigma,
      sink: events.sink)
    source.start()
    try #require(feed.accept())
    let raw = try RawReports(port: gpsd.port)
    try #require(feed.send(Array(log)))
    raw.drain()
    let expected = Self.expected(raw.positions).count
    #expect(becomesTrue(within: 5) { events.fixes.count >= expected })
    #expect(source.stop(within: 2))
    return (events.fixes, source.counts, raw.positions)
  }

  /// Those that are fixes: measured, with a time, and not said twice.
  private static func expected(_ positions: [RawReports.Position]) -> [RawReports.Position] {
    var kept: [RawReports.Position] = []
    for position in positions where position.time != nil && ![5, 7, 8].contains(position.status) {
      if let last = kept.last, last.time == position.time, last.latitude == position.latitude,
        last.longitude == position.longitude, last.mode >= position.mode,
        last.hasVelocity || !position.hasVelocity
      {
        continue
      }
      kept.append(position)
    }
    return kept
  }

  private static func nanoseconds(_ text: String) -> Int64? {
    // 2017-01-10T00:09:41.000Z: the whole second, and its thousandths.
    guard let whole = ISO8601DateFormatter().date(from: text.prefix(19) + "Z"),
      let part = Int64(text.dropFirst(20).prefix(3))
    else { return nil }
    return Int64(whole.timeIntervalSince1970) * 1_000_000_000 + part * 1_000_000
  }

  @Test(arguments: [
    "bu303-climbing", "bu303-moving", "nmea-fuzzy-cases", "ublox-8", "ublox-neo-m8l", "ublox-neo-m8u",
  ])
  func everyFixOfALogArrivesAsItIs(name: String) throws {
    let path = "\(Self.folder)/\(name).log"
    guard let log = FileManager.default.contents(atPath: path) else {
      print("skipped: no \(path); set RECKON_GPSD_LOGS")
      return
    }
    let (fixes, counts, raw) = try play(log)
    let expected = Self.expected(raw)
    print("\(name): \(raw.count) reports with a position, \(fixes.count) fixes, \(counts)")
    try #require(!expected.isEmpty)
    #expect(fixes.count == expected.count)
    for (fix, expected) in zip(fixes, expected) {
      #expect(fix.fix.position.latitudeDegrees.isClose(to: expected.latitude, within: 1e-10))
      #expect(fix.fix.position.longitudeDegrees.isClose(to: expected.longitude, within: 1e-10))
      #expect(expected.height.map { $0 == fix.fix.position.height } ?? fix.fix.position.height.isNaN)
      #expect(fix.fix.time.nanoseconds == expected.time.flatMap(Self.nanoseconds))
      if let eph = expected.eph, let sigma = fix.fix.positionSigma {
        #expect(sigma.horizontalNorm.isClose(to: eph, within: 1e-9))
      } else {
        #expect(expected.eph == nil)
      }
    }
    // And as gpsd's authors expect. Their figures are of a later gpsd, which gives more fixes of the two
    // u-blox logs with fused inertial sensors and other error estimates: so time, place and height are
    // compared, of the epochs that both have.
    let checks = Self.expected(
      RawReports.positions(try #require(FileManager.default.contents(atPath: path + ".chk"))))
    try #require(!checks.isEmpty)
    let isSameProtocol = !name.hasPrefix("ublox-neo")
    if isSameProtocol { #expect(fixes.count == checks.count) }
    let places = Dictionary(grouping: checks) { $0.time.flatMap(Self.nanoseconds) ?? 0 }
    var (common, equal) = (0, 0)
    for fix in fixes {
      guard let candidates = places[fix.fix.time.nanoseconds] else { continue }
      common += 1
      let isEqual = candidates.contains {
        fix.fix.position.latitudeDegrees.isClose(to: $0.latitude, within: 1e-10)
          && fix.fix.position.longitudeDegrees.isClose(to: $0.longitude, within: 1e-10)
          && ($0.height.map { $0 == fix.fix.position.height } ?? fix.fix.position.height.isNaN)
      }
      if isEqual { equal += 1 }
    }
    #expect(common >= (isSameProtocol ? checks.count : 2))
    #expect(equal >= (isSameProtocol ? common : common - 1))
    print("\(name): \(equal) of \(common) epochs as in the .chk (\(checks.count) in it)")
  }
}

extension Double {
  /// Whether it differs from `other` by at most `tolerance`.
  func isClose(to other: Double, within tolerance: Double) -> Bool { abs(self - other) <= tolerance }
}
