import CLibrary

/// A real gpsd on a private port, fed from a port of the test. Without `-n` it connects to its source once a
/// client watches, so that nothing is lost.
package final class RealGPSD {
  package static let path = "/usr/sbin/gpsd"
  package static var isInstalled: Bool { access(path, X_OK) == 0 }

  package let port: UInt16
  private let sources: [String]
  private let isReadOnly: Bool
  private var process: ChildProcess

  /// Reads `sources`, and writes to receivers only if it is not `isReadOnly`.
  package init(sources: [String], isReadOnly: Bool = true) throws {
    self.sources = sources
    self.isReadOnly = isReadOnly
    port = try Listener.freePort()
    process = try Self.run(port, sources, isReadOnly)
  }

  /// As a crash would.
  package func kill() { process.kill() }

  /// Again at the same port.
  package func restart() throws { process = try Self.run(port, sources, isReadOnly) }

  private static func run(_ port: UInt16, _ sources: [String], _ isReadOnly: Bool) throws -> ChildProcess {
    // A shared memory segment of its own, so as not to meddle with another gpsd.
    let key = "0x\(String(0x5252_0000 + Int(port), radix: 16))"
    return try ChildProcess(
      path, ["-N", "-F", control(port), "-S", String(port)] + (isReadOnly ? ["-b"] : []) + sources,
      environment: ["GPSD_SHM_KEY": key])
  }

  private static func control(_ port: UInt16) -> String { "/tmp/reckon-test-gpsd-\(port).socket" }

  deinit {
    process.kill()
    unlink(Self.control(port))
  }

  /// Tells gpsd that a source has come (`+`) or gone (`-`), as the system does when something is
  /// plugged; whether it agrees.
  package func announce(_ sign: String, _ source: String) -> Bool {
    let socket = CLibrary.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    let isConnected = sockaddr_un(path: Self.control(port))?.withAddress { connect(socket, $0, $1) } == 0
    let request = Array("\(sign)\(source)\r\n".utf8)
    guard isConnected, write(socket, request, request.count) == request.count else { return false }
    var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    var answer = [UInt8](repeating: 0, count: 64)
    guard poll(&ready, 1, 5000) == 1, read(socket, &answer, answer.count) > 0 else { return false }
    return String(decoding: answer, as: UTF8.self).hasPrefix("OK")
  }
}
