import CLibrary
import Navigation
import SensorEvents

/// The clocks of the computer, as the loop reads them; a test puts its own in their place.
public struct LoopClock: Sendable {
  /// Reads the host clock.
  public var now: @Sendable () -> Timestamp
  /// Reads one of the computer's other clocks, which costs no system call.
  public var read: @Sendable (ClockKind) -> Timestamp

  /// Clocks that are read by these.
  public init(
    now: @escaping @Sendable () -> Timestamp, read: @escaping @Sendable (ClockKind) -> Timestamp
  ) {
    (self.now, self.read) = (now, read)
  }

  /// The computer's own.
  public static let system = LoopClock(
    now: { read(CLOCK_BOOTTIME) },
    read: { kind in
      switch kind {
      case .host, .receiver: read(CLOCK_BOOTTIME)
      case .monotonic: read(CLOCK_MONOTONIC)
      case .realtime: read(CLOCK_REALTIME)
      case .tai: read(CLOCK_TAI)
      }
    })

  private static func read(_ clock: clockid_t) -> Timestamp {
    Timestamp(nanoseconds: SystemClock.nanoseconds(clock))
  }

  /// Compares a clock with the host's: read between two readings of that, the closest pair of three.
  public func compare(_ kind: ClockKind) -> ClockComparison {
    var best: ClockComparison?
    for _ in 0..<3 {
      let before = now()
      let time = read(kind)
      let width = max(0, now().nanoseconds(since: before))
      if let best, best.uncertainty <= width / 2 + 1 { continue }
      best = ClockComparison(
        clock: kind, time: time, reference: .host,
        referenceTime: before.advanced(byNanoseconds: width / 2), uncertainty: width / 2 + 1)
    }
    return best
      ?? ClockComparison(clock: kind, time: now(), reference: .host, referenceTime: now(), uncertainty: .max)
  }
}
