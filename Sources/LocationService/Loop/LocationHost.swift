import CLibrary
import Dispatch
import Location
import Locks
import Logging
import NIOCore
import NIOPosix
import Navigation

/// Runs a ``Hub`` on an event loop with a thread of its own: behind a socket, for the same process, or both.
///
/// Start once, stop once.
public final class LocationHost: Sendable {
  /// How a host runs.
  public struct Configuration: Sendable {
    /// Path of the socket; nil for none.
    public var socket: String?
    /// Permissions of the socket. Everybody may connect, because who is not authorized is told so.
    public var socketMode: UInt32 = 0o666
    /// A socket that listens already, from systemd.
    public var listener: Int32?
    /// Port on the loopback for Prometheus; nil for none, 0 lets the kernel choose.
    public var metricsPort: UInt16?
    /// The live page; nil for none.
    public var page: Page?
    /// VISS version 2; nil for none.
    public var viss: Page?
    /// The broker that is told where the car is; nil for none.
    public var broker: Broker?
    /// What clients may do.
    public var limits = HostLimits()
    /// Called on the host's thread when other hardware is needed.
    public var onDemand: @Sendable (HardwareDemand) -> Void = { _ in }
    /// What is worth a line in the log; by default it is told nobody.
    public var log = Logger(label: "reckon") { _ in SwiftLogNoOpLogHandler() }

    /// A broker, and the password at it.
    public struct Broker: Sendable {
      /// Where it is, and what it is told.
      public var mqtt: MQTTConfiguration
      /// Nil for none.
      public var password: String?

      /// A broker with a password.
      public init(mqtt: MQTTConfiguration, password: String? = nil) {
        (self.mqtt, self.password) = (mqtt, password)
      }
    }

    /// Where the live page is, or VISS.
    public struct Page: Sendable {
      /// Port on the loopback; 0 lets the kernel choose.
      public var port: UInt16
      /// The file that its address is written to.
      public var addressFile: String
      /// A PMTiles file with the streets of the live page's map; empty for none.
      public var streets = ""

      /// At `port`, with its address in `addressFile`.
      public init(port: UInt16, addressFile: String) { (self.port, self.addressFile) = (port, addressFile) }
    }

    /// No socket.
    public init() {}
  }

  /// What waits for the event loop: of what the engine says the newest.
  private struct Inbox {
    var input: (input: Hub.Input, utc: Timestamp?, published: Timestamp)?
    var isScheduled = false
    var isClosed = false
  }

  let configuration: Configuration
  private let group: MultiThreadedEventLoopGroup
  let loop: any EventLoop
  let state: NIOLoopBoundBox<HostLoop?>
  private let gauge: HostGauge
  private let inbox = Mutex(Inbox())
  private let ports = Mutex<UInt16?>(nil)
  private let ending = DispatchGroup()

  /// A host of `hub`, which writes to `store`.
  public init(
    hub: Hub, store: (any LocationStore)? = nil, configuration: Configuration = Configuration()
  ) {
    self.configuration = configuration
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    loop = group.next()
    let (state, gauge) = (NIOLoopBoundBox<HostLoop?>.makeEmptyBox(eventLoop: loop), HostGauge())
    (self.state, self.gauge) = (state, gauge)
    loop.execute { [weak self] in
      let writer = store.map { store in
        StoreWriter(
          store: store, log: { [log = configuration.log] in log.warning("\($0)") },
          begunAnew: { [weak self] in self?.storeEverything() },
          done: { [weak self] number, succeeded in self?.perform { $0.stored(number, succeeded) } })
      }
      state.value = HostLoop(
        hub: hub, writer: writer, gauge: gauge, configuration: configuration, on: state.eventLoop)
    }
  }

  deinit { if !inbox.withLock(\.isClosed) { group.shutdownGracefully { _ in } } }

  /// Port of the metrics, once started; nil where there are none.
  public var metricsPort: UInt16? { ports.withLock { $0 } }

  /// Begins to listen and to serve.
  public func start() throws(LocationError) {
    do {
      if let listener = try listener() {
        let file = configuration.listener == nil ? configuration.socket.flatMap(SocketFile.init) : nil
        _ = try serverBootstrap().withBoundSocket(listener).wait()
        try loop.submit { [state] in state.value?.ownSocket = file }.wait()
      }
    } catch { throw .serviceUnreachable("socket: \(error)") }
    if let port = configuration.metricsPort {
      do {
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
        let channel = try MetricsHandler.bootstrap(loop, gauge, configuration.log).bind(to: address).wait()
        ports.withLock { $0 = channel.localAddress?.port.map(UInt16.init) }
      } catch let error as IOError {
        let failure = UnixSocket.Failure("127.0.0.1:\(port)", error.errnoCode)
        throw .serviceUnreachable("metrics_port: \(failure)")
      } catch { throw .serviceUnreachable("metrics_port: 127.0.0.1:\(port): \(error)") }
    }
    try openLoopback()
    if let broker = configuration.broker {
      loop.execute { [state, configuration] in
        state.value?.publisher = MQTTPublisher(
          broker.mqtt, password: broker.password, user: geteuid(), log: configuration.log, on: state.eventLoop
        )
      }
    }
    loop.scheduleRepeatedTask(initialDelay: .zero, delay: HostLoop.beat) { [state] _ in state.value?.tick() }
  }

  private func listener() throws -> NIOBSDSocket.Handle? {
    if let listener = configuration.listener { return listener }
    return try configuration.socket.map { try UnixSocket.listen($0, mode: configuration.socketMode) }
  }

  private func serverBootstrap() -> ServerBootstrap {
    ServerBootstrap(group: loop)
      .guarded(configuration.log)
      // One small read each time round, so that who sends without end delays nobody for long.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .childChannelOption(.writeBufferWaterMark, value: ConnectionHandler.ahead)
      .childChannelInitializer { [state] channel in
        channel.eventLoop.makeCompletedFuture {
          guard let host = state.value else { throw ChannelError.ioOnClosedChannel }
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(host))
        }
      }
  }

  /// Ends: clients are told by the end of their connections, what must be kept is written. Waits at most
  /// so long; whether it ended.
  @discardableResult
  public func stop(within seconds: Double) -> Bool {
    let isFirst = inbox.withLock { inbox in
      defer { inbox.isClosed = true }
      return !inbox.isClosed
    }
    if isFirst {
      ending.enter()
      loop.submit { [state] in
        state.value?.end()
        state.value = nil
      }.whenComplete { [group, ending] _ in
        group.shutdownGracefully { _ in ending.leave() }
      }
    }
    return ending.wait(timeout: .now() + seconds) == .success
  }

  /// Hands over what the engine says. Never waits; a newer one takes the place of one that was not looked at.
  public func publish(_ input: Hub.Input, utc: Timestamp?) {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return }
      inbox.input = (input, utc, BootClock.now())
      if !inbox.isScheduled { loop.execute { self.deliver() } }
      inbox.isScheduled = true
    }
  }

  private func deliver() {
    let input = inbox.withLock { inbox in
      defer { (inbox.input, inbox.isScheduled) = (nil, false) }
      return inbox.input
    }
    guard let host = state.value, let (input, utc, published) = input else { return }
    host.update(input, utc: utc, published: published)
  }

  /// Does `command` on the event loop; nothing once the host ends.
  func perform(_ command: @escaping @Sendable (HostLoop) -> Void) {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return }
      loop.execute { [state] in
        guard let host = state.value else { return }
        command(host)
        host.schedulePump()
      }
    }
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

  /// Writes all that must outlive the service: the database is another.
  func storeEverything() { perform { $0.hub.storeEverything() } }

  /// Says how the engine does, for the metrics; about once a second. Never waits.
  public func publish(health: EngineHealth) { gauge.engineHealth = health }

  /// Whether there is a live page, which is told ``publish(details:)``.
  public var hasPage: Bool { configuration.page != nil }

  /// Says what the live page shows beside the place; about twice a second. Never waits.
  public func publish(details: EngineDetails) { gauge.add(details) }

  /// What has been done; the worst delivery begins anew.
  public func takeStatistics() -> HostStatistics { gauge.take() }

  /// Whether the thread has gone round within the last so many seconds.
  public func isAlive(within seconds: Double) -> Bool {
    BootClock.now().seconds(since: gauge.lastBeat) <= seconds
  }
}
