// Which of the C modules that include <time.h> declares timespec depends on which is read first.
import CLibgps
import CLibiio
import CLibrary
import Navigation
import SensorEvents

/// The clocks of this computer.
public enum HostClock {
  /// Now on the one time line (`CLOCK_BOOTTIME`).
  public static func now() -> Timestamp { read(.host) }

  /// What `clock` shows now; a receiver's clock cannot be read here.
  public static func read(_ clock: ClockKind) -> Timestamp {
    var time = timespec()
    let failed = clock_gettime(identifier(of: clock), &time)
    precondition(failed == 0, "clock_gettime failed for \(clock)")
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private static func identifier(of clock: ClockKind) -> clockid_t {
    switch clock {
    case .host: CLOCK_BOOTTIME
    case .monotonic: CLOCK_MONOTONIC
    case .realtime: CLOCK_REALTIME
    case .tai: CLOCK_TAI
    case .receiver: preconditionFailure("a receiver's clock is told by its messages, not read")
    }
  }
}
