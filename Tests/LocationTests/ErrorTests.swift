import Location
import Navigation
import Testing

@Suite struct ErrorTests {
  private func reason(
    _ latest: Location?, sources: Int = 2, lost: Int = 0, at seconds: Double = 0
  ) -> LocationError.UnknownReason? {
    StatusHeartbeat.unknownReason(latest: latest, sources: sources, lost: lost, at: Made.time(seconds))
  }

  @Test func errorLocationUnknownIsTransientAndDeniedIsNot() {
    #expect(LocationError.locationUnknown(.searching).isTransient)
    #expect(!LocationError.denied(.deniedForClient).isTransient)
  }

  @Test func errorOfARegionIsSaidInWords() {
    let text = "\(LocationError.regionMonitoringFailed(.tooMany(limit: 100)))"
    #expect(text.contains("100") && !text.contains("tooMany"))
    #expect("\(LocationError.denied(.notDetermined))".contains("--user ID"))
  }

  @Test func errorDeadReckoningGoesOnWithGrowingRadius() {
    // Fixes lost, radius growing: still a location as long as the engine says one.
    let lost = Made.location(accuracy: 900, at: 0, mode: .deadReckoning)
    #expect(reason(lost, lost: 1) == nil)
  }

  @Test func errorReasonsAreToldApart() {
    #expect(reason(nil, sources: 0) == .hardwareMissing)
    #expect(reason(nil, lost: 2) == .sourceUnreachable)
    #expect(reason(nil, lost: 1) == .searching)
    #expect(reason(Made.location(accuracy: 50_000, at: 0)) == .notEnoughAccuracy)
    #expect(LocationError.denied(.serviceDisabled) != .denied(.deniedForClient))
  }

  @Test func errorASilentEngineIsNoAnswer() {
    let old = Made.location(at: 0)
    #expect(reason(old, at: 2.9) == nil)
    #expect(reason(old, at: 3.1) == .searching)
    #expect(reason(old, lost: 2, at: 3.1) == .sourceUnreachable)
  }

  @Test func errorSilenceIsNeverAnAnswer() {
    var heartbeat = StatusHeartbeat()
    var said: [Double] = []
    // Ten seconds without anything, asked ten times a second.
    for i in 0..<100 {
      let seconds = Double(i) / 10
      if heartbeat.update(LocationStatus(timestamp: Made.time(seconds))) != nil { said.append(seconds) }
    }
    #expect(said.count == 10)
    for (a, b) in zip(said, said.dropFirst()) { #expect(b - a < 1.05) }
  }

  @Test func errorALostSourceIsAnnouncedAtOnce() {
    var heartbeat = StatusHeartbeat()
    #expect(heartbeat.update(LocationStatus(timestamp: Made.time(0), unknown: nil)) != nil)
    #expect(heartbeat.update(LocationStatus(timestamp: Made.time(0.1), unknown: nil)) == nil)
    let lost = LocationStatus(timestamp: Made.time(0.2), unknown: nil, lostSources: ["gnss"])
    #expect(heartbeat.update(lost) == lost)
    #expect(heartbeat.update(lost) == nil)
    let unknown = LocationStatus(
      timestamp: Made.time(0.3), unknown: .sourceUnreachable, lostSources: ["gnss"])
    #expect(heartbeat.update(unknown) == unknown)
  }
}
