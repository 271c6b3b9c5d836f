import CLibrary
import NIOCore

extension ChannelHandlerContext {
  /// Ends the connection at once: what the other side does not take is not kept for it by the kernel either.
  func abort() {
    // Set at once, on the channel's own loop.
    _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    close(promise: nil)
  }
}
