import CLibrary
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

extension ServiceMessage {
  fileprivate var visits: [Visit] { if case .visits(_, let visits) = self { visits } else { [] } }
}

extension Bench {
  /// A solution `step` seconds later: of a car that stands, or drives so fast.
  fileprivate mutating func go(north: Double, speed: Double, step: Double = 1) {
    seconds += step
    var location = Made.location(north: north, at: seconds, mode: speed == 0 ? .stationary : .aided)
    (location.speed, location.signedSpeed, location.speedAccuracy) = (speed, speed, 0.1)
    hub.update(.init(location: location, sources: 1), at: Made.time(seconds), utc: location.utc)
    settle()
  }

  /// Arrives, stands for 700 s.
  fileprivate mutating func park() {
    for i in 0..<10 { go(north: Double(i - 10) * 10, speed: 10) }
    for _ in 0..<70 { go(north: 0, speed: 0, step: 10) }
  }

  fileprivate mutating func leave() { for i in 1..<30 { go(north: Double(i) * 10, speed: 10) } }
}

@Suite struct VisitTests {
  private let scratch = ScratchFolder()
  private let program = ClientIdentity(name: "com.example.a", user: Bench.owner)
  private let reduced = AuthorizationPolicy.Grant(
    .authorized, .reduced, fullAccuracyPurposeKeys: ["navigate"])

  @Test func visitsAreTold() throws {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startVisits(session: 3), id)
    #expect(bench.hub.demand == .significantChange)
    bench.park()
    bench.leave()
    let said = bench.take(id)
    let visits = said.flatMap(\.visits)
    #expect(visits.count == 2 && visits.allSatisfy { $0.arrival != nil && $0.arrival == visits[0].arrival })
    #expect(visits.map { $0.departure == nil } == [true, false])
    bench.say(.stopVisits, id)
    #expect(bench.hub.demand == .off)
    #expect(bench.stored.clients[program] == DurableClient())
    bench.park()
    #expect(bench.take(id).flatMap(\.visits).isEmpty && bench.stored.stay == nil)
  }

  @Test func visitsWaitForAClientThatIsAwayAlsoOverARestart() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startVisits(session: 1), id)
    bench.go(north: -200, speed: 10)
    bench.hub.disconnect(id)
    bench.park()
    #expect(bench.stored.stay?.isVisit == true)
    var after = Bench(stored: bench.stored)
    after.seconds = bench.seconds
    after.go(north: 0, speed: 0, step: 3600)
    after.leave()
    #expect(after.stored.stay == nil)
    after.settle()
    let back = after.client()
    #expect(after.take(back).flatMap(\.visits).isEmpty)
    after.say(.startVisits(session: 4), back)
    let visits = after.take(back).flatMap(\.visits)
    #expect(visits.map { $0.departure == nil } == [true, false])
    #expect(Set(visits.map(\.arrival)).count == 1 && visits.first?.arrival != nil)
    after.say(.startVisits(session: 5), back)
    #expect(after.take(back).flatMap(\.visits).isEmpty)
  }

  /// A stay tells when the car does not drive, and exactly where.
  @Test func visitsAreForFullAccuracyForGoodOnly() {
    var bench = Bench(rules: [.init(name: "com.example.a", user: nil, grant: reduced)])
    let (id, own) = (bench.client(), bench.client("own"))
    bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
    bench.say(.startVisits(session: 1), id)
    bench.say(.startVisits(session: 1), own)
    bench.park()
    let said = bench.take(id)
    #expect(said.contains(.refused(.visits, .denied(.accuracyReduced))))
    #expect(said.flatMap(\.visits).isEmpty && bench.stored.clients[program] == nil)
    #expect(bench.take(own).flatMap(\.visits).count == 1)
    // Put down, or denied, while it runs: nothing more, and nothing that waits.
    for word in [AuthorizationPolicy.Grant(.authorized, .reduced), .init(.denied)] {
      var bench = Bench()
      let id = bench.client()
      bench.say(.startVisits(session: 1), id)
      bench.park()
      bench.hub.decide(word, for: program)
      bench.leave()
      bench.say(.startVisits(session: 2), id)
      let said = bench.take(id)
      #expect(said.flatMap(\.visits).isEmpty)
      #expect(said.contains { if case .refused(.visits, .denied) = $0 { true } else { false } })
      #expect(bench.stored.clients[program]?.pendingVisits ?? [] == [] && bench.stored.stay == nil)
    }
  }

  @Test func visitsOfWhoWasPutDownWhileAwayAreForgotten() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startVisits(session: 1), id)
    bench.hub.disconnect(id)
    bench.park()
    #expect(bench.stored.clients[program]?.pendingVisits.count == 1)
    bench.hub.decide(.init(.authorized, .reduced), for: program)
    bench.settle()
    #expect(bench.stored.clients[program]?.pendingVisits == [])
  }

  @Test func visitsOfAReplayedDriveLeaveNoStay() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startVisits(session: 1), id)
    for i in 0..<80 {
      bench.seconds += 10
      var location = Made.location(at: bench.seconds, mode: .stationary)
      location.sources = [.simulated]
      bench.hub.update(.init(location: location, sources: 1), at: Made.time(bench.seconds), utc: location.utc)
      bench.settle()
      if i == 70 { #expect(bench.take(id).flatMap(\.visits).count == 1) }
    }
    #expect(bench.stored.stay == nil)
  }

  private final class Told: LocationManagerDelegate {
    let visits = Mutex<[Visit]>([])
    func locationManager(_ manager: LocationManager, didUpdate locations: [Location]) {}
    func locationManager(_ manager: LocationManager, didReceive event: LocationEvent) {
      if case .visit(let visit) = event { visits.withLock { $0.append(visit) } }
    }
  }

  @Test func theManagerTellsVisitsBehindASocketAndOverAKilledService() async throws {
    let store = try SQLiteStore(path: scratch("store.sqlite"))
    var bench = try HostBench(store: store)
    /// So many seconds from the first; each is looked at half a second after the last.
    func publish(_ seconds: Double, north: Double, speed: Double) async throws {
      var location = Made.location(north: north, at: seconds, mode: speed == 0 ? .stationary : .aided)
      (location.speed, location.signedSpeed, location.speedAccuracy) = (speed, speed, 0.1)
      bench.host.publish(.init(location: location, sources: 1), utc: location.utc)
      try await Task.sleep(for: .milliseconds(700))
    }
    let told = Told()
    func visit(_ number: Int) async throws -> Visit? {
      for _ in 0..<1000 where told.visits.withLock({ $0.count }) < number {
        try await Task.sleep(for: .milliseconds(10))
      }
      return told.visits.withLock { $0.count == number ? $0.last : nil }
    }
    var manager = try LocationManager(identifier: "a", purpose: "to test", socket: bench.path)
    manager.delegate = told
    manager.startMonitoringVisits()
    for _ in 0..<500 where manager.authorizationStatus != .authorized {
      try await Task.sleep(for: .milliseconds(10))
    }
    // Its wish is taken before an answer comes.
    _ = try await manager.monitoredRegions()
    try await publish(0, north: -100, speed: 10)
    try await publish(10, north: 0, speed: 0)
    try await publish(400, north: 0, speed: 0)
    try await publish(620, north: 0, speed: 0)
    let arrived = try #require(await visit(1))
    #expect(arrived.arrival == Timestamp(seconds: 1.7e9 + 10) && arrived.departure == nil)
    manager.close()
    bench.host.stop(within: 5)
    try store.close()
    // Another service on the same database.
    let again = try SQLiteStore(path: scratch("store.sqlite"))
    bench = try HostBench(stored: again.read(), store: again)
    try await publish(4000, north: 0, speed: 0)
    try await publish(4010, north: 300, speed: 10)
    try await publish(4020, north: 400, speed: 10)
    manager = try LocationManager(identifier: "a", purpose: "to test", socket: bench.path)
    manager.delegate = told
    manager.startMonitoringVisits()
    let left = try #require(await visit(2))
    #expect(left.arrival == arrived.arrival && left.departure == Timestamp(seconds: 1.7e9 + 4000))
    manager.close()
    bench.host.stop(within: 5)
    try again.close()
  }
}
