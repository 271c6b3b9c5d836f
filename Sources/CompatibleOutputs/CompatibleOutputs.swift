import CLibrary
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SensorEvents

/// Serves the fused position to programs that exist: by gpsd's protocol on TCP, and as NMEA 0183 on a
/// Unix-domain socket and a pseudo-terminal.
///
/// One event loop with a thread of its own does all of it. ``publish(_:)`` leaves the newest report there and
/// returns: whatever clients do, the engine never waits. Start once, stop once.
public final class CompatibleOutputs: Sendable {
  private let settings: CompatibleOutputsSettings
  private let group: MultiThreadedEventLoopGroup
  private let loop: any EventLoop
  private let hub: NIOLoopBoundBox<OutputHub>
  private let inbox = NIOLockedValueBox(Inbox())
  private let listening = NIOLockedValueBox(Listening())
  private let ended: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation

  /// What waits for the event loop: of each kind the newest.
  private struct Inbox {
    var report: PositionReport?
    var sky: SkyReport?
    var isScheduled = false
    var isClosed = false
  }

  private struct Listening {
    var channels: [any Channel] = []
    var socket: UnixSocket?
    var checks: RepeatedTask?
    var port: Int?
    var state = State.new
  }

  private enum State { case new, started, stopped }

  /// Outputs by `settings`, which are checked here; nothing is opened yet.
  public init(_ settings: CompatibleOutputsSettings) throws(CompatibleOutputsError) {
    try settings.check()
    self.settings = settings
    (ended, end) = AsyncStream.makeStream(of: Never.self)
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    loop = group.next()
    hub = NIOLoopBoundBox.makeBoxSendingValue(OutputHub(settings), eventLoop: loop)
  }

  // MARK: Reports

  /// Hands over a report; from any thread. Never waits: of reports that come faster than they
  /// go out, the newest counts.
  public func publish(_ report: PositionReport) {
    post { $0.report = report }
  }

  /// Hands over the satellites in view at a UTC in nanoseconds since 1970, where it is known.
  public func publish(sky reading: SkyReading, utcNanoseconds: Int64? = nil) {
    post { $0.sky = SkyReport(utcNanoseconds: utcNanoseconds, reading: reading) }
  }

  private func post(_ change: (inout Inbox) -> Void) {
    let wakes = inbox.withLockedValue { inbox in
      guard !inbox.isClosed else { return false }
      change(&inbox)
      defer { inbox.isScheduled = true }
      return !inbox.isScheduled
    }
    if wakes { loop.execute { self.deliver() } }
  }

  private func deliver() {
    let (sky, report) = inbox.withLockedValue { inbox in
      defer { (inbox.sky, inbox.report, inbox.isScheduled) = (nil, nil, false) }
      return (inbox.sky, inbox.report)
    }
    if let sky { hub.value.publish(sky) }
    if let report { hub.value.publish(report) }
  }

  // MARK: Life

  /// The TCP port that gpsd's protocol is served on, once started.
  public var gpsdPort: Int? { listening.withLockedValue { $0.port } }

  /// Opens what the settings name and serves it from then on. If one thing cannot be opened, none is.
  public func start() async throws(CompatibleOutputsError) {
    let isNew = listening.withLockedValue { listening in
      defer { if listening.state == .new { listening.state = .started } }
      return listening.state == .new
    }
    precondition(isNew, "compatible outputs are started once")
    do {
      try await open()
    } catch {
      await stop(within: 0)
      throw error
    }
  }

  /// Starts, and serves until the task is cancelled or ``stop(within:)`` is called; then all is closed.
  public func run() async throws(CompatibleOutputsError) {
    try await start()
    for await _ in ended {}
    await stop()
  }

  /// Takes no more clients, lets those there are take in what they were sent for at most so many seconds,
  /// closes all, and removes the socket and the link. What is published from then on goes nowhere.
  public func stop(within seconds: Double = 1) async {
    let wasOpen = listening.withLockedValue { listening in
      defer { listening.state = .stopped }
      return listening.state != .stopped
    }
    guard wasOpen else { return }
    inbox.withLockedValue { $0.isClosed = true }
    let (channels, socket, checks) = listening.withLockedValue { ($0.channels, $0.socket, $0.checks) }
    for channel in channels { try? await channel.close() }
    socket?.removeFile()
    checks?.cancel()
    let finished = loop.makePromise(of: Void.self)
    let deadline = NIODeadline.now() + .nanoseconds(Int64(min(max(seconds, 0), 60) * 1e9))
    loop.execute { self.hub.value.finish(by: deadline, finished) }
    loop.scheduleTask(deadline: deadline) { self.hub.value.closeAll() }
    try? await finished.futureResult.get()
    try? await group.shutdownGracefully()
    end.finish()
  }

  private func open() async throws(CompatibleOutputsError) {
    if let settings = settings.terminal {
      let terminal = try PseudoTerminal(settings)
      let handover = NIOLoopBoundBox.makeBoxSendingValue(terminal, eventLoop: loop)
      loop.execute { self.hub.value.terminal = handover.value }
    }
    if let settings = settings.nmeaSocket {
      let socket = try UnixSocket(settings)
      listening.withLockedValue { $0.socket = socket }
      try await listen(on: settings.path) {
        try await self.bootstrap(speaksGPSD: false).withBoundSocket(socket.descriptor).get()
      }
    }
    if let settings = settings.gpsd {
      let channel = try await listen(on: "\(settings.host):\(settings.port)") {
        try await self.bootstrap(speaksGPSD: true).bind(host: settings.host, port: settings.port).get()
      }
      listening.withLockedValue { $0.port = channel.localAddress?.port }
    }
    let interval = TimeAmount.nanoseconds(
      Int64(min(1, settings.stallLimitSeconds / 4, settings.idleLimitSeconds / 4) * 1e9))
    let checks = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      self.hub.value.check()
    }
    listening.withLockedValue { $0.checks = checks }
  }

  @discardableResult private func listen(
    on address: String, _ open: () async throws -> any Channel
  ) async throws(CompatibleOutputsError) -> any Channel {
    do {
      let channel = try await open()
      listening.withLockedValue { $0.channels.append(channel) }
      return channel
    } catch {
      throw .cannotListen(on: address, reason: Self.reason(error))
    }
  }

  /// The system's words.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: SystemError.text(error.errnoCode)
    case let error as SocketAddressError.UnknownHost: error.errorDescription
    default: "\(error)"
    }
  }

  private func bootstrap(speaksGPSD: Bool) -> ServerBootstrap {
    let hub = hub
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 2048))
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: ClientHandler.outboxBytes))
      // The kernel keeps twice of it for a client that does not read: old reports that nothing can take back.
      .childChannelOption(.socketOption(.so_sndbuf), value: 8192)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            ClientHandler(hub: hub.value, speaksGPSD: speaksGPSD))
        }
      }
    guard speaksGPSD else { return bootstrap }
    return
      bootstrap
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      // A peer that vanished without a word is noticed in a minute.
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.init(rawValue: keepAliveIdle)), value: 30)
      .childChannelOption(.tcpOption(.init(rawValue: keepAliveInterval)), value: 10)
      .childChannelOption(.tcpOption(.init(rawValue: keepAliveCount)), value: 3)
  }
}
