import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Prometheus's text format by HTTP/1.1: one answer a connection, and not for long. Lives
/// on the host's event loop.
///
/// Who only connects keeps nobody else out: of more than ``WaitingRoom/most`` connections the oldest ends.
final class MetricsHandler: ChannelInboundHandler, Visitor {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How long a connection may take in all.
  static let limit = TimeAmount.seconds(5)

  private let gauge: HostGauge
  private let open: NIOLoopBoundBox<WaitingRoom>
  private var context: ChannelHandlerContext?
  private var request: HTTPRequestHead?

  private init(_ gauge: HostGauge, _ open: NIOLoopBoundBox<WaitingRoom>) {
    (self.gauge, self.open) = (gauge, open)
  }

  /// Serves what `gauge` shows, on `loop`.
  static func bootstrap(_ loop: any EventLoop, _ gauge: HostGauge, _ log: Logger) -> ServerBootstrap {
    let open = NIOLoopBoundBox.makeBoxSendingValue(WaitingRoom(), eventLoop: loop)
    return PageHandler.listener(loop, log).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
          withPipeliningAssistance: false, withErrorHandling: true, withEncoderConfiguration: .init(),
          withDecoderLimitConfiguration: PageHandler.headLimits)
        try channel.pipeline.syncOperations.addHandler(MetricsHandler(gauge, open))
      }
    }
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    open.value.enter(self)?.close()
    let channel = context.channel
    let deadline = context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    open.value.leave(self)
  }

  func close() { context?.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // One request a connection, and no body: nothing that comes later is kept.
      guard request == nil else { return close() }
      request = head
    case .body: close()
    case .end: answer(context: context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private var page: String {
    gauge.take().prometheus + gauge.engineHealth.prometheus + ProcessUsage.prometheus
  }

  private func answer(_ request: HTTPRequestHead) -> (HTTPResponseStatus, String) {
    do throws(LoopbackRequest.Refusal) {
      guard ["/", "/metrics"].contains(try LoopbackRequest.path(request)) else {
        return (.notFound, "only /metrics\n")
      }
    } catch { return (error.status, error.reason) }
    return request.method == .GET ? (.ok, page) : (.methodNotAllowed, "only GET\n")
  }

  private func answer(context: ChannelHandlerContext) {
    guard let request else { return }
    let (status, text) = answer(request)
    var head = HTTPResponseHead(version: .http1_1, status: status)
    head.headers = [
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Content-Length": "\(text.utf8.count)",
      "Connection": "close",
    ]
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}
