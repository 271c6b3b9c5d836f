import CLibrary
import Sensors

/// A TCP port of the loopback, chosen by the kernel, and what is connected to it. For one thread.
package final class Listener {
  package let port: UInt16
  private let socket: Int32
  package private(set) var peer: Int32 = -1

  /// Listens at `port`, or at one that is free.
  package init(port: UInt16 = 0) throws {
    (socket, self.port) = try LoopbackPort.listen(port)
  }

  deinit {
    hangUp()
    close(socket)
  }

  /// A port that nobody listened at a moment ago.
  package static func freePort() throws -> UInt16 { try Listener().port }

  /// Waits for someone to connect, for at most `seconds`.
  package func accept(within seconds: Double = 10) -> Bool {
    hangUp()
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Int32(seconds * 1e3)) == 1 else { return false }
    peer = CLibrary.accept(socket, nil, nil)
    return peer >= 0
  }

  /// Sends all of `text`; false if the peer is gone or takes nothing for 5 s.
  @discardableResult package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      var ready = pollfd(fd: peer, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, 5000) == 1 else { return false }
      let count = bytes[sent...].withUnsafeBytes {
        CLibrary.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// One line from the peer without its end, for at most `seconds`.
  package func line(within seconds: Double = 5) -> String? {
    var bytes: [UInt8] = []
    while bytes.count < 4096 {
      var ready = pollfd(fd: peer, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      guard poll(&ready, 1, Int32(seconds * 1e3)) == 1, recv(peer, &byte, 1, 0) == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// Closes the connection.
  package func hangUp() {
    if peer >= 0 { close(peer) }
    peer = -1
  }
}
