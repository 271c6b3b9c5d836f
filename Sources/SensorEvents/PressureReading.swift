import Navigation

/// Air pressure as the device gives it, in its own time.
public struct PressureReading: Sendable, Equatable {
  /// When it held, on `clock`; nil where only the arrival is known.
  public var time: Timestamp?
  /// The clock of `time`.
  public var clock: ClockKind
  /// Absolute pressure, Pa.
  public var pressure: Double

  /// A pressure in Pa, with the time that is known.
  public init(time: Timestamp? = nil, clock: ClockKind = .host, pressure: Double) {
    self.time = time
    self.clock = clock
    self.pressure = pressure
  }
}
