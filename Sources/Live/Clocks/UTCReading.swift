import Navigation

/// UTC at one moment, and how well it is known.
public struct UTCReading: Sendable, Equatable {
  /// Who tells it.
  public enum Authority: UInt8, Sendable {
    /// The computer's own clock: right only if somebody has set it.
    case system
    /// The receiver, by the arrival of its messages.
    case messages
    /// The receiver, by its pulses.
    case pulses
  }

  /// Nanoseconds since 1970-01-01 00:00:00 UTC, without leap seconds.
  public var time: Timestamp
  /// Bound of its error in seconds; nil where the computer's clock is all there is,
  /// which may be off by years.
  public var uncertainty: Double?
  /// Who tells it.
  public var authority: Authority

  /// UTC `time`, within `uncertainty` seconds, told by `authority`.
  public init(time: Timestamp, uncertainty: Double?, authority: Authority) {
    (self.time, self.uncertainty, self.authority) = (time, uncertainty, authority)
  }
}
