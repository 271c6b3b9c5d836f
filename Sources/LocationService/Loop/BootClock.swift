import CLibrary
import Navigation

/// The clocks of the service.
public enum BootClock {
  /// Since boot, through suspend; never steps.
  public static func now() -> Timestamp {
    #if os(Linux)
      read(CLOCK_BOOTTIME)
    #else
      read(CLOCK_MONOTONIC)
    #endif
  }

  /// UTC since 1970, as far as this computer knows it.
  public static func utc() -> Timestamp { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Timestamp {
    Timestamp(nanoseconds: SystemClock.nanoseconds(clock))
  }
}

/// Sleeps.
package func pause(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }
