import NIOCore
import NIOPosix
import NIOWebSocket
import Navigation

/// One client of VISS version 2: a message each way is a frame of text. Lives on the host's event loop.
///
/// Bounded whatever the other side does: messages have at most ``VISSRequest/longest`` bytes and come at the
/// pace of every client, nothing is read while it takes no answers, and who takes none for
/// ``VISSServer/patience`` seconds is hung up on.
final class VISSHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Frames that a message may come in.
  private static let mostFrames = 16
  /// How long a client has to take why it is hung up on.
  private static let lastWord = TimeAmount.seconds(1)

  private let host: HostLoop
  private var session = VISSSession()
  private var allowance: Allowance
  private var context: ChannelHandlerContext?
  private var isClosing = false
  private var takesSince = BootClock.now()

  private init(_ host: HostLoop) {
    self.host = host
    allowance = Allowance(rate: host.limits.messagesPerSecond, at: takesSince)
  }

  /// Makes a client of `host` of a channel that speaks WebSocket.
  static func add(to channel: any Channel, _ host: HostLoop) throws {
    try channel.pipeline.syncOperations.addHandlers([
      MaskedFrames(),
      NIOWebSocketFrameAggregator(
        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: mostFrames,
        maxAccumulatedFrameSize: VISSRequest.longest),
      BackPressureHandler(), VISSHandler(host),
    ])
  }

  // MARK: Life

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    host.openVISS(self)
  }

  func channelInactive(context: ChannelHandlerContext) { handlerRemoved(context: context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    guard self.context != nil else { return }
    self.context = nil
    host.closeVISS(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(error is MaskedFrames.Fault ? .protocolError : .messageTooLarge)
  }

  /// Says why, and ends it. What still comes is passed over for a second: bytes that nobody reads would make
  /// the kernel take back what was said last.
  private func end(_ code: WebSocketErrorCode) {
    guard let context, !isClosing else { return }
    isClosing = true
    var data = context.channel.allocator.buffer(capacity: 2)
    data.write(webSocketErrorCode: code)
    let farewell = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    context.writeAndFlush(wrapOutboundOut(farewell)).assumeIsolated().whenComplete { _ in
      if code == .normalClosure { context.close(promise: nil) }
    }
    // Whether it was taken or not.
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.lastWord) { self.context?.abort() }
  }

  // MARK: Messages

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard !isClosing else {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    let now = BootClock.now()
    guard allowance.allowsOneMore(at: now) else {
      send(VISSSession.refusal(host.vissView))
      return end(.policyViolation)
    }
    switch frame.opcode {
    case .text:
      host.count.received += 1
      send(session.answer(Array(frame.unmaskedData.readableBytesView)[...], host.vissView, at: now))
    case .ping:
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .pong: break
    case .connectionClose: end(.normalClosure)
    default: end(.unacceptableData)
    }
  }

  /// Tells the subscriptions what there is.
  func tick(_ view: VISSSession.View, at now: Timestamp) {
    guard let context, !isClosing else { return }
    guard context.channel.isWritable else {
      // What is not told now is not told later: the next event has something newer.
      if now.seconds(since: takesSince) > VISSServer.patience { context.abort() }
      return
    }
    takesSince = now
    for event in session.events(view, at: now) { send(event) }
  }

  private func send(_ text: String) {
    guard let context else { return }
    host.count.sent += 1
    context.writeAndFlush(
      wrapOutboundOut(.init(fin: true, opcode: .text, data: ByteBuffer(string: text))), promise: nil)
  }
}

/// Lets those frames through that are masked, as all of a client must be (RFC 6455, 5.1).
private final class MaskedFrames: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// A frame that was not masked.
  struct Fault: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if unwrapInboundIn(data).maskKey != nil {
      context.fireChannelRead(data)
    } else {
      context.fireErrorCaught(Fault())
    }
  }
}
