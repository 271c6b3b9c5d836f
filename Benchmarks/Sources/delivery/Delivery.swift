// 100 clients of the location service at 10 Hz and one that never reads, beside an engine that fuses a drive
// as fast as it was driven: how long from a solution's being published until each client has read it, how
// long from revoking a client's authorization until it has read that it is denied, how much memory it costs,
// and what a sample costs the engine meanwhile, against the same engine alone.
//   swift run -c release --package-path Benchmarks delivery [SECONDS]
// It takes twice the SECONDS, 30 if not given, and a minute for the revocations.
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
  static let revocations = 200

  static func main() throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 30
    let path = "/tmp/reckon-delivery-\(getpid()).sock"
    var configuration = LocationHost.Configuration()
    configuration.socket = path
    let host = LocationHost(
      hub: Hub(policy: AuthorizationPolicy(trustedUser: getuid())), configuration: configuration)
    try host.start()
    defer { host.stop(within: 5) }

    let engine = try FusionRunner(host)
    engine.start()
    sleep(UInt32(seconds / 2))
    var alone = engine.take()

    let before = residentBytes()
    let stopped = try ClientSocket(path, name: "stopped")
    let readers = try ReaderThread((0..<clients).map { try ClientSocket(path, name: "bench-\($0)") })
    readers.start()
    sleep(1)
    _ = (engine.take(), readers.takeDeliveries())
    sleep(UInt32(seconds))
    let deliveries = readers.takeDeliveries()
    let crowded = engine.take()
    let after = residentBytes()
    let lost = host.takeStatistics().lostLocations

    let denials = (0..<revocations).compactMap { readers.revoke($0 % clients, host) }
    let late = readers.toldAfterDenial
    close(stopped.descriptor)
    readers.stop()
    sleep(1)
    _ = engine.take()
    sleep(UInt32(seconds / 2))
    alone = alone + engine.take()

    print("solution to client read: \(describe(deliveries, .milliseconds))")
    print("  \(deliveries.count) of \(crowded.published * clients); the stopped client lost \(lost)")
    print("revocation to client read: \(describe(denials, .milliseconds))")
    print("  \(denials.count) of \(revocations); \(late) locations came after it")
    print("memory: \(before / 1024) KiB before, \(after / 1024) KiB after")
    for (what, alone, crowded) in [
      ("a sample costs the engine", alone.costs, crowded.costs),
      ("an IMU sample comes to it late by", alone.lateness, crowded.lateness),
    ] {
      print("\(what), alone:  \(describe(alone, .microseconds))")
      print("\(what), with \(clients): \(describe(crowded, .microseconds))")
      print("  P50 x \(ratio(crowded, alone, \.p50)), P99 x \(ratio(crowded, alone, \.p99))")
    }
    let isQuick = Distribution(deliveries).p99 <= 20_000_000
    let isSevere = (denials.max() ?? .max) <= 100_000_000 && denials.count == revocations && late == 0
    print(isQuick ? "p99 is within 20 ms" : "p99 IS ABOVE 20 ms")
    print(isSevere ? "each revocation is within 100 ms" : "A REVOCATION IS NOT WITHIN 100 ms")
  }

  enum Unit: Double { case milliseconds = 1e6, microseconds = 1e3 }

  private static func describe(_ nanoseconds: [Int], _ unit: Unit) -> String {
    guard !nanoseconds.isEmpty else { return "none" }
    let d = Distribution(nanoseconds)
    func text(_ value: Int) -> String { "\((Double(value) / unit.rawValue * 100).rounded() / 100)" }
    let name = unit == .milliseconds ? "ms" : "us"
    return
      "P50 \(text(d.p50)) P99 \(text(d.p99)) P99.9 \(text(d.p999)) max \(text(d.max)) \(name) (n \(d.count))"
  }

  private static func ratio(_ a: [Int], _ b: [Int], _ part: (Distribution) -> Int) -> Double {
    guard !a.isEmpty, !b.isEmpty else { return .nan }
    return (Double(part(Distribution(a))) / Double(max(1, part(Distribution(b)))) * 100).rounded() / 100
  }

  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let text = String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
  }
}
