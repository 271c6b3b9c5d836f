// 100 clients of the location service at 10 Hz and one that never reads: how long from a solution's being published until each client has read it,
// how much memory the stopped one costs, and how late a thread of 100 Hz (the fusion thread's rate) is meanwhile.
//   swift run -c release --package-path Benchmarks delivery [SECONDS]
import Location
import LocationService
import Measuring
import Navigation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum Delivery {
  static let clients = 100
  static let rate = 10.0

  static func main() throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 30
    let path = "/tmp/reckon-delivery-\(getpid()).sock"
    var configuration = LocationHost.Configuration()
    configuration.socket = path
    let hub = Hub(policy: AuthorizationPolicy(trustedUser: getuid()))
    let host = try LocationHost(hub: hub, configuration: configuration)
    try host.start()
    defer { host.stop(within: 5) }

    print("alone:            100 Hz thread late by \(describe(Ticker.measure(seconds: 5)))")
    let stopped = try RawClient.connect(path)
    let readers = try (0..<clients).map { _ in try RawClient.connect(path) }
    let before = residentBytes()
    let ticks = Mutex<[Int]>([])
    let isOver = Mutex(false)
    thread { ticks.withLock { $0 = Ticker.measure(seconds: seconds) } }
    let published = Mutex(0)
    thread {
      let start = BootClock.now()
      for i in 0..<Int(seconds * rate) {
        let due = start.advanced(bySeconds: Double(i) / rate)
        usleep(UInt32(max(0, due.seconds(since: BootClock.now())) * 1e6))
        host.publish(.init(location: location(i), sources: 1), utc: BootClock.utc())
        published.withLock { $0 += 1 }
      }
      sleep(1)
      isOver.withLock { $0 = true }
    }
    let latencies = RawClient.readAll(readers) { isOver.withLock { $0 } }
    let after = residentBytes()
    let count = published.withLock { $0 }
    print("with \(clients) clients: 100 Hz thread late by \(describe(ticks.withLock { $0 }))")
    print("solution to client read: \(describe(latencies))")
    print(
      "delivered \(latencies.count) of \(count * clients); the stopped client lost \(host.takeStatistics().lostLocations)"
    )
    print("memory: \(before / 1024) KiB before, \(after / 1024) KiB after")
    close(stopped)
    let p99 = Distribution(latencies).p99
    print(p99 <= 20_000_000 ? "p99 is within 20 ms" : "p99 IS ABOVE 20 ms")
  }

  private static func location(_ i: Int) -> Location {
    var location = Location(
      coordinate: Coordinate(latitudeDegrees: 48 + Double(i) * 1e-5, longitudeDegrees: 11),
      horizontalAccuracy: 3, timestamp: BootClock.now(), utc: BootClock.utc(), sources: [.gnss, .inertial])
    (location.speed, location.signedSpeed, location.speedAccuracy) = (11, 11, 0.1)
    (location.courseDegrees, location.courseAccuracyDegrees) = (0, 1)
    (location.headingDegrees, location.headingAccuracyDegrees) = (0, 1)
    return location
  }

  private static func describe(_ nanoseconds: [Int]) -> String {
    let d = Distribution(nanoseconds)
    func ms(_ value: Int) -> String { "\(Double(value / 1000) / 1000)" }
    return "P50 \(ms(d.p50)) P99 \(ms(d.p99)) P99.9 \(ms(d.p999)) max \(ms(d.max)) ms (n \(d.count))"
  }

  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let text = String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
  }
}

/// Runs `body` on a thread of the system's.
func thread(_ body: @escaping @Sendable () -> Void) {
  final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(Body(body)).toOpaque())
}

/// Wakes a hundred times a second and notes by how much too late, in nanoseconds.
enum Ticker {
  static func measure(seconds: Double) -> [Int] {
    let start = BootClock.now()
    return (1...Int(seconds * 100)).map { i in
      let due = start.advanced(bySeconds: Double(i) / 100)
      usleep(UInt32(max(0, due.seconds(since: BootClock.now())) * 1e6))
      return max(0, Int(BootClock.now().nanoseconds - due.nanoseconds))
    }
  }
}

/// The protocol by hand, as a program in any language speaks it.
enum RawClient {
  static func connect(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw LocationError.serviceUnreachable(path) }
    let hello = Array(
      """
      {"type":"hello","version":1,"name":"bench","purpose":"measures"}
      {"type":"start","session":1}

      """.utf8)
    _ = write(descriptor, hello, hello.count)
    return descriptor
  }

  /// Reads all of them on this thread until it is over: nanoseconds from each location's own time to its being read.
  static func readAll(_ descriptors: [Int32], until isOver: () -> Bool) -> [Int] {
    let key = Array("\"locations\":[".utf8)
    let mark = Array("\"timestamp\":".utf8)
    var latencies: [Int] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isOver() {
      var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), 100) > 0 else { continue }
      for item in polled where item.revents != 0 {
        let count = max(0, read(item.fd, &buffer, buffer.count))
        let now = BootClock.now().nanoseconds
        // Lines of this size come whole.
        for line in buffer[..<count].split(separator: 10) where line.firstRange(of: key) != nil {
          guard let found = line.firstRange(of: mark) else { continue }
          let digits = line[found.upperBound...].prefix { (48...57).contains($0) }
          if let then = Int64(String(decoding: digits, as: UTF8.self)) { latencies.append(Int(now - then)) }
        }
      }
    }
    return latencies
  }
}
