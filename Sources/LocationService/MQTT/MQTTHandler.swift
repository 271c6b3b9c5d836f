import NIOCore
import NIOPosix

/// One connection with a broker: packets out, replies in. Lives on the host's event loop.
final class MQTTHandler: ChannelInboundHandler {
  typealias InboundIn = MQTTReply
  typealias OutboundOut = ByteBuffer

  /// Bytes of packets ahead of the kernel's buffer.
  private static let ahead = ChannelOptions.Types.WriteBufferWaterMark(low: 8192, high: 32_768)

  private weak var publisher: MQTTPublisher?
  private var context: ChannelHandlerContext?

  private init(_ publisher: MQTTPublisher) { self.publisher = publisher }

  /// Connects `publisher`. Reads little at a time, so that who sends without end delays nobody for long.
  static func bootstrap(_ publisher: MQTTPublisher, on loop: any EventLoop) -> ClientBootstrap {
    let publisher = NIOLoopBound(publisher, eventLoop: loop)
    return ClientBootstrap(group: loop)
      .connectTimeout(.nanoseconds(Int64(MQTTSession.patience * 1e9)))
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1024))
      .channelOption(.writeBufferWaterMark, value: ahead)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          CloseOnExec.mark(channel)
          try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(MQTTReplyDecoder()), MQTTHandler(publisher.value),
          ])
        }
      }
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  // A connection that was refused never becomes inactive: it never was active.
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    publisher?.receive(unwrapInboundIn(data), on: self)
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    publisher?.lose(self, .hungUp)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    publisher?.lose(self, error as? MQTTFault ?? .hungUp)
    abort()
  }

  /// Whether it takes more now.
  var isWritable: Bool { context?.channel.isWritable ?? false }

  func send(_ packets: [MQTTPacket]) {
    guard let context else { return }
    var buffer = context.channel.allocator.buffer(capacity: 1024)
    for packet in packets { packet.write(to: &buffer) }
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
  }

  /// Ends it at once, without the word by which a broker would forget the will.
  func abort() { context?.abort() }
}
