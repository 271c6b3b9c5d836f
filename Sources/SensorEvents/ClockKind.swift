import Navigation

/// A clock that a time may be told by. All count nanoseconds.
public enum ClockKind: UInt8, Sendable, CaseIterable {
  /// The host's, since boot and through suspend (`CLOCK_BOOTTIME`): the one time line. It never steps.
  case host
  /// The host's without suspend (`CLOCK_MONOTONIC`).
  case monotonic
  /// The host's idea of UTC since 1970 (`CLOCK_REALTIME`). It may step by years.
  case realtime
  /// The host's idea of TAI (`CLOCK_TAI`).
  case tai
  /// UTC since 1970 by a receiver.
  case receiver
}

/// Two clocks read at one moment.
public struct ClockComparison: Sendable, Equatable {
  /// One clock.
  public var clock: ClockKind
  /// What it showed.
  public var time: Timestamp
  /// The other.
  public var reference: ClockKind
  /// What that one showed.
  public var referenceTime: Timestamp
  /// Largest error of their being read at one moment, in nanoseconds.
  public var uncertainty: Int64
  /// Whether the moment is a pulse of the receiver (PPS) rather than a message's arrival.
  public var isPulse = false

  /// `clock` showed `time` when `reference` showed `referenceTime`, within `uncertainty` nanoseconds.
  public init(
    clock: ClockKind, time: Timestamp, reference: ClockKind, referenceTime: Timestamp, uncertainty: Int64
  ) {
    self.clock = clock
    self.time = time
    self.reference = reference
    self.referenceTime = referenceTime
    self.uncertainty = uncertainty
  }
}
