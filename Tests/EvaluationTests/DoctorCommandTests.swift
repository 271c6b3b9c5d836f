import CLibrary
import Foundation
import TestParts
import Testing

/// `reckon doctor` against real sockets, a real gpsd and libiio.
@Suite(
  .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Tool.path != nil, "the reckon binary is not beside the tests"),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct DoctorCommandTests {
  private struct Verdict {
    var status: Int32
    /// Grade, text and remedy, by subject.
    var findings: [(subject: String, grade: String, text: String, remedy: String)]

    /// Whether there is a finding with these words, and with a remedy unless it is good.
    func has(_ subject: String, _ grade: String, _ words: String = "") -> Bool {
      findings.contains {
        $0.subject == subject && $0.grade == grade && (words.isEmpty || $0.text.contains(words))
          && (grade == "good" || !$0.remedy.isEmpty)
      }
    }
  }

  private func doctor(gpsd: String, imu: String, _ more: [String] = ["--duration", "2"]) throws -> Verdict {
    let run = try Tool.run(["doctor", "--json", "--gpsd", gpsd, "--imu", imu] + more)
    let document =
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
    let rows = document["findings"] as? [[String: String]] ?? []
    #expect(document["usable"] as? Bool == (run.status == 0))
    return Verdict(
      status: run.status,
      findings: rows.map {
        ($0["subject"] ?? "", $0["grade"] ?? "", $0["text"] ?? "", $0["remedy"] ?? "")
      })
  }

  private func imu(
    _ devices: [IIODDevice] = [.imu()],
    _ change: @escaping @Sendable (inout [Int64], Int) -> Void = { _, _ in },
    _ body: (String) throws -> Verdict
  ) throws -> Verdict {
    let server = try IIODServer(devices)
    defer { server.stop() }
    let feed = try IMUFeed(server, change: change)
    defer { feed.stop() }
    return try body(server.uri)
  }

  // MARK: What hangs

  /// Both accept, and neither ever says anything.
  @Test func muteServersAreNamedWithinTenSeconds() throws {
    let (gpsd, iiod) = (try Listener(), try Listener())
    let began = ContinuousClock.now
    let verdict = try doctor(gpsd: "127.0.0.1:\(gpsd.port)", imu: "ip:127.0.0.1:\(iiod.port)", [])
    // The promise of the command, at its own duration.
    #expect(ContinuousClock.now - began < .seconds(10))
    #expect(verdict.status == 1)
    #expect(verdict.has("gpsd", "fault", "accepts connections and says nothing"), "\(verdict)")
    #expect(verdict.has("IMU", "fault", "ip:127.0.0.1:\(iiod.port) does not answer in time"))
    #expect(verdict.findings.count == 2, "each is said once: \(verdict.findings)")
  }

  /// A host that drops what is sent to it.
  @Test func deadHostsAreNamedWithinTenSeconds() throws {
    let dead = try DeadPort()
    let began = ContinuousClock.now
    let verdict = try doctor(gpsd: "127.0.0.1:\(dead.port)", imu: "ip:127.0.0.1:\(dead.port)", [])
    #expect(ContinuousClock.now - began < .seconds(10))
    #expect(verdict.status == 1 && verdict.has("gpsd", "fault", "nothing comes back"), "\(verdict)")
    #expect(verdict.has("IMU", "fault", "does not answer in time"))
  }

  /// It answers all but the request for samples, which is what its reader waits for.
  @Test func anIMUThatHoldsItsSamplesBackIsNamed() throws {
    let server = try IIODServer([.imu()])
    defer { server.stop() }
    server.set(.silentReads)
    let verdict = try doctor(gpsd: "none", imu: server.uri)
    #expect(verdict.status == 1 && verdict.has("gyro", "good", "bmi160"), "\(verdict)")
    #expect(verdict.findings.contains { $0.subject == "IMU" && $0.grade == "fault" })
  }

  // MARK: gpsd

  @Test func nobodyAtThePortOfGPSD() throws {
    let verdict = try doctor(gpsd: "127.0.0.1:\(try Listener.freePort())", imu: "none", ["--duration", "1"])
    #expect(verdict.status == 1 && verdict.findings.count == 1)
    #expect(verdict.has("gpsd", "fault", "nobody listens"))
    #expect(verdict.findings[0].remedy.contains("install and start gpsd"))
  }

  @Test func aGPSDWithoutReceiver() throws {
    let gpsd = try RealGPSD(sources: [])
    defer { gpsd.kill() }
    #expect(becomesTrue(within: 10) { (try? Probe(port: gpsd.port)) != nil })
    let verdict = try doctor(gpsd: "127.0.0.1:\(gpsd.port)", imu: "none")
    #expect(verdict.status == 1 && verdict.has("gpsd", "good", "gpsd 3."), "\(verdict)")
    #expect(verdict.has("gpsd", "fault", "it has no receiver") && verdict.findings.count == 2)
    let named = try doctor(gpsd: "127.0.0.1:\(gpsd.port):/dev/ttyX", imu: "none")
    #expect(named.status == 1 && named.has("gpsd", "fault", "it does not know /dev/ttyX; it knows none"))
  }

  @Test func aReceiverWithoutFixCanBeUsed() throws {
    let receiver = try UBXReceiver(interval: 0.5, hasFix: false)
    let gpsd = try RealGPSD(sources: [receiver.path])
    defer { gpsd.kill() }
    let verdict = try withExtendedLifetime(receiver) {
      try doctor(gpsd: "127.0.0.1:\(gpsd.port)", imu: "none", ["--duration", "4"])
    }
    #expect(verdict.status == 0 && verdict.has("gpsd", "good", "(u-blox)"), "\(verdict)")
    #expect(verdict.has("receiver", "advice", "has no fix"))
  }

  @Test func twoReceiversAndTwoIMUs() throws {
    let receivers = [try UBXReceiver(interval: 0.2), try UBXReceiver(interval: 0.2)]
    let gpsd = try RealGPSD(sources: receivers.map(\.path))
    defer { gpsd.kill() }
    var other = IIODDevice.imu(id: "iio:device1")
    other.name = "icm20602"
    let verdict = try withExtendedLifetime(receivers) {
      try imu([.imu(), other]) { uri in
        try doctor(gpsd: "127.0.0.1:\(gpsd.port)", imu: uri, ["--duration", "5"])
      }
    }
    #expect(verdict.status == 0 && verdict.has("gpsd", "advice", "it has 2 receivers"), "\(verdict)")
    #expect(verdict.has("IMU", "advice", "there are 2: bmi160 (iio:device0), icm20602 (iio:device1)"))
    #expect(verdict.findings.contains { $0.remedy.hasSuffix(",icm20602") })
    #expect(verdict.has("receiver", "good") && verdict.has("gravity", "good"))
  }

  // MARK: IMU

  @Test func noIIOServer() throws {
    let port = try Listener.freePort()
    let verdict = try doctor(gpsd: "none", imu: "ip:127.0.0.1:\(port)", ["--duration", "1"])
    #expect(verdict.status == 1 && verdict.findings.count == 1, "\(verdict)")
    #expect(verdict.has("IMU", "fault", "Connection refused"))
  }

  @Test func aWrongScaleOfTheAccelerometer() throws {
    let verdict = try imu([.imu(accelScale: "0.0006")]) { try doctor(gpsd: "none", imu: $0) }
    #expect(verdict.status == 1 && verdict.has("gravity", "fault", "factor of 0.50"), "\(verdict)")
    let none = try imu([.imu(accelScale: "0")]) { try doctor(gpsd: "none", imu: $0) }
    #expect(none.status == 1 && none.findings.contains { $0.text.contains("scale is zero") }, "\(none)")
  }

  @Test func ratesOfTheGyroscopeThatCannotBe() throws {
    let turning = try imu([.imu()], { values, _ in values[3] = 3000 + values[3] }) {
      try doctor(gpsd: "none", imu: $0)
    }
    #expect(turning.status == 1 && turning.has("gyroscope", "fault", "that cannot be"), "\(turning)")
    // In degrees: its noise is 57 times as large.
    let noisy = try imu([.imu(gyroScale: "0.061")]) { try doctor(gpsd: "none", imu: $0) }
    #expect(noisy.status == 1 && noisy.has("gyroscope", "fault", "noise at rest"), "\(noisy)")
  }

  @Test func jitterOfTheTimes() throws {
    let verdict = try imu([.imu()], { $0[6] += $1 % 2 == 0 ? 4_000_000 : 0 }) {
      try doctor(gpsd: "none", imu: $0)
    }
    #expect(verdict.status == 0 && verdict.has("IMU clock", "advice", "off by more than"), "\(verdict)")
  }

  @Test func anIMUThatHasToBePolled() throws {
    var device = IIODDevice.imu()
    device.trigger = ""
    let verdict = try imu([device]) { try doctor(gpsd: "none", imu: $0) }
    #expect(verdict.findings.contains { $0.subject == "IMU" && $0.text.contains("asked for one by one") })
  }

  @Test func allIsWell() throws {
    let receiver = try UBXReceiver(interval: 0.2)
    let gpsd = try RealGPSD(sources: [receiver.path])
    defer { gpsd.kill() }
    let verdict = try withExtendedLifetime(receiver) {
      try imu { try doctor(gpsd: "127.0.0.1:\(gpsd.port)", imu: $0, ["--duration", "4"]) }
    }
    #expect(verdict.status == 0, "\(verdict)")
    for subject in ["gpsd", "receiver", "IMU", "accel", "gyro", "gravity", "gyroscope"] {
      #expect(verdict.has(subject, "good"), "\(subject): \(verdict)")
    }
  }
}

/// A connection that was made.
private struct Probe {
  init(port: UInt16) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard Loopback.connect(descriptor, port) == 0 else { throw ChildProcess.Failure(text: "nobody") }
  }
}

private enum Loopback {
  static func connect(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        CLibrary.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// A port of the loopback whose queue is full, so that the kernel drops whatever else comes.
private final class DeadPort {
  let port: UInt16
  private var descriptors: [Int32] = []

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptors = [listener]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw ChildProcess.Failure(text: "no port to listen at") }
    port = UInt16(bigEndian: address.sin_port)
    for _ in 0..<4 {
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(AF_INET, kind, 0)
      _ = Loopback.connect(descriptor, port)
      descriptors.append(descriptor)
    }
    usleep(100_000)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
