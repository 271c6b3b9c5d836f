import JSON
import Location
import Navigation
import NIOCore

/// One client's connection: its lines both ways, and what it may do. Lives on the event loop.
///
/// What waits for the client waits in the hub, where the newest wins: it is made into text only while the
/// channel is writable, for what is text already cannot be taken back. Beyond the watermark there is at most
/// the rest of one message.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes of text ahead of the kernel's own buffer: above the higher number no more is made until
  /// it is below the lower one.
  static let ahead = ChannelOptions.Types.WriteBufferWaterMark(low: 8192, high: 16_384)
  /// Seconds for which the last word is waited for.
  static let lastWord = 1.0

  /// Who the kernel says the process is.
  private(set) var user: UInt32?
  private let host: HostLoop
  private let began = BootClock.now()
  private var id: Hub.ConnectionID?
  private var context: ChannelHandlerContext?
  private var lines = LineBuffer(limit: ClientMessage.longestLine)
  private var lineBegan: Timestamp?
  private var hasSpoken = false
  private var endBegan: Timestamp?
  private var isPumping = false
  private var hasSaidAll = false
  private var allowance: Allowance

  init(_ host: HostLoop) {
    self.host = host
    allowance = Allowance(rate: host.limits.messagesPerSecond, at: began)
  }

  // MARK: Life

  func channelActive(context: ChannelHandlerContext) {
    let transport = NIOBSDSocket.Handle.self
    user =
      try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: transport) {
        UnixSocket.peer($0)?.user
      } ?? nil
    id = host.admit(self, of: user)
    self.context = context
    if id == nil { close() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let id { host.remove(id) }
    self.context = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  func close() { context?.close(promise: nil) }

  /// Ends what takes too long.
  func check(at now: Timestamp) {
    if let endBegan {
      if now.seconds(since: endBegan) > Self.lastWord { close() }
    } else if !hasSpoken, now.seconds(since: began) > host.limits.hello {
      violate("hello did not come in time")
    } else if let lineBegan, now.seconds(since: lineBegan) > host.limits.line {
      violate("a line did not end in time")
    } else if let id, let since = host.hub.waitsSince(id), now.seconds(since: since) > host.limits.denied {
      // It has been told why; it may come again.
      host.count.dropped += 1
      close()
    }
  }

  // MARK: Lines in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard endBegan == nil, let id else { return }
    let now = BootClock.now()
    lines.append(unwrapInboundIn(data).readableBytesView)
    while endBegan == nil, let line = lines.next() {
      lineBegan = nil
      guard allowance.allowsOneMore(at: now) else { return violate("too many messages") }
      let message: ClientMessage
      do { message = try Self.message(line) } catch {
        return violate(error is JSONFault ? "a line is no JSON: \(error)" : "\(error)")
      }
      hasSpoken = true
      host.count.received += 1
      host.hub.receive(message, from: id, at: now)
      if case .hello = message, let user { host.limitWaiting(of: user) }
      if host.hub.isOver(id) { beginToEnd() }
    }
    if endBegan == nil, lines.isOverlong { return violate("a line is too long") }
    lineBegan = lines.isInside ? lineBegan ?? now : nil
    host.schedulePump()
  }

  private static func message(_ line: ArraySlice<UInt8>) throws -> ClientMessage {
    try ClientMessage(json: JSONParser.read(line, limits: .init(depth: 16, bytes: ClientMessage.longestLine)))
  }

  private func violate(_ reason: String) {
    guard let id else { return }
    host.count.violations += 1
    host.hub.reject(id, reason)
    beginToEnd()
    host.schedulePump()
  }

  /// Nothing more is read; what still waits is sent, and the connection closed.
  private func beginToEnd() {
    guard endBegan == nil else { return }
    endBegan = BootClock.now()
    try? context?.channel.syncOptions?.setOption(.autoRead, value: false)
  }

  // MARK: Lines out

  /// Sends what there is room for.
  func pump() {
    guard !isPumping, let context, let id else { return }
    isPumping = true
    defer { isPumping = false }
    if host.hub.isOver(id) { beginToEnd() }
    var hasWritten = true
    // A flush may make room for more.
    while hasWritten, context.channel.isWritable {
      hasWritten = false
      while context.channel.isWritable, let line = host.nextLine(for: id) {
        context.write(wrapOutboundOut(line), promise: nil)
        hasWritten = true
      }
      if hasWritten { context.flush() }
    }
    guard endBegan != nil, !hasSaidAll, !host.hub.hasOutput(id) else { return }
    hasSaidAll = true
    // Written after all that is on its way.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in self.close() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { pump() }
  }
}
