import CLibrary
import Navigation
import SensorEvents

/// The clocks of this computer.
public enum HostClock {
  /// Now on the one time line (`CLOCK_BOOTTIME`).
  public static func now() -> Timestamp { read(.host) }

  /// What `clock` shows now; a receiver's clock cannot be read here.
  public static func read(_ clock: ClockKind) -> Timestamp {
    Timestamp(nanoseconds: SystemClock.nanoseconds(identifier(of: clock)))
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
