import CLibrary
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

/// The public interface, against a host in the process and against one behind a socket:
/// the same tests for both.
@Suite(.serialized) struct ManagerTests {
  enum Way: CaseIterable { case inProcess, socket }

  func manager(
    _ way: Way, _ bench: HostBench, _ name: String = "com.example.test"
  ) throws -> LocationManager {
    switch way {
    case .inProcess: try LocationManager(identifier: name, purpose: "to test", host: bench.host)
    case .socket: try LocationManager(identifier: name, purpose: "to test", socket: bench.path)
    }
  }

  /// The first event for which `pick` has an answer, while `bench` publishes a hundred times
  /// a second; nil after 10 s.
  func first<Found: Sendable>(
    _ manager: LocationManager, _ bench: HostBench, publishing: Bool = true,
    _ pick: @escaping @Sendable (LocationEvent) -> Found?
  ) async -> Found? {
    await withTaskGroup(of: Found?.self) { group in
      group.addTask {
        for await event in manager.updates { if let found = pick(event) { return found } }
        return nil
      }
      group.addTask {
        for _ in 0..<1000 where !Task.isCancelled {
          if publishing { bench.publish() }
          try? await Task.sleep(for: .milliseconds(10))
        }
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  func authorized(_ manager: LocationManager) async -> Bool {
    for _ in 0..<500 {
      if manager.authorizationStatus == .authorized { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test(arguments: Way.allCases) func updatesArrive(_ way: Way) async throws {
    let bench = try HostBench()
    let manager = try manager(way, bench)
    manager.startUpdatingLocation()
    let told = await first(manager, bench) { event -> Location? in
      if case .locations(let locations) = event { locations.last } else { nil }
    }
    #expect(told?.isValid == true)
    #expect(manager.location != nil && manager.authorizationStatus == .authorized)
    manager.close()
  }

  @Test func authorizationMissingPurposeIsALoudErrorOfTheManager() throws {
    let bench = try HostBench()
    #expect(throws: LocationError.purposeMissing) {
      try LocationManager(identifier: "a", purpose: " ", socket: bench.path)
    }
    #expect(throws: LocationError.identifierInvalid) {
      try LocationManager(identifier: "", purpose: "x", socket: bench.path)
    }
  }

  /// What JSON has no word for must not cost the connection.
  @Test(arguments: Way.allCases) func numbersThatAreNoneAreAnswered(_ way: Way) async throws {
    let bench = try HostBench()
    let manager = try manager(way, bench)
    #expect(await authorized(manager))
    let long = String(repeating: "é", count: 70_000)
    let nowhere = Coordinate(latitudeDegrees: .nan, longitudeDegrees: 8)
    for region in [
      Region(identifier: "nowhere", center: nowhere, radius: 100),
      Region(identifier: "wide", center: Made.home.center, radius: .infinity),
      Region(identifier: long, center: Made.home.center, radius: 100),
    ] {
      let failed = await first(manager, bench, publishing: false) { event -> String? in
        switch event {
        case .status, .authorizationChanged: manager.startMonitoring(for: region)
        case .regionMonitoringFailed(let identifier, .invalid): return identifier
        default: break
        }
        return nil
      }
      #expect(failed.map { region.identifier.hasPrefix($0.prefix(50)) } == true)
    }
    #expect(try await manager.state(ofRegion: long) == .unknown)
    manager.stopMonitoring(identifier: long)
    manager.distanceFilter = .infinity
    manager.desiredAccuracy = .hundredMeters
    for seconds in [Double.nan, -1, .infinity] {
      async let answer = try manager.requestLocation(within: seconds)
      try? await Task.sleep(for: .milliseconds(50))
      bench.publish()
      _ = try? await answer
    }
    #expect(try await manager.monitoredRegions().isEmpty)
    #expect(bench.host.takeStatistics().connections == 1)
    manager.close()
  }

  @Test(arguments: Way.allCases) func rule5OneShotAndBestOfAnswer(_ way: Way) async throws {
    let bench = try HostBench()
    let manager = try manager(way, bench)
    #expect(await authorized(manager))
    let feeding = Task {
      while !Task.isCancelled {
        bench.publish(accuracy: 2)
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    #expect(try await manager.requestLocation(within: 20).horizontalAccuracy == 2)
    #expect(try await manager.bestOf(3, within: 20).isValid)
    feeding.cancel()
    await feeding.value
    await #expect(throws: LocationError.self) { try await manager.bestOf(3, within: 0.2) }
    manager.close()
    await #expect(throws: LocationError.self) { try await manager.requestLocation(within: 0.2) }
  }

  @Test(arguments: Way.allCases) func rule5ACancelledRequestEndsAtOnce(_ way: Way) async throws {
    let bench = try HostBench()
    let manager = try manager(way, bench)
    #expect(await authorized(manager))
    let asking = Task { try await manager.requestLocation(within: 600) }
    try await Task.sleep(for: .milliseconds(50))
    asking.cancel()
    await #expect(throws: CancellationError.self) { try await asking.value }
    manager.close()
  }

  /// Told of locations, at any moment.
  private final class Counter: LocationManagerDelegate {
    let count = Mutex(0)
    func locationManager(_ manager: LocationManager, didUpdate locations: [Location]) {
      count.withLock { $0 += 1 }
    }
  }

  @Test(arguments: Way.allCases, [Dice.newSeed])
  func rule6AfterStopReturnsNothingArrives(_ way: Way, seed: UInt64) async throws {
    // Who starts and stops so often would be ended for it.
    let bench = try HostBench { $0.limits.messagesPerSecond = 1e6 }
    let manager = try manager(way, bench)
    let counter = Counter()
    manager.delegate = counter
    manager.desiredAccuracy = .bestForNavigation
    #expect(await authorized(manager))
    // A thread of its own: where tests hold all of the pool's, a task would not run before they end.
    let isOver = Flag()
    PlainThread.start {
      while !isOver.value.withLock({ $0 }) {
        bench.publish()
        usleep(200)
      }
    }
    var dice = Dice(seed: seed)
    var rounds = 0
    for _ in 0..<10_000 {
      manager.startUpdatingLocation()
      if rounds % 1000 == 0 {
        // So that there is something to stop, however busy the machine is.
        let before = counter.count.withLock { $0 }
        for _ in 0..<5000 where counter.count.withLock({ $0 }) == before { usleep(1000) }
      }
      if rounds % 10 == 0 { usleep(UInt32.random(in: 0...2000, using: &dice)) }
      manager.stopUpdatingLocation()
      let count = counter.count.withLock { $0 }
      if rounds % 10 == 0 { usleep(UInt32.random(in: 0...1000, using: &dice)) }
      guard counter.count.withLock({ $0 }) == count else {
        Issue.record("round \(rounds): told after stop")
        break
      }
      rounds += 1
    }
    #expect(rounds == 10_000 && counter.count.withLock { $0 } > 0)
    isOver.value.withLock { $0 = true }
    manager.close()
  }

  private final class Flag: Sendable { let value = Mutex(false) }

  @Test(arguments: Way.allCases) func aDelegateMayStopWhileItIsTold(_ way: Way) async throws {
    final class Stopper: LocationManagerDelegate {
      let count = Mutex(0)
      func locationManager(_ manager: LocationManager, didUpdate locations: [Location]) {
        count.withLock { $0 += 1 }
        manager.stopUpdatingLocation()
      }
    }
    let bench = try HostBench()
    let manager = try manager(way, bench)
    let stopper = Stopper()
    manager.delegate = stopper
    manager.startUpdatingLocation()
    for _ in 0..<300 {
      bench.publish()
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(stopper.count.withLock { $0 } == 1)
    manager.close()
  }

  @Test(arguments: Way.allCases) func regionEventIsAcknowledgedOnceItIsTaken(_ way: Way) async throws {
    let client = ClientIdentity(name: "com.example.test", user: getuid())
    var kept = DurableClient()
    kept.regions = RegionMonitor(
      watches: [RegionWatch(region: Made.home, state: .inside)],
      pending: [
        .init(number: 5, identifier: "home", kind: .entered, timestamp: Made.time(0), utc: nil)
      ])
    var stored = StoredState()
    stored.clients[client] = kept
    let bench = try HostBench(stored: stored)
    // Nobody takes it: it is not used up.
    let idle = try manager(way, bench)
    #expect(await authorized(idle))
    try await Task.sleep(for: .milliseconds(50))
    idle.close()
    let first = try manager(way, bench)
    #expect(await authorized(first))
    let pick: @Sendable (LocationEvent) -> RegionEvent? = {
      if case .region(let event) = $0 { event } else { nil }
    }
    #expect(await self.first(first, bench, pick)?.number == 5)
    #expect(try await first.monitoredRegions() == [Made.home])
    #expect(try await first.state(ofRegion: "home") == .inside)
    first.close()
    let second = try manager(way, bench)
    #expect(await authorized(second))
    let told = await self.first(second, bench) { event -> Bool? in
      if case .region = event { return true }
      if case .status(let status) = event, status.unknown == nil { return false }
      return nil
    }
    #expect(told == false)
    second.close()
  }

  @Test func whatWasStartedGoesOnWhenTheServiceIsBack() async throws {
    var bench: HostBench? = try HostBench()
    let path = try #require(bench).path
    let manager = try LocationManager(
      identifier: "com.example.test", purpose: "to test", socket: path)
    manager.startUpdatingLocation()
    #expect(await authorized(manager))
    let deferral = manager.allowDeferredLocationUpdates(untilTraveled: 1e6, timeout: 1000)
    let waiting = Task {
      var seen: [LocationEvent] = []
      for await event in manager.updates {
        seen.append(event)
        if case .failed(.serviceUnreachable) = event { break }
      }
      return seen
    }
    try await Task.sleep(for: .milliseconds(100))
    bench = nil
    let seen = await waiting.value
    #expect(seen.contains(.deferredFinished(number: deferral, .interrupted)))
    let next = try HostBench { $0.socket = path }
    let told = await first(manager, next) { event -> Bool? in
      if case .locations = event { true } else { nil }
    }
    #expect(told == true)
    manager.close()
    next.host.stop(within: 5)
  }
}
