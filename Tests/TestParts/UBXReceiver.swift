import CLibrary
import Navigation
import SensorEvents
import Sensors

/// A receiver that stands still and speaks u-blox's protocol on a pseudo-terminal: a NAV-PVT at each epoch,
/// and it keeps to the rate that it is set to by CFG-RATE.
package final class UBXReceiver: Sendable {
  /// The terminal that gpsd opens.
  package let path: String
  private let controller: Int32
  /// Held open, so that the terminal outlives gpsd's opening and closing it.
  private let terminal: Int32
  private let state: Guarded<State>
  private let thread: ReaderThread

  private struct State {
    var interval: Double
    var settings: [Double] = []
  }

  /// Reports `interval` seconds apart, until it is told otherwise; of a fix, or of none.
  package init(interval: Double, hasFix: Bool = true) throws {
    // What posix_openpt, unlockpt and ptsname do on Linux.
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var (unlocked, number): (Int32, UInt32) = (0, 0)
    guard controller >= 0, ioctl(controller, UInt(0x4004_5431), &unlocked) == 0,
      ioctl(controller, UInt(0x8004_5430), &number) == 0
    else { throw IIODFailure(text: "no pseudo-terminal") }
    path = "/dev/pts/\(number)"
    // gpsd gives up root before it opens it.
    chmod(path, 0o666)
    terminal = open(path, O_RDWR | O_NOCTTY)
    var raw = termios()
    tcgetattr(terminal, &raw)
    cfmakeraw(&raw)
    tcsetattr(terminal, TCSANOW, &raw)
    state = Guarded(State(interval: interval))
    thread = try ReaderThread(name: "ubx")
    try thread.start { [controller, state] stop in
      var next = HostClock.read(.realtime).seconds.rounded(.up)
      var commands: [UInt8] = []
      while stop.wait(atMost: max(0, next - HostClock.read(.realtime).seconds)) != .stopped {
        let fix = Self.message(0x01, 0x07, Self.navPVT(unix: next, hasFix: hasFix))
        _ = write(controller, fix, fix.count)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(controller, &bytes, bytes.count)
        commands += bytes.prefix(max(0, count))
        while let interval = Self.nextRate(&commands) {
          state.withLock { ($0.interval, $0.settings) = (interval, $0.settings + [interval]) }
        }
        let interval = state.withLock { $0.interval }
        next = ((next + interval) / interval).rounded() * interval
      }
    }
  }

  deinit {
    thread.stop(within: 5)
    close(terminal)
    close(controller)
  }

  /// The intervals that it was set to, in s.
  package var settings: [Double] { state.withLock { $0.settings } }

  /// Takes the first CFG-RATE out of what was written to it; nil where there is none.
  private static func nextRate(_ bytes: inout [UInt8]) -> Double? {
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: [0xb5, 0x62, 0x06, 0x08]) }),
      start + 8 <= bytes.count
    else {
      bytes = bytes.suffix(7)
      return nil
    }
    let milliseconds = Int(bytes[start + 6]) | Int(bytes[start + 7]) << 8
    bytes.removeFirst(start + 8)
    return milliseconds > 0 ? Double(milliseconds) / 1000 : nextRate(&bytes)
  }

  /// A message with its checksum.
  private static func message(_ kind: UInt8, _ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body = [kind, number, UInt8(payload.count & 0xff), UInt8(payload.count >> 8)] + payload
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xb5, 0x62] + body + [a, b]
  }

  /// Position, velocity and time by the protocol's table: little-endian, degrees in 1e-7, millimetres.
  private static func navPVT(unix: Double, hasFix: Bool) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 92)
    func put(_ value: Int, at place: Int, _ width: Int) {
      for i in 0..<width { bytes[place + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
    }
    var seconds = time_t(unix.rounded(.down))
    var calendar = tm()
    gmtime_r(&seconds, &calendar)
    // GPS time began on 1980-01-06 and is 18 s ahead of UTC.
    let milliseconds = Int((unix * 1000).rounded()) - 315_964_800_000 + 18_000
    put(milliseconds % 604_800_000, at: 0, 4)
    put(Int(calendar.tm_year) + 1900, at: 4, 2)
    put(Int(calendar.tm_mon) + 1, at: 6, 1)
    put(Int(calendar.tm_mday), at: 7, 1)
    put(Int(calendar.tm_hour), at: 8, 1)
    put(Int(calendar.tm_min), at: 9, 1)
    put(Int(calendar.tm_sec), at: 10, 1)
    put(0x37, at: 11, 1)  // date, time and leap seconds are known
    put(20, at: 12, 4)
    put(Int(((unix - Double(seconds)) * 1e9).rounded()), at: 16, 4)
    put(hasFix ? 3 : 0, at: 20, 1)  // three dimensions
    put(hasFix ? 0x01 : 0, at: 21, 1)
    put(hasFix ? 9 : 0, at: 23, 1)
    put(130_000_000, at: 24, 4)
    put(525_000_000, at: 28, 4)
    put(80_500, at: 32, 4)
    put(40_500, at: 36, 4)
    put(2000, at: 40, 4)
    put(3000, at: 44, 4)
    put(100, at: 68, 4)
    put(100, at: 76, 2)
    return bytes
  }
}
