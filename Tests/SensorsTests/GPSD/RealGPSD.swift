import Glibc

/// A real gpsd on a private port, fed from a port of the test. Without `-n` it connects to its source once a client watches, so
/// that nothing is lost.
final class RealGPSD {
  static let path = "/usr/sbin/gpsd"
  static var isInstalled: Bool { access(path, X_OK) == 0 }

  let port: UInt16
  private let sources: [String]
  private var process: ChildProcess

  init(sources: [String]) throws {
    self.sources = sources
    port = try Listener.freePort()
    process = try Self.run(port, sources)
  }

  /// As a crash would.
  func kill() { process.kill() }

  /// Again at the same port.
  func restart() throws { process = try Self.run(port, sources) }

  private static func run(_ port: UInt16, _ sources: [String]) throws -> ChildProcess {
    // A shared memory segment of its own, so as not to meddle with another gpsd.
    let key = "0x\(String(0x5252_0000 + Int(port), radix: 16))"
    return try ChildProcess(
      path, ["-N", "-b", "-S", String(port)] + sources, environment: ["GPSD_SHM_KEY": key])
  }
}
