import Logging
import NIOCore

/// Lets a listener rest for a second when the system has no descriptor left for a
/// connection, and says so in the log.
///
/// NIO's own `AcceptBackoffHandler` holds back the next read, but the read that failed stays pending: epoll
/// reports it again at once, and the event loop does nothing else.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let rest = TimeAmount.seconds(1)
  private let log: Logger

  init(_ log: Logger) { self.log = log }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    log.error("no connection can be taken: \(error)")
    let channel = context.channel
    try? channel.syncOptions?.setOption(.autoRead, value: false)
    context.eventLoop.scheduleTask(in: Self.rest) {
      channel.setOption(.autoRead, value: true)
    }
  }
}
