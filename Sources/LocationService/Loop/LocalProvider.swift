import CLibrary
import Location
import Locks

/// A host in the same process. Messages are handed over on a thread of its own, so that a slow
/// program delays only itself.
final class LocalProvider: LocationProvider {
  private struct State {
    var incoming: [ServiceMessage] = []
    var id: Hub.ConnectionID?
    var isClosed = false
  }

  /// How many messages are taken from the hub at a time: what is taken cannot be replaced by newer ones.
  static let most = 16

  private let host: LocationHost
  private let user: UInt32
  private let state = Mutex(State())
  private let wakeup: Wakeup

  init(host: LocationHost, user: UInt32) throws(LocationError) {
    self.host = host
    self.user = user
    guard let wakeup = Wakeup() else { throw .serviceUnreachable("pipe: \(SystemError.text())") }
    self.wakeup = wakeup
  }

  func open(_ receive: @escaping @Sendable (LocationProviderEvent) -> Void) {
    host.perform { [self] loop in
      guard !state.withLock({ $0.isClosed }) else { return }
      let id = loop.hub.connect(user: user)
      state.withLock { $0.id = id }
      loop.locals[id] = self
      PlainThread.start { [self] in
        receive(.connected)
        while let messages = next() {
          for message in messages where !state.withLock({ $0.isClosed }) { receive(.message(message)) }
        }
      }
    }
  }

  func send(_ message: ClientMessage) {
    host.perform { [self] loop in
      guard let id = state.withLock({ $0.id }) else { return }
      loop.hub.receive(message, from: id, at: BootClock.now())
    }
  }

  func close() {
    state.withLock { $0.isClosed = true }
    wakeup.wake()
    host.perform { [self] loop in
      guard let id = state.withLock({ $0.id }) else { return }
      loop.locals[id] = nil
      loop.hub.disconnect(id)
    }
  }

  /// On the host's thread: takes what the program has room for.
  func take(_ next: () -> ServiceMessage?) {
    let hasTaken = state.withLock { state in
      let before = state.incoming.count
      while state.incoming.count < Self.most, let message = next() { state.incoming.append(message) }
      return state.incoming.count > before
    }
    if hasTaken { wakeup.wake() }
  }

  /// On the provider's thread: waits for messages; nil at the end.
  private func next() -> [ServiceMessage]? {
    while true {
      let (messages, isClosed) = state.withLock { state in
        defer { state.incoming = [] }
        return (state.incoming, state.isClosed)
      }
      if isClosed { return nil }
      if !messages.isEmpty {
        // There is room again.
        host.perform { _ in }
        return messages
      }
      wakeup.wait()
    }
  }
}

extension LocationManager {
  /// A manager on a host in the same process, with its own engine: the same interface without a socket.
  public convenience init(
    identifier: String, purpose: String, host: LocationHost, user: UInt32 = getuid()
  ) throws(LocationError) {
    try self.init(
      identifier: identifier, purpose: purpose, provider: try LocalProvider(host: host, user: user))
  }
}
