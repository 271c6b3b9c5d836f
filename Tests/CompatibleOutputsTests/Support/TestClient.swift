import CLibrary
import Foundation

/// A blocking client by plain sockets; every wait has a limit.
/// Unchecked: a test may send from one thread and read on another, each from one only.
final class TestClient: @unchecked Sendable {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connected to a port on loopback.
  init?(port: Int, receiveBuffer: Int32? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Connected to a Unix-domain socket.
  init?(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    guard sockaddr_un(path: path)?.withAddress({ connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// A terminal's slave opened for reading.
  init?(terminal path: String) {
    descriptor = open(path, O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Whether all of it could be sent.
  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest.removeFirst(sent)
    }
    return true
  }

  enum End: Error { case timeout, closed }

  /// The next line without its CR LF.
  func line(within seconds: Double = 10) throws -> String {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = buffer[..<end]
        buffer.removeSubrange(...end)
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      }
      try receive(until: deadline)
    }
  }

  /// The next object of a class.
  func object(_ name: String, within seconds: Double = 10) throws -> [String: Any] {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      let object = parseJSON(try line(within: max(0, deadline.timeIntervalSinceNow)).utf8)
      if object.text("class") == name { return object }
    }
  }

  /// Whether the other side closes within so many seconds; what comes until then is thrown away.
  func isClosed(within seconds: Double) -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      do {
        buffer = []
        try receive(until: deadline)
      } catch { return (error as? End) == .closed }
    }
  }

  private func receive(until deadline: Date) throws {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let left = max(0, deadline.timeIntervalSinceNow)
    guard poll(&state, 1, Int32(left * 1000) + 1) > 0 else { throw End.timeout }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { throw End.closed }
    buffer.append(contentsOf: chunk.prefix(count))
  }
}
