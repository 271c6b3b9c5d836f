import Location
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prometheus's text format on the loopback: one connection at a time, and not for long.
public final class MetricsServer: Sendable {
  /// Where it listens.
  public let port: UInt16
  private let descriptor: Int32
  private let isStopping = Mutex(false)

  /// Listens on 127.0.0.1; port 0 lets the kernel choose.
  public init(port: UInt16) throws(LocationError) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          ? getsockname(descriptor, $0, &length) : -1
      }
    }
    guard code == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw .serviceUnreachable("127.0.0.1:\(port): \(reason)")
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Answers every request with what `text` gives at that time.
  public func start(_ text: @escaping @Sendable () -> String) {
    PlainThread.start { [self] in
      while !isStopping.withLock({ $0 }) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 200) > 0 else { continue }
        let client = accept(descriptor, nil, nil)
        if client < 0 { pause(milliseconds: 100) } else { answer(client, text()) }
      }
    }
  }

  /// Ends within a quarter of a second.
  public func stop() { isStopping.withLock { $0 = true } }

  private func answer(_ client: Int32, _ text: String) {
    defer { close(client) }
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 2048)
    // A second for the request, whatever it is; its first line is enough.
    for _ in 0..<10 where !request.contains(10) && request.count < 4096 {
      var polled = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, 100)
      switch UnixSocket.read(client, into: &buffer) {
      case .moved(let count): request += buffer[..<count]
      case .ended: return
      case .wait: break
      }
    }
    let isGet = request.starts(with: "GET /metrics ".utf8) || request.starts(with: "GET / ".utf8)
    let status = isGet ? "200 OK" : "404 Not Found"
    let body = isGet ? text : "only GET /metrics\n"
    let head =
      "HTTP/1.0 \(status)\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    _ = UnixSocket.write(client, Array((head + body).utf8)[...])
    shutdown(client, Int32(SHUT_WR))
  }
}

extension HostStatistics {
  /// In Prometheus's text format.
  public var prometheus: String {
    let figures: [(String, String, String, Double)] = [
      ("connections", "gauge", "connections now", Double(connections)),
      ("accepted_total", "counter", "connections taken", Double(accepted)),
      ("refused_total", "counter", "connections refused because there were too many", Double(refused)),
      ("violations_total", "counter", "connections ended for what the client did", Double(violations)),
      ("messages_received_total", "counter", "messages taken", Double(received)),
      ("messages_sent_total", "counter", "messages sent", Double(sent)),
      ("solutions_total", "counter", "solutions taken from the engine", Double(solutions)),
      ("lost_locations", "gauge", "locations lost by the slow clients there are", Double(lostLocations)),
      ("store_failures_total", "counter", "writes that failed", Double(storeFailures)),
      (
        "worst_delivery_seconds", "gauge", "longest way from solution to sockets since the last reading",
        worstDelivery
      ),
    ]
    return figures.map { name, kind, help, value in
      "# HELP reckon_\(name) \(help)\n# TYPE reckon_\(name) \(kind)\nreckon_\(name) \(value)\n"
    }.joined()
  }

  /// One line for the log.
  public var health: String {
    let worst = (worstDelivery * 1e4).rounded() / 10
    return
      "health: \(connections) clients, \(solutions) solutions, \(sent) messages sent, worst delivery \(worst) ms, \(refused) refused, \(violations) violations, \(storeFailures) failed writes"
  }
}
