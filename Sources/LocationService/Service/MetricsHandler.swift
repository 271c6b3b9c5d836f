import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Prometheus's text format by HTTP/1.1: one answer a connection, and not for long. Lives on the host's event loop.
final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Connections at once.
  static let most = 16
  /// How long a connection may take in all.
  static let limit = TimeAmount.seconds(5)

  private let gauge: HostGauge
  private let open: NIOLoopBoundBox<Int>
  private var request: HTTPRequestHead?

  private init(_ gauge: HostGauge, _ open: NIOLoopBoundBox<Int>) { (self.gauge, self.open) = (gauge, open) }

  /// Serves what `gauge` shows, on `loop`.
  static func bootstrap(_ loop: any EventLoop, _ gauge: HostGauge, _ log: Logger) -> ServerBootstrap {
    let open = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .guarded(log)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandler(MetricsHandler(gauge, open))
        }
      }
  }

  func channelActive(context: ChannelHandlerContext) {
    open.value += 1
    guard open.value <= Self.most else { return context.close(promise: nil) }
    let channel = context.channel
    let deadline = context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  func channelInactive(context: ChannelHandlerContext) { open.value -= 1 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): request = head
    case .body: break
    case .end: answer(context: context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private var page: String {
    gauge.take().prometheus + gauge.engineHealth.prometheus + ProcessUsage.prometheus
  }

  private func answer(context: ChannelHandlerContext) {
    guard let request else { return }
    let isKnown = ["/", "/metrics"].contains(request.uri)
    let isGet = request.method == .GET
    let text = !isKnown ? "only /metrics\n" : !isGet ? "only GET\n" : page
    var head = HTTPResponseHead(
      version: .http1_1, status: !isKnown ? .notFound : isGet ? .ok : .methodNotAllowed)
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
