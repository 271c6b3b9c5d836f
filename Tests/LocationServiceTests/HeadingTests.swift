import CLibrary
import Location
import LocationService
import Navigation
import Testing

extension ServiceMessage {
  fileprivate var heading: Heading? { if case .heading(_, let heading) = self { heading } else { nil } }
}

@Suite struct HeadingTests {
  private let reduced = AuthorizationPolicy.Grant(
    .authorized, .reduced, fullAccuracyPurposeKeys: ["navigate"])

  private func location(_ degrees: Double?, accuracy: Double = 1, at seconds: Double) -> Location {
    var location = Made.location(at: seconds)
    if let degrees { (location.headingDegrees, location.headingAccuracyDegrees) = (degrees, accuracy) }
    return location
  }

  private func turn(_ bench: inout Bench, to degrees: Double?) {
    bench.seconds += 1
    let location = location(degrees, at: bench.seconds)
    bench.hub.update(.init(location: location, sources: 1), at: Made.time(bench.seconds), utc: location.utc)
  }

  @Test func headingIsToldAsItTurnsByTheFilter() {
    var service = HeadingService()
    #expect(service.offer(location(10, at: 0)) == nil)
    service.start(session: 1, filter: 5)
    let turns: [(Double?, Bool)] = [
      (nil, false), (358, true), (359, false), (2.9, false), (3, true), (359, false), (357.9, true),
      (nil, false), (.nan, false), (357.9, false), (177.9, true),
    ]
    for (i, (degrees, isTold)) in turns.enumerated() {
      let told = service.offer(location(degrees, at: Double(i) + 1))
      #expect((told != nil) == isTold, "\(i)")
      if let told { #expect(told.trueHeadingDegrees == degrees && told.headingAccuracyDegrees == 1) }
    }
    // Known much better it is told without a turn; an older one never is.
    #expect(service.offer(location(178, accuracy: 0.4, at: 20)) != nil)
    #expect(service.offer(location(90, at: 19)) == nil)
    service.start(session: 2, filter: nil)
    let told = (0..<300).filter { service.offer(location(178, at: 30 + Double($0) / 100)) != nil }
    #expect(told.count == 30)
    for filter in [0, -1, Double.nan] {
      service.start(session: 3, filter: filter)
      #expect(service.filter == nil)
    }
  }

  @Test func headingIsToldByTheHub() {
    var bench = Bench()
    let id = bench.client()
    turn(&bench, to: 90)
    bench.say(.startHeading(session: 4, filter: 10), id)
    #expect(bench.hub.demand == .standard(.bestForNavigation))
    for degrees in [91, 95, 101, nil, 102, 90] as [Double?] { turn(&bench, to: degrees) }
    let said = bench.take(id)
    // Of what waits the newest is left.
    #expect(said.compactMap(\.heading).map(\.trueHeadingDegrees) == [90])
    turn(&bench, to: 200)
    #expect(bench.take(id).compactMap(\.heading).map(\.trueHeadingDegrees) == [200])
    turn(&bench, to: 300)
    bench.say(.stopHeading, id)
    turn(&bench, to: 100)
    #expect(bench.take(id).compactMap(\.heading).isEmpty && bench.hub.demand == .off)
  }

  @Test func headingIsForFullAccuracyOnly() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: reduced)])
    let id = bench.client()
    bench.say(.startHeading(session: 1, filter: nil), id)
    turn(&bench, to: 90)
    let refusal = ServiceMessage.refused(.heading, .denied(.accuracyReduced))
    var said = bench.take(id)
    #expect(said.contains(refusal) && said.compactMap(\.heading).isEmpty && bench.hub.demand == .off)
    // For a while it goes on by itself, and ends with that.
    bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
    turn(&bench, to: 91)
    #expect(bench.take(id).compactMap(\.heading).count == 1)
    turn(&bench, to: 92)
    bench.seconds += TemporaryFullAccuracy.duration
    turn(&bench, to: 93)
    said = bench.take(id)
    #expect(said.contains(refusal) && said.compactMap(\.heading).isEmpty)
    bench.hub.decide(.init(.denied), for: .init(name: "com.example.a", user: Bench.owner))
    bench.say(.startHeading(session: 2, filter: nil), id)
    turn(&bench, to: 94)
    said = bench.take(id)
    #expect(said.contains(.refused(.heading, .denied(.deniedForClient))))
    #expect(said.compactMap(\.heading).isEmpty)
  }

  @Test func theManagerTellsHeadingBehindASocket() async throws {
    let bench = try HostBench()
    let manager = try LocationManager(identifier: "a", purpose: "to test", socket: bench.path)
    manager.headingFilter = 5
    manager.startUpdatingHeading()
    for _ in 0..<500 where manager.authorizationStatus != .authorized {
      try await Task.sleep(for: .milliseconds(10))
    }
    let feeding = Task {
      var degrees = 0.0
      while !Task.isCancelled {
        degrees = (degrees + 2).truncatingRemainder(dividingBy: 360)
        var location = location(degrees, at: 0)
        (location.timestamp, location.utc) = (BootClock.now(), BootClock.utc())
        bench.host.publish(.init(location: location, sources: 1), utc: location.utc)
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    var told: [Heading] = []
    for await event in manager.updates {
      if case .heading(let heading) = event { told.append(heading) }
      if told.count == 4 { break }
    }
    for (a, b) in zip(told, told.dropFirst()) { #expect(a.turn(to: b) >= 5) }
    #expect(manager.heading != nil)
    manager.stopUpdatingHeading()
    let last = manager.heading
    try await Task.sleep(for: .milliseconds(400))
    #expect(manager.heading == last)
    feeding.cancel()
    manager.close()
  }
}
