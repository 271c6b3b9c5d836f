import CompatibleOutputs
import Foundation
import TestParts
import Testing

/// A real gpsd that reads our NMEA, and says what it understood.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Part.areInstalled("gpsd")))
struct GPSDReaderTests {
  private func gpsd(_ device: String, port: Int, in folder: ScratchFolder) throws -> Part {
    // Read only (-b): it probes nothing. A shared memory segment of its own keeps other gpsds out.
    try Part(
      "gpsd", ["-N", "-n", "-b", "-S", "\(port)", device], in: folder,
      environment: ["GPSD_SHM_KEY": "0x\(String(0x5252_0000 + port, radix: 16))"])
  }

  /// Connects once it listens.
  private func client(_ gpsd: Part, port: Int) async throws -> TestClient {
    var client: TestClient?
    try await gpsd.waits(10) {
      client = client ?? TestClient(port: port)
      return client != nil
    }
    let connected = try #require(client, "\(gpsd.text)")
    connected.send("?WATCH={\"enable\":true,\"json\":true};\n")
    return connected
  }

  /// Positions that gpsd tells against those that were published at the same UTC.
  private func expectSame(
    _ client: TestClient, status: Double?, eph: Double, hertz: Double
  ) throws {
    var compared = 0
    let deadline = Date().addingTimeInterval(15)
    while compared < 20 {
      try #require(Date() < deadline, "gpsd told \(compared) positions")
      let tpv = try client.object("TPV")
      guard tpv.number("mode") == 3, let time = tpv.text("time"), tpv["track"] != nil else { continue }
      compared += 1
      let utc = try #require(Self.utc(time))
      let i = ((utc - Double(Publisher.start / 1_000_000_000)) * hertz).rounded()
      // gpsd's time is our centisecond: the position is that of the report itself.
      let latitude = Publisher.latitude(after: i / hertz)
      #expect(abs((tpv.number("lat") ?? .nan) - latitude) < 5e-7 / 60 + 1e-9)
      #expect(abs((tpv.number("lon") ?? .nan) - 11.516666667) < 5e-7 / 60 + 1e-9)
      // One decimal each for the height above the sea and the geoid's.
      #expect(abs((tpv.number("altMSL") ?? .nan) - 545.4) < 0.051)
      #expect(abs((tpv.number("altHAE") ?? .nan) - 592.3) < 0.101)
      #expect(abs((tpv.number("speed") ?? .nan) - 20) < 0.001)
      #expect(tpv.number("track") == 0)
      #expect(tpv.number("status") == status)
      #expect(abs((tpv.number("eph") ?? .nan) - eph) < 0.1)
    }
  }

  private static func utc(_ text: String) -> Double? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.date(from: text)?.timeIntervalSince1970
  }

  private func settings(_ folder: ScratchFolder) -> CompatibleOutputsSettings {
    var settings = CompatibleOutputsSettings()
    settings.gpsd = nil
    settings.nmeaSocket = .init(path: folder.path + "/nmea", permissions: 0o666)
    settings.terminal = .init(link: folder.path + "/tty", permissions: 0o666)
    return settings
  }

  @Test(arguments: [true, false]) func gpsdReadsTheTerminal(isAided: Bool) async throws {
    let folder = ScratchFolder()
    // gpsd gives up root, and must then still find the link.
    chmod(folder.path, 0o755)
    try await withOutputs(settings(folder)) { outputs in
      try await Publisher.running(outputs, hertz: 10, { $0.isAided = isAided }) {
        let port = Int(try Listener.freePort())
        let gpsd = try gpsd(folder.path + "/tty", port: port, in: folder)
        // Dead reckoning is status 5 to gpsd, an ordinary fix has none. Its error is 19 m times the
        // receiver's dilution of precision, or ours, which gives back the radius of 95 %.
        try expectSame(
          try await client(gpsd, port: port), status: isAided ? nil : 5, eph: isAided ? 19 * 0.9 : 8.928,
          hertz: 10)
      }
    }
  }

  /// gpsd has no devices on Unix sockets; it reads TCP, so the bytes are carried over.
  @Test func gpsdReadsTheSocket() async throws {
    let folder = ScratchFolder()
    try await withOutputs(settings(folder)) { outputs in
      let source = try #require(TestClient(path: folder.path + "/nmea"))
      let bridge = try #require(Bridge(from: source))
      defer { bridge.stop() }
      try await Publisher.running(outputs, hertz: 10) {
        let port = Int(try Listener.freePort())
        let gpsd = try gpsd("tcp://127.0.0.1:\(bridge.port)", port: port, in: folder)
        try expectSame(try await client(gpsd, port: port), status: nil, eph: 19 * 0.9, hertz: 10)
      }
    }
  }
}

/// Carries lines from one client to whoever connects to a port on loopback.
final class Bridge: @unchecked Sendable {
  // Unchecked: after the start only its own thread uses the descriptors; `isStopped` is under the lock.
  let port: Int
  private let listener: Int32
  private let lock = NSLock()
  private var isStopped = false
  private let done = DispatchSemaphore(value: 0)

  init?(from source: TestClient) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound, listen(listener, 1) == 0 else { return nil }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread { [self] in
      var state = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      if poll(&state, 1, 15_000) > 0 {
        let peer = accept(listener, nil, nil)
        while !lock.withLock({ isStopped }), let line = try? source.line(within: 1) {
          let bytes = Array((line + "\r\n").utf8)
          guard send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { break }
        }
        close(peer)
      }
      close(listener)
      done.signal()
    }.start()
  }

  func stop() {
    lock.withLock { isStopped = true }
    done.wait()
  }
}
