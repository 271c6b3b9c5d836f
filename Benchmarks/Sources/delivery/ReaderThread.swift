import Location
import LocationService
import Navigation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The protocol by hand, as a program in any language speaks it.
struct ClientSocket {
  let descriptor: Int32
  let name: String

  init(_ path: String, name: String) throws {
    self.name = name
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw LocationError.serviceUnreachable(path) }
    say(#"{"type":"hello","version":1,"name":"\#(name)","purpose":"measures"}"#)
    say(#"{"type":"start","session":1}"#)
  }

  func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// Reads all clients on one thread, and notes when each was told what.
final class ReaderThread: Sendable {
  private struct State {
    var isStopping = false
    var deliveries: [Int] = []
    /// When a client read that it is denied, since its authorization was revoked.
    var denied: Timestamp?
    var revoked: Int?
    var toldAfterDenial = 0
  }

  private let clients: [ClientSocket]
  private let state = Mutex(State())

  init(_ clients: [ClientSocket]) { self.clients = clients }

  /// Nanoseconds from each location's being published to its being read, since the last taking.
  func takeDeliveries() -> [Int] {
    state.withLock { state in
      defer { state.deliveries = [] }
      return state.deliveries
    }
  }

  /// Locations that clients were told while they were denied.
  var toldAfterDenial: Int { state.withLock { $0.toldAfterDenial } }

  /// Revokes a client's authorization, and lets it again half a second later: nanoseconds until it
  /// had read that it is denied.
  func revoke(_ index: Int, _ host: LocationHost) -> Int? {
    let identity = ClientIdentity(name: clients[index].name, user: getuid())
    state.withLock { ($0.denied, $0.revoked) = (nil, index) }
    let began = BootClock.now()
    host.decide(.init(.denied), for: identity)
    // Long enough for three locations that must not come.
    usleep(300_000)
    let denied = state.withLock { state in
      defer { state.revoked = nil }
      return state.denied
    }
    host.decide(nil, for: identity)
    clients[index].say(#"{"type":"start","session":1}"#)
    return denied.map { Int($0.nanoseconds - began.nanoseconds) }
  }

  func start() { thread { [self] in run() } }

  /// Ends, and closes all connections.
  func stop() { state.withLock { $0.isStopping = true } }

  private func run() {
    let (told, failed) = (Array(#"{"type":"locations""#.utf8), Array(#"{"type":"failed""#.utf8))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !state.withLock({ $0.isStopping }) {
      var polled = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), 100) > 0 else { continue }
      for (index, item) in polled.enumerated() where item.revents != 0 {
        let count = max(0, read(item.fd, &buffer, buffer.count))
        let now = BootClock.now()
        // Lines of this size come whole.
        for line in buffer[..<count].split(separator: 10) {
          if line.starts(with: failed) {
            state.withLock { if $0.revoked == index { $0.denied = $0.denied ?? now } }
          } else if line.starts(with: told), let then = Self.timestamp(in: line) {
            state.withLock {
              $0.deliveries.append(Int(now.nanoseconds - then))
              if $0.revoked == index, $0.denied != nil { $0.toldAfterDenial += 1 }
            }
          }
        }
      }
    }
    for client in clients { close(client.descriptor) }
  }

  /// The number after `"timestamp":`, quickly: what a line costs here counts as the service's delay.
  private static func timestamp(in line: ArraySlice<UInt8>) -> Int64? {
    let mark = Array(#""timestamp":"#.utf8)
    return line.withUnsafeBytes { bytes in
      for start in 0..<max(0, bytes.count - mark.count)
      where bytes[start] == mark[0] && bytes[start + 1] == mark[1]
        && bytes[start..<start + mark.count].elementsEqual(mark)
      {
        let digits = bytes[(start + mark.count)...].prefix { (48...57).contains($0) }
        return digits.reduce(0) { $0 * 10 + Int64($1) - 48 }
      }
      return nil
    }
  }
}
