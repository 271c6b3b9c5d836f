import CLibrary
import Foundation
import JSON
import Location
import LocationService
import Locks
import Navigation
import TestParts
import Testing

/// Who listens and says nothing, or no longer, is no service: no client waits for it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SilentServiceTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// What a client has been told.
  private final class Told: Sendable {
    private let all = Mutex<[LocationProviderEvent]>([])
    func add(_ event: LocationProviderEvent) { all.withLock { $0.append(event) } }
    var reasons: [String] {
      all.withLock { all in
        all.compactMap { event in
          if case .disconnected(.serviceUnreachable(let why)) = event { why } else { nil }
        }
      }
    }
    var connections: Int {
      all.withLock { all in all.count { if case .connected = $0 { true } else { false } } }
    }
    func wait(_ seconds: Double, _ holds: (Told) -> Bool) -> Bool {
      for _ in 0..<Int(seconds * 100) where !holds(self) { usleep(10_000) }
      return holds(self)
    }
  }

  /// Takes connections, says `greeting` on each, and nothing more, until `body` ends.
  private func served(_ greeting: ServiceMessage?, _ body: (String) throws -> Void) throws {
    let path = folder + "/s"
    let listener = try UnixSocket.listen(path, mode: 0o600)
    let isOver = Mutex(false)
    let ended = DispatchSemaphore(value: 0)
    PlainThread.start {
      var open: [Int32] = []
      while !isOver.withLock({ $0 }) {
        if let descriptor = try? UnixSocket.accept(listener) {
          open.append(descriptor)
          if let greeting {
            _ = UnixSocket.write(descriptor, Array((greeting.json.text + "\n").utf8)[...])
          }
        }
        usleep(10_000)
      }
      for descriptor in open { close(descriptor) }
      ended.signal()
    }
    defer {
      isOver.withLock { $0 = true }
      #expect(ended.wait(timeout: .now() + 10) == .success)
      close(listener)
    }
    try body(path)
  }

  private func provider(_ path: String, _ told: Told) throws -> SocketProvider {
    var patience = SocketProvider.Patience()
    (patience.silence, patience.deniedSilence) = (0.5, 3)
    let provider = try SocketProvider(path: path, patience: patience)
    provider.open(told.add)
    return provider
  }

  @Test(arguments: [nil, ServiceMessage.welcome(version: 1, accuracy: .full)])
  func whoSaysNothingCountsAsGoneAndIsLookedForAgain(greeting: ServiceMessage?) throws {
    try served(greeting) { path in
      let told = Told()
      let provider = try provider(path, told)
      defer { provider.close() }
      #expect(told.wait(3) { $0.reasons.contains { $0.hasSuffix("the service says nothing for 1 s") } })
      #expect(told.wait(3) { $0.connections > 1 })
      // Who has never said anything is told of once.
      if greeting == nil { #expect(told.reasons.count == 1) }
    }
  }

  /// Nothing comes to a program that is denied, for as long as it is.
  @Test func silenceToWhoIsDeniedIsNoFault() throws {
    try served(.failed(.denied(.notDetermined))) { path in
      let told = Told()
      let provider = try provider(path, told)
      defer { provider.close() }
      #expect(!told.wait(1.5) { !$0.reasons.isEmpty })
      #expect(told.wait(4) { $0.reasons.contains { $0.hasSuffix("the service says nothing for 3 s") } })
    }
  }

  /// With the limits that programs have.
  @Test(.enabled(if: Daemon.binary != nil, "the reckond binary is not beside the tests"))
  func aServiceThatHangsIsToldAfterTenSecondsAndFoundAgain() async throws {
    let daemon = try Daemon(folder, drive: try StandingDrive.write(folder))
    _ = try daemon.client()
    let manager = try LocationManager(
      identifier: "com.example.test", purpose: "to test", socket: daemon.socket)
    defer { manager.close() }
    manager.startUpdatingLocation()
    let began = ContinuousClock.now
    var (isStopped, stopped) = (false, began)
    var after: Duration?
    for await event in manager.updates {
      guard began.duration(to: .now) < .seconds(60) else { break }
      switch event {
      case .locations where !isStopped:
        daemon.signal(SIGSTOP)
        (isStopped, stopped) = (true, .now)
      case .failed(.serviceUnreachable(let why)) where isStopped && after == nil:
        #expect(why.hasSuffix("the service says nothing for 10 s"))
        after = stopped.duration(to: .now)
        daemon.signal(SIGCONT)
      case .locations where after != nil:
        let after = try #require(after)
        // The reason has the limit; how much later a busy machine says so is no matter of the client.
        #expect(after > .seconds(8))
        return
      default: break
      }
    }
    Issue.record("the service that went on was not found again within 60 s")
  }
}
