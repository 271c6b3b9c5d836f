import CLibrary
import Logging
import NIOCore
import NIOPosix

/// Keeps the connections of a listener from the programs that this process starts.
///
/// NIO's sockets are inherited, and a connection ends for the other side only once nobody holds it any more:
/// one that a program has inherited would outlast its being closed here.
final class CloseOnExec: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  func handlerAdded(context: ChannelHandlerContext) { Self.mark(context.channel) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    Self.mark(unwrapInboundIn(data))
    context.fireChannelRead(data)
  }

  /// To be called on the event loop of `channel`.
  static func mark(_ channel: any Channel) {
    _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      _ = fcntl($0, F_SETFD, FD_CLOEXEC)
    }
  }
}

extension ServerBootstrap {
  /// Has the listener rest when there are no descriptors, and keep its connections to this process.
  func guarded(_ log: Logger) -> ServerBootstrap {
    serverChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([AcceptPause(log), CloseOnExec()])
      }
    }
  }
}
