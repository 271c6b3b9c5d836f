import Location
import Navigation
import Synchronization

/// Runs a ``Hub`` on a thread of its own: behind a socket, for the same process, or both.
public final class LocationHost: Sendable {
  /// How a host runs.
  public struct Configuration: Sendable {
    /// Path of the socket; nil for none.
    public var socket: String?
    /// Permissions of the socket. Everybody may connect, because who is not authorized is told so.
    public var socketMode: UInt32 = 0o666
    /// A socket that listens already, from systemd.
    public var listener: Int32?
    /// What clients may do.
    public var limits = HostLimits()
    /// Called on the host's thread when other hardware is needed.
    public var onDemand: @Sendable (HardwareDemand) -> Void = { _ in }
    /// Called on the host's thread with what is worth a line in the log.
    public var log: @Sendable (String) -> Void = { _ in }

    /// No socket.
    public init() {}
  }

  struct Mail {
    var input: (input: Hub.Input, utc: Timestamp?, published: Timestamp)?
    var commands: [@Sendable (inout HostLoop) -> Void] = []
    var isStopping = false
  }

  let configuration: Configuration
  let mail = Mutex(Mail())
  let wakeup: Wakeup
  let statistics = Mutex(HostStatistics())
  private let hub: Hub
  private let store: (any LocationStore)?
  private let hasEnded = Mutex(false)
  private let lastBeat = Mutex(Timestamp(nanoseconds: 0))

  /// A host of `hub`, which writes to `store`.
  public init(
    hub: Hub, store: (any LocationStore)? = nil, configuration: Configuration = Configuration()
  ) throws(LocationError) {
    self.hub = hub
    self.store = store
    self.configuration = configuration
    do { wakeup = try Wakeup() } catch { throw .serviceUnreachable(error.description) }
  }

  /// Begins to listen and to serve.
  public func start() throws(LocationError) {
    var listener = configuration.listener
    if listener == nil, let path = configuration.socket {
      do {
        listener = try UnixSocket.listen(path, mode: configuration.socketMode)
      } catch { throw .serviceUnreachable(error.description) }
    }
    let opened = listener
    guard
      PlainThread.start({ [self] in
        var loop = HostLoop(host: self, hub: hub, listener: opened, store: store)
        loop.run()
        hasEnded.withLock { $0 = true }
      })
    else { throw .serviceUnreachable("no thread could be started") }
  }

  /// Ends: clients are told by the end of their connections, what must be kept is written. Waits at most so long; whether it ended.
  @discardableResult
  public func stop(within seconds: Double) -> Bool {
    mail.withLock { $0.isStopping = true }
    wakeup.wake()
    let end = BootClock.now().advanced(bySeconds: seconds)
    while !hasEnded.withLock({ $0 }) {
      if BootClock.now() > end { return false }
      pause(milliseconds: 2)
    }
    return true
  }

  /// Hands over what the engine says. Never waits; a newer one takes the place of one that was not looked at.
  public func publish(_ input: Hub.Input, utc: Timestamp?) {
    mail.withLock { $0.input = (input, utc, BootClock.now()) }
    wakeup.wake()
  }

  /// Takes another file of rules.
  public func setRules(
    _ rules: [AuthorizationPolicy.Rule], locationServicesEnabled: Bool, trustedUser: UInt32?
  ) {
    perform {
      $0.hub.setRules(
        rules, locationServicesEnabled: locationServicesEnabled, trustedUser: trustedUser)
    }
  }

  /// Decides about a client.
  public func decide(_ grant: AuthorizationPolicy.Grant?, for client: ClientIdentity) {
    perform { $0.hub.decide(grant, for: client) }
  }

  /// What has been done; the worst delivery begins anew.
  public func takeStatistics() -> HostStatistics {
    statistics.withLock { value in
      defer { value.worstDelivery = 0 }
      return value
    }
  }

  /// Whether the thread has gone round within the last so many seconds.
  public func isAlive(within seconds: Double) -> Bool {
    BootClock.now().seconds(since: lastBeat.withLock { $0 }) <= seconds
  }

  func beat(_ now: Timestamp) { lastBeat.withLock { $0 = now } }

  func perform(_ command: @escaping @Sendable (inout HostLoop) -> Void) {
    mail.withLock { $0.commands.append(command) }
    wakeup.wake()
  }
}
