import CLibrary
import Location

/// What systemd wants to be told, and what it hands over: sd_notify(3) and sd_listen_fds(3) by
/// their documented protocol.
public struct SystemdNotifier: Sendable {
  private let path: String?
  /// Seconds within which a sign of life must come; nil where systemd does not watch.
  public let watchdog: Double?
  /// A listening socket that was handed over; nil if there is none.
  public let listener: Int32?

  /// Reads the environment of this process.
  public init() {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let isMine = { (name: String) in value(name).flatMap(Int32.init).map { $0 == getpid() } }
    path = value("NOTIFY_SOCKET")
    let microseconds = value("WATCHDOG_USEC").flatMap(Double.init)
    watchdog = isMine("WATCHDOG_PID") ?? true ? microseconds.map { $0 / 1e6 } : nil
    let count = value("LISTEN_FDS").flatMap(Int32.init) ?? 0
    listener = isMine("LISTEN_PID") == true && count >= 1 ? 3 : nil
    if let listener { SystemDescriptor.prepare(listener) }
    // Not for processes that this one might start.
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
  }

  /// Says that the configuration is being read again, until `READY=1` is said.
  public func notifyReloading() {
    notify("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.nanoseconds(CLOCK_MONOTONIC) / 1000)")
  }

  /// Sends lines such as `READY=1`; nothing where systemd is not there.
  public func notify(_ state: String) {
    guard let path, !path.isEmpty, var address = sockaddr_un(path: path) else { return }
    // An @ stands for the abstract namespace.
    if path.utf8.first == UInt8(ascii: "@") { address.sun_path.0 = 0 }
    let isAbstract = address.sun_path.0 == 0
    let base = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    let length = socklen_t(base + path.utf8.count + (isAbstract ? 0 : 1))
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(state.utf8)
    address.withAddress { address, _ in
      _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), address, length)
    }
  }
}
