import CLibrary
import LocationService
import Navigation

/// The page for Prometheus, asked by hand.
enum MetricsPage {
  /// A connection; -1 where nobody listens.
  static func connect(_ port: UInt16, _ address: UInt32 = 0x7F00_0001) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var to = sockaddr_in()
    to.sin_family = sa_family_t(AF_INET)
    to.sin_port = port.bigEndian
    to.sin_addr.s_addr = address.bigEndian
    let code = withUnsafePointer(to: to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        CLibrary.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code == 0 { return descriptor }
    close(descriptor)
    return -1
  }

  /// All that is answered until the connection ends; nil if it did not within 10 s.
  static func answer(_ descriptor: Int32, to request: String) -> String? {
    defer { close(descriptor) }
    let bytes = Array(request.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    let end = BootClock.now().advanced(bySeconds: 10)
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let left = end.seconds(since: BootClock.now()), left > 0 {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(left * 1000) + 1) > 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
    return nil
  }

  /// What stands on the page at `port`; nil where nobody answers.
  static func text(_ port: UInt16) -> String? {
    let connection = connect(port)
    guard connection >= 0 else { return nil }
    let said = answer(connection, to: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    return said?.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init)
  }

  /// Whether `line` stands on the page at `port` within so many seconds.
  static func shows(_ line: String, at port: UInt16, within seconds: Double) -> Bool {
    let end = BootClock.now().advanced(bySeconds: seconds)
    repeat {
      if text(port)?.contains(line) == true { return true }
      usleep(50_000)
    } while BootClock.now() < end
    return false
  }
}
