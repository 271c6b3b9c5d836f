import CLibrary

/// A TCP port of the loopback that is listened at.
package enum LoopbackPort {
  /// Listens at `port`, or at one that the kernel chooses; the socket is the caller's to close.
  package static func listen(_ port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
    let socket = CLibrary.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && CLibrary.listen(socket, 8) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    guard isListening else {
      let reason = errno
      close(socket)
      throw IIODFailure(text: "no port to listen at: error \(reason)")
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }
}
