import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A connection to the port of VISS until it speaks VISS: who does not ask for that, or may not, is told why
/// and hung up on. Lives on the host's event loop.
///
/// Bounded whatever the other side does: its head has at most 8 KB and 5 s, there are at most
/// ``WaitingRoom/most`` such connections, and nothing is taken behind the head.
final class VISSDoor: ChannelInboundHandler, RemovableChannelHandler, Visitor {
  typealias InboundIn = HTTPServerRequestPart

  /// The name of the protocol within WebSocket: the specification's.
  static let subprotocol = "VISSv2"

  private let host: HostLoop
  private var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?

  private init(_ host: HostLoop) { self.host = host }

  /// Serves the clients of the host in `state`.
  static func bootstrap(_ loop: any EventLoop, _ state: NIOLoopBoundBox<HostLoop?>, _ log: Logger)
    -> ServerBootstrap
  {
    PageHandler.listener(loop, log).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let host = state.value else { throw ChannelError.ioOnClosedChannel }
        let door = VISSDoor(host)
        let bound = NIOLoopBound(door, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
          withPipeliningAssistance: false,
          withServerUpgrade: (
            upgraders: [upgrader(state)],
            completionHandler: { $0.pipeline.syncOperations.removeHandler(bound.value, promise: nil) }
          ), withErrorHandling: true, withEncoderConfiguration: .init(),
          withDecoderLimitConfiguration: PageHandler.headLimits)
        try channel.pipeline.syncOperations.addHandler(door)
      }
    }
  }

  private static func upgrader(_ state: NIOLoopBoundBox<HostLoop?>) -> NIOWebSocketServerUpgrader {
    NIOWebSocketServerUpgrader(
      maxFrameSize: VISSRequest.longest,
      shouldUpgrade: { channel, head in
        let isWelcome = state.value.map { refusal(of: head, channel, $0) == nil } ?? false
        return channel.eventLoop.makeSucceededFuture(
          isWelcome ? ["Sec-WebSocket-Protocol": subprotocol] : nil)
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          guard let host = state.value else { throw ChannelError.ioOnClosedChannel }
          try VISSHandler.add(to: channel, host)
        }
      })
  }

  /// Why a request is not let; nil where it is.
  private static func refusal(
    of head: HTTPRequestHead, _ channel: any Channel, _ host: HostLoop
  ) -> LoopbackRequest.Refusal? {
    guard let viss = host.viss, let port = channel.localAddress?.port else {
      return .init(.serviceUnavailable, "The service ends.\n")
    }
    do throws(LoopbackRequest.Refusal) {
      let path = try LoopbackRequest.path(head, port: port, token: viss.token)
      guard path == "/" else { throw .init(.notFound, "Only /.\n") }
      guard head.method == .GET, !head.headers.contains(name: "content-length"),
        !head.headers.contains(name: "transfer-encoding")
      else { throw .init(.methodNotAllowed, "Only GET, without a body.\n") }
      guard head.headers[canonicalForm: "sec-websocket-protocol"].contains(subprotocol[...]) else {
        throw .init(
          .upgradeRequired, "This is VISS version 2: open a WebSocket with the subprotocol \(subprotocol).\n")
      }
      guard viss.hasRoom else { throw .init(.serviceUnavailable, "Too many are connected already.\n") }
      return nil
    } catch { return error }
  }

  // MARK: Life

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
    self.context = nil
    host.viss?.leave(self)
  }

  func channelActive(context: ChannelHandlerContext) {
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: PageHandler.limit) { self.close() }
    guard let viss = host.viss else { return close() }
    viss.wait(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What is not let to speak VISS comes here as a request after that.
    if !(error is NIOWebSocketUpgradeError) { close() }
  }

  func close() { context?.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let refusal =
      Self.refusal(of: head, context.channel, host)
      ?? .init(.upgradeRequired, "Ask for the upgrade to a WebSocket as RFC 6455 has it.\n")
    PageAnswer.write(refusal.status, refusal.reason, to: context)
  }
}
