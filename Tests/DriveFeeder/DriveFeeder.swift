import CLibrary
import Drives
import Navigation
import SensorEvents
import Sensors
import TestParts

/// `drive-feeder DRIVE TIMES SECONDS UDP-PORT IIOD-PORT...`: plays a drive folder, again and again, for so
/// many seconds, with so many times the rates of its IMU and receiver: to a gpsd that listens at the UDP
/// port, as a u-blox receiver, and to the clients of servers of iiod's protocol, one at each port. Between
/// the drive's samples lie samples on straight lines.
///
/// Parts of a soak (scripts/soak): it prints nothing but what goes wrong.
@main
enum DriveFeeder {
  static func main() throws {
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(2).map { Int($0) ?? -1 }
    guard numbers.count >= 4, numbers.allSatisfy({ $0 > 0 }), numbers.dropFirst(2).allSatisfy({ $0 < 65_536 })
    else {
      print("usage: drive-feeder DRIVE TIMES SECONDS UDP-PORT IIOD-PORT...")
      exit(64)
    }
    let drive = try FedDrive(arguments[1], times: numbers[0])
    var device = IIODDevice.imu(
      rate: 100 * numbers[0], accelScale: "0.000001", gyroScale: "0.0000001", bits: 32)
    device.attributes["sampling_frequency_available"] = "100 \(100 * numbers[0])"
    let servers = try numbers.dropFirst(3).map { try IIODServer([device], port: UInt16($0)) }
    let gpsd = try DatagramPeer(port: UInt16(numbers[2]))
    let end = HostClock.now().advanced(bySeconds: Double(numbers[1]))
    while HostClock.now() < end { play(drive, device, servers, gpsd, until: end) }
    for server in servers { server.stop() }
  }

  /// Plays the drive once.
  private static func play(
    _ drive: FedDrive, _ device: IIODDevice, _ servers: [IIODServer], _ gpsd: DatagramPeer,
    until end: Timestamp
  ) {
    let realtime = HostClock.read(.realtime)
    let host = HostClock.now()
    let utc = Timestamp(seconds: (realtime.seconds + 1).rounded(.up))
    let zero = Timestamp(nanoseconds: host.nanoseconds + utc.nanoseconds - realtime.nanoseconds)
    var (rates, fixes) = (drive.inertial[...], drive.fixes[...])
    while let rate = rates.first {
      let now = HostClock.now()
      guard now < end else { return }
      while let next = rates.first, zero.advanced(bySeconds: next.time.seconds) <= now {
        let raw = device.raw(
          force: next.specificForce, rate: next.angularRate,
          time: Timestamp(nanoseconds: zero.nanoseconds + next.time.nanoseconds))
        for server in servers { server.push(raw) }
        rates.removeFirst()
      }
      while let next = fixes.first, zero.advanced(bySeconds: next.time.seconds + 0.1) <= now {
        gpsd.send(DriveAsUBX.messages(next, unix: utc.nanoseconds + next.time.nanoseconds))
        fixes.removeFirst()
      }
      let left = rate.time.seconds - HostClock.now().seconds(since: zero)
      if left > 0 { usleep(UInt32(min(left, 1) * 1e6) + 1) }
    }
  }
}

/// A drive with times that begin at 0, at many times its rates.
struct FedDrive {
  private(set) var inertial: [InertialSample] = []
  private(set) var fixes: [GNSSFix] = []

  init(_ path: String, times: Int) throws {
    var stream = try DriveReader(path: path).samples()
    while let sample = try stream.next() {
      switch sample {
      case .inertial(let sample): add(sample, times)
      case .gnss(let fix): add(fix, times)
      case .wheel, .pressure: break
      }
    }
  }

  private mutating func add(_ sample: InertialSample, _ times: Int) {
    if let last = inertial.last {
      for i in 1..<times {
        let part = Double(i) / Double(times)
        inertial.append(
          InertialSample(
            time: Self.between(last.time, sample.time, part),
            angularRate: last.angularRate + (sample.angularRate - last.angularRate) * part,
            specificForce: last.specificForce + (sample.specificForce - last.specificForce) * part))
      }
    }
    inertial.append(sample)
  }

  private mutating func add(_ fix: GNSSFix, _ times: Int) {
    if let last = fixes.last, let v = last.velocityNED, let w = fix.velocityNED {
      let step = fix.position.ned(from: last.position)
      for i in 1..<times {
        let part = Double(i) / Double(times)
        var between = fix
        between.time = Self.between(last.time, fix.time, part)
        between.position = last.position.moved(byNED: step * part)
        between.velocityNED = v + (w - v) * part
        fixes.append(between)
      }
    }
    fixes.append(fix)
  }

  private static func between(_ a: Timestamp, _ b: Timestamp, _ part: Double) -> Timestamp {
    Timestamp(nanoseconds: a.nanoseconds + Int64(Double(b.nanoseconds - a.nanoseconds) * part))
  }
}

/// Who listens to datagrams at a port of the loopback.
final class DatagramPeer {
  private let socket: Int32

  init(port: UInt16) throws {
    socket = CLibrary.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let socket = socket
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw IIODFailure(text: "no datagrams to port \(port): error \(errno)") }
  }

  deinit { close(socket) }

  /// Sends a datagram; nobody there is no error.
  func send(_ bytes: [UInt8]) { _ = CLibrary.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
}
