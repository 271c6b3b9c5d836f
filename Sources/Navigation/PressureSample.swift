/// Air pressure at the sensor.
public struct PressureSample: Sendable, Equatable {
  /// Pressures that a car can be in, Pa: from 8400 m above the sea in a low to a mine 1000 m below it in a
  /// high. [chosen]
  public static let range = 30_000.0...120_000.0

  /// When it held.
  public var time: Timestamp
  /// Absolute pressure in pascal: 1013.25 hPa is 101 325 Pa.
  public var pressure: Double

  /// An absolute pressure in Pa.
  @inlinable public init(time: Timestamp, pressure: Double) {
    self.time = time
    self.pressure = pressure
  }

  /// Whether the pressure is one that a car can be in.
  @inlinable public var isPossible: Bool { Self.range.contains(pressure) }
}
