import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Streets

/// One connection of a browser: one request, answered by the page, by events without end, or by a refusal.
/// Lives on the host's event loop.
///
/// Bounded whatever the other side does: its head has at most 8 KB and 5 s, there are at most
/// ``WaitingRoom/most`` such connections, and events are made into text only while the channel takes it.
final class PageHandler: ChannelInboundHandler, Visitor {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How long a connection may take that is no stream.
  static let limit = TimeAmount.seconds(5)
  /// Bytes of text ahead of the kernel's buffer.
  private static let ahead = ChannelOptions.Types.WriteBufferWaterMark(low: 8192, high: 32_768)

  static let headLimits = {
    var limits = NIOHTTPDecoderLimitConfiguration()
    (limits.maxHeaderFieldSize, limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (4096, 8192, 64)
    return limits
  }()

  private let host: HostLoop
  private var head: HTTPRequestHead?
  private var hasAnswered = false
  private var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?
  /// What this stream was told already.
  var told = PageServer.Told()
  /// Since when it takes nothing.
  var stalledSince = BootClock.now()

  private init(_ host: HostLoop) { self.host = host }

  /// Serves the page of the host in `state`.
  static func bootstrap(_ loop: any EventLoop, _ state: NIOLoopBoundBox<HostLoop?>, _ log: Logger)
    -> ServerBootstrap
  {
    listener(loop, log).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let host = state.value else { throw ChannelError.ioOnClosedChannel }
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
          withPipeliningAssistance: false, withErrorHandling: true, withEncoderConfiguration: .init(),
          withDecoderLimitConfiguration: Self.headLimits)
        try channel.pipeline.syncOperations.addHandler(PageHandler(host))
      }
    }
  }

  /// Takes connections that read and write little at a time.
  static func listener(_ loop: any EventLoop, _ log: Logger) -> ServerBootstrap {
    ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .guarded(log)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .childChannelOption(.writeBufferWaterMark, value: ahead)
      .childChannelOption(.socketOption(.so_sndbuf), value: 32_768)
  }

  // MARK: Life

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.limit) { self.abort() }
    guard let page = host.page else { return close() }
    page.wait(self)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    self.context = nil
    host.closePage(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  func close() { context?.close(promise: nil) }

  func abort() { context?.abort() }

  // MARK: The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // One request a connection, and no body: nothing that comes later is kept.
      guard self.head == nil else { return close() }
      self.head = head
    case .body: close()
    case .end:
      guard let head, !hasAnswered else { return close() }
      hasAnswered = true
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let page = host.page, let port = context.channel.localAddress?.port else { return close() }
    switch PageRequest(head, port: port, token: page.token) {
    case .page:
      let nonce = PageToken().text
      PageAnswer.write(
        .ok, LivePage.html(nonce: nonce, streets: page.streets), type: "text/html; charset=utf-8",
        policy: LivePage.policy(nonce),
        to: context)
    case .events:
      guard host.openPage(self) else {
        return PageAnswer.write(.serviceUnavailable, "Too many look already.\n", to: context)
      }
      deadline?.cancel()
      var head = HTTPResponseHead(version: .http1_1, status: .ok, headers: PageAnswer.headers)
      head.headers.add(name: "Content-Type", value: "text/event-stream; charset=utf-8")
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      send("retry: 2000\n\n")
      host.tellPages()
    case .tile(let tile): answer(tile, page, context)
    case .refused(let refusal): PageAnswer.write(refusal.status, refusal.reason, to: context)
    }
  }

  private func answer(_ tile: StreetTile, _ page: PageServer, _ context: ChannelHandlerContext) {
    guard case .file(let reader) = page.streets else {
      return PageAnswer.write(.notFound, "There is no file of streets.\n", to: context)
    }
    guard page.tilesAsked < StreetReader.most else {
      return PageAnswer.write(.serviceUnavailable, "Too many tiles are asked for at once.\n", to: context)
    }
    page.tilesAsked += 1
    let found = reader.bytes(of: tile, on: context.eventLoop)
    found.assumeIsolated().whenComplete { result in
      page.tilesAsked -= 1
      // It may have been hung up on meanwhile.
      guard let context = self.context else { return }
      switch result {
      case .success(let bytes):
        PageAnswer.write(tile: bytes, isPacked: reader.file.areTilesPacked, to: context)
      case .failure(let fault): PageAnswer.write(.internalServerError, "\(fault)\n", to: context)
      }
    }
  }

  // MARK: The stream

  /// Whether it takes more now.
  var isWritable: Bool { context?.channel.isWritable ?? false }

  func send(_ text: String) {
    context?.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
  }
}
