import Location
import LocationService
import Locks
import Navigation
import Testing

/// `liveUpdates()` and `Monitor`, on a service that the test plays and on one with a store.
@Suite(.serialized) struct LiveUpdatesTests {
  private func welcomed() throws -> (LocationManager, PlayedProvider) {
    let provider = PlayedProvider()
    let manager = try LocationManager(identifier: "com.example.test", purpose: "to test", provider: provider)
    provider.say(.connected)
    provider.say(.welcome(version: 1, accuracy: .full))
    _ = provider.take()
    return (manager, provider)
  }

  private func starts(_ provider: PlayedProvider) -> (starts: [Int64], stops: Int) {
    let said = provider.take()
    return (
      said.compactMap { if case .start(let session) = $0 { session } else { nil } },
      said.count { if case .stop = $0 { true } else { false } }
    )
  }

  @Test func liveUpdatesRunTheServiceAsLongAsTheyAreTaken() async throws {
    let (manager, provider) = try welcomed()
    let updates = manager.liveUpdates()
    #expect(starts(provider).starts.isEmpty)
    var first: LiveUpdates.Iterator? = updates.makeAsyncIterator()
    let session = try #require(starts(provider).starts.first)
    var second: LiveUpdates.Iterator? = updates.makeAsyncIterator()
    #expect(starts(provider).starts.isEmpty)
    provider.say(.locations(.standard, session: session, [Made.location(at: 1, mode: .stationary)]))
    let told = await first?.next()
    #expect(told?.location?.timestamp == Made.time(1) && told?.isStationary == true)
    #expect(await second?.next()?.location != nil)
    first = nil
    #expect(starts(provider).stops == 0)
    second = nil
    #expect(starts(provider).stops == 1)
    _ = (first, second)
  }

  @Test func liveUpdatesLeaveAServiceRunningThatTheProgramStarted() throws {
    let (manager, provider) = try welcomed()
    manager.startUpdatingLocation()
    var iterator: LiveUpdates.Iterator? = manager.liveUpdates().makeAsyncIterator()
    #expect(starts(provider).starts.count == 1)
    iterator = nil
    #expect(starts(provider).stops == 0 && iterator == nil)
    // And one that it starts while they are taken.
    let other = try welcomed()
    iterator = other.0.liveUpdates().makeAsyncIterator()
    other.0.startUpdatingLocation()
    iterator = nil
    #expect(starts(other.1).stops == 0)
  }

  @Test func liveUpdatesSayOnceWhatHinders() async throws {
    let (manager, provider) = try welcomed()
    var iterator = manager.liveUpdates().makeAsyncIterator()
    let session = try #require(starts(provider).starts.first)
    for _ in 0..<3 { provider.say(.status(.init(timestamp: Made.time(1), unknown: .searching))) }
    provider.say(.failed(.denied(.notDetermined)))
    provider.say(.welcome(version: 1, accuracy: .reduced))
    provider.say(.locations(.standard, session: session, [Made.location(at: 2)]))
    var said: [LocationUpdate] = []
    while said.last?.location == nil, let update = await iterator.next() { said.append(update) }
    #expect(said.first?.unknown == .searching && said.first?.isLocationUnavailable == true)
    #expect(said.contains { $0.isAuthorizationAwaited } && said.contains { $0.isAccuracyLimited })
    #expect(said.last?.denial == nil && said.last?.unknown == nil)
    #expect(said.count <= 5)
  }

  @Test func crossingsGoToTheMonitorThatTheyBelongToAndToNoLiveUpdates() async throws {
    let (manager, provider) = try welcomed()
    let live = manager.liveUpdates().makeAsyncIterator()
    func event(_ number: Int64, _ identifier: String) -> ServiceMessage {
      .regionEvent(
        .init(number: number, identifier: identifier, kind: .entered, timestamp: Made.time(1), utc: nil))
    }
    provider.say(event(1, "garage/home"))
    provider.say(event(2, "shop/home"))
    _ = provider.take()
    // Told before anybody listened: each waits for its own.
    var garage = Monitor("garage", manager: manager).events.makeAsyncIterator()
    #expect(await garage.next() == .init(identifier: "home", state: .satisfied, utc: nil))
    #expect(provider.take() == [.acknowledge(event: 1)])
    var shop = Monitor("shop", manager: manager).events.makeAsyncIterator()
    #expect(await shop.next()?.identifier == "home")
    #expect(provider.take() == [.acknowledge(event: 2)])
    withExtendedLifetime(live) {}
  }

  @Test(.timeLimit(.minutes(5))) func whoBeginsToTakeEventsIsToldWhatItMayKnow() async throws {
    let bench = try HostBench()
    let manager = try LocationManager(
      identifier: "com.example.late", purpose: "to test", socket: bench.path)
    var first = manager.updates.makeAsyncIterator()
    #expect(await first.next() == .authorizationChanged(.authorized, .full))
    var late = manager.updates.makeAsyncIterator()
    #expect(await late.next() == .authorizationChanged(.authorized, .full))
    manager.close()
  }

  @Test func aMonitorAddsOnceItIsStoredAndListsItsOwn() async throws {
    let bench = try HostBench()
    let manager = try LocationManager(
      identifier: "com.example.monitor", purpose: "to test", socket: bench.path)
    for await event in manager.updates { if case .authorizationChanged = event { break } }
    let (garage, shop) = (Monitor("garage", manager: manager), Monitor("shop", manager: manager))
    let circle = Monitor.CircularCondition(center: Made.home.center, radius: 100)
    try await garage.add(circle, identifier: "home")
    #expect(try await garage.conditions == ["home": circle])
    #expect(try await shop.conditions.isEmpty)
    #expect(try await garage.state(of: "home") == .unknown)
    await #expect(throws: LocationError.self) {
      try await garage.add(.init(center: Made.home.center, radius: 1), identifier: "small")
    }
    garage.remove("home")
    #expect(try await garage.conditions.isEmpty)
    manager.close()
  }

  @Test func aMonitorThatCannotBeStoredThrows() async throws {
    let bench = try HostBench(store: FullDisk())
    let manager = try LocationManager(
      identifier: "com.example.monitor", purpose: "to test", socket: bench.path)
    for await event in manager.updates { if case .authorizationChanged = event { break } }
    await #expect(throws: LocationError.regionMonitoringFailed(.notStored)) {
      try await Monitor("a", manager: manager).add(
        .init(center: Made.home.center, radius: 100), identifier: "b")
    }
    manager.close()
  }
}
