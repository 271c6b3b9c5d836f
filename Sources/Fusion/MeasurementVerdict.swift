import Navigation

/// What the filter did with one measurement, and why.
public struct MeasurementVerdict: Sendable, Equatable {
  /// Which measurement model.
  public enum Kind: String, Sendable, CaseIterable {
    case gnssPosition, gnssVelocity, wheelSpeed, nonHolonomic, stillness, wheelVibration, barometer
    /// The car's yaw rate, where it stands in for a gyroscope: reported only where it is not used.
    case yawRate
  }
  /// How it ended.
  public enum Outcome: Sendable, Equatable {
    /// Used with its full weight.
    case accepted
    /// Used with this weight, between 0 and 1, because its innovation was large.
    case weighedDown(Double)
    /// Not used: too far out.
    case outlier
    /// Not used: older than the window that can still be replayed.
    case stale(bySeconds: Double)
    /// Not used: a value was infinite, not a number or out of range.
    case nonFinite
    /// Not used: not measured, but carried on or repeated by the receiver.
    case extrapolated
    /// Not used: the car is carried, for this reason.
    case carried(CarriedReason)
    /// Not used: the fixes or the IMU say that the sensor has stuck, or is of another unit or sign.
    case contradicted
    /// Not used: the same time as one before.
    case repeated
  }
  /// Time of validity of the measurement.
  public var time: Timestamp
  /// Which measurement model.
  public var kind: Kind
  /// How it ended.
  public var outcome: Outcome
  /// Normalized innovation squared νᵀS⁻¹ν; not-a-number where none was computed.
  public var normalizedInnovationSquared: Double
  /// Number of components of the innovation.
  public var dimension: Int
}

extension MeasurementVerdict {
  /// A measurement that was not used.
  init(_ time: Timestamp, _ kind: Kind, _ outcome: Outcome) {
    self.init(time: time, kind: kind, outcome: outcome, normalizedInnovationSquared: .nan, dimension: 0)
  }

  init(_ time: Timestamp, _ kind: Kind, _ update: FilterUpdate?, _ dimension: Int) {
    let outcome: Outcome =
      if let update { update.weight < 1 ? .weighedDown(update.weight) : .accepted } else { .nonFinite }
    self.init(
      time: time, kind: kind, outcome: outcome,
      normalizedInnovationSquared: update?.normalizedInnovationSquared ?? .nan, dimension: dimension)
  }
}
