import CLibrary
import Location
import LocationService
import Locks
import TestParts
import Testing

/// A service that a test plays: what it says arrives on the test's own thread, before ``say(_:)`` returns.
final class PlayedProvider: LocationProvider {
  private let receive = Mutex<(@Sendable (LocationProviderEvent) -> Void)?>(nil)
  private let said = Mutex<[ClientMessage]>([])

  func open(_ receive: @escaping @Sendable (LocationProviderEvent) -> Void) {
    self.receive.withLock { $0 = receive }
  }
  func send(_ message: ClientMessage) { said.withLock { $0.append(message) } }
  func close() { receive.withLock { $0 = nil } }

  func say(_ event: LocationProviderEvent) { receive.withLock { $0 }?(event) }
  func say(_ message: ServiceMessage) { say(.message(message)) }

  /// What the manager has said since the last reading.
  func take() -> [ClientMessage] {
    said.withLock { said in
      defer { said = [] }
      return said
    }
  }
}

/// The standard service's rules at the manager, where threads play no part: the service is the test itself.
@Suite struct StopTests {
  private func welcomed() throws -> (LocationManager, PlayedProvider) {
    let provider = PlayedProvider()
    let manager = try LocationManager(identifier: "com.example.test", purpose: "to test", provider: provider)
    provider.say(.connected)
    provider.say(.welcome(version: 1, accuracy: .full))
    return (manager, provider)
  }

  private func session(_ provider: PlayedProvider) -> Int64 {
    for case .start(let session) in provider.take().reversed() { return session }
    return -1
  }

  /// The sequence is taken on the main actor, which the test holds: what was told before the stop has not
  /// been taken when it stops.
  @Test @MainActor func rule6AfterStopASequenceGivesNothingThatWasOnItsWay() async throws {
    let (manager, provider) = try welcomed()
    let taken = Taken()
    let taking = Task { @MainActor in
      for await event in manager.updates {
        taken.isListening = true
        if case .locations(let locations) = event { taken.locations += locations }
      }
    }
    while !taken.isListening {
      provider.say(.failed(.locationUnknown(.searching)))
      await Task.yield()
    }
    for round in 0..<1000 {
      manager.startUpdatingLocation()
      let session = session(provider)
      for i in 0..<3 { provider.say(.locations(.standard, session: session, [Made.location(at: Double(i))])) }
      manager.stopUpdatingLocation()
      provider.say(.locations(.standard, session: session, [Made.location(at: 9)]))
      for _ in 0..<(round % 5) { await Task.yield() }
    }
    manager.startUpdatingLocation()
    provider.say(.locations(.standard, session: session(provider), [Made.location(at: 10)]))
    while taken.locations.isEmpty { await Task.yield() }
    #expect(taken.locations == [Made.location(at: 10)])
    manager.close()
    await taking.value
  }

  @MainActor private final class Taken {
    var isListening = false
    var locations: [Location] = []
  }

  @Test func rule3LocationReadsTheLatestWithoutWaiting() throws {
    let (manager, provider) = try welcomed()
    #expect(manager.location == nil)
    manager.startUpdatingLocation()
    let session = session(provider)
    for location in [Made.location(at: 1), Made.location(at: 3), Made.location(accuracy: 1, at: 2)] {
      provider.say(.locations(.standard, session: session, [location]))
    }
    // The refined one is older: the latest stays the latest.
    #expect(manager.location == Made.location(at: 3))
    manager.close()
  }

  /// Random calls and events at the manager's own interface: each call to defer is finished once, also by
  /// lost connections, revocations, stops and the end of the manager.
  @Test(arguments: [Dice.newSeed])
  func deferralFinishesExactlyOncePerCallAtTheManagerToo(seed: UInt64) throws {
    final class Ends: LocationManagerDelegate {
      let numbers = Mutex<[Int64]>([])
      func locationManager(_ manager: LocationManager, didUpdate locations: [Location]) {}
      func locationManager(_ manager: LocationManager, didReceive event: LocationEvent) {
        if case .deferredFinished(let number, _) = event { numbers.withLock { $0.append(number) } }
      }
    }
    var dice = Dice(seed: seed)
    for _ in 0..<2000 {
      var bench = Bench()
      let ends = Ends()
      let (manager, provider) = try welcomed()
      manager.delegate = ends
      #expect(manager.deferredLocationUpdatesAvailable)
      var id: Hub.ConnectionID? = bench.client()
      var calls: [Int64] = []
      for _ in 0..<20 {
        switch Int.random(in: 0..<9, using: &dice) {
        case 0: manager.startUpdatingLocation()
        case 1: manager.stopUpdatingLocation()
        case 2, 3, 4:
          calls.append(
            manager.allowDeferredLocationUpdates(
              untilTraveled: .random(in: -5...60, using: &dice), timeout: .random(in: -1...9, using: &dice)))
        case 5: manager.disallowDeferredLocationUpdates()
        case 6:
          if let gone = id { bench.hub.disconnect(gone) }
          id = nil
          provider.say(.disconnected(.serviceUnreachable("gone")))
        case 7:
          if id == nil {
            id = bench.client()
            provider.say(.connected)
            _ = provider.take()
          }
        default:
          let grant: AuthorizationPolicy.Grant? = Bool.random(using: &dice) ? .init(.denied) : nil
          bench.hub.decide(grant, for: .init(name: "com.example.a", user: Bench.owner))
        }
        exchange(&bench, id, provider)
        bench.drive(north: Double.random(in: 0...50, using: &dice))
        exchange(&bench, id, provider)
      }
      manager.close()
      #expect(ends.numbers.withLock { $0 } == calls)
    }
  }

  private func exchange(_ bench: inout Bench, _ id: Hub.ConnectionID?, _ provider: PlayedProvider) {
    guard let id else { return }
    for _ in 0..<3 {
      for message in provider.take() { if case .hello = message {} else { bench.say(message, id) } }
      for message in bench.take(id) { provider.say(message) }
    }
  }
}
