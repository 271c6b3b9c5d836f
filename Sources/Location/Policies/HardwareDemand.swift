/// What must run for the clients that there are.
public struct HardwareDemand: Sendable, Hashable {
  /// Fixes a second; 0 is off.
  public var gnssRate: Double
  /// Whether the gyroscope and accelerometer run, and the wheels are listened to: who needs no better than a
  /// hundred metres does without.
  public var isInertialOn: Bool

  /// So many fixes a second, with or without inertial sensors.
  public init(gnssRate: Double, isInertialOn: Bool) {
    self.gnssRate = gnssRate
    self.isInertialOn = isInertialOn
  }

  /// Everything off.
  public static let off = HardwareDemand(gnssRate: 0, isInertialOn: false)
  /// Enough to see that a paused client's car moves again.
  public static let watching = HardwareDemand(gnssRate: 1, isInertialOn: true)
  /// For regions.
  public static let regions = HardwareDemand(gnssRate: 1, isInertialOn: false)
  /// For significant changes: a car needs more than 7 s for 500 m.
  public static let significantChange = HardwareDemand(gnssRate: 0.1, isInertialOn: false)

  /// For the standard service at a level of accuracy.
  public static func standard(_ accuracy: DesiredAccuracy) -> HardwareDemand {
    switch accuracy {
    case .bestForNavigation: .init(gnssRate: 10, isInertialOn: true)
    // Between houses and under bridges a receiver alone is not within ten metres.
    case .best: .init(gnssRate: 5, isInertialOn: true)
    case .nearestTenMeters: .init(gnssRate: 1, isInertialOn: true)
    case .hundredMeters: .init(gnssRate: 0.2, isInertialOn: false)
    case .kilometer: .init(gnssRate: 0.05, isInertialOn: false)
    case .threeKilometers: .init(gnssRate: 0.02, isInertialOn: false)
    }
  }

  /// What the strictest of them needs.
  public static func strictest(_ demands: some Sequence<HardwareDemand>) -> HardwareDemand {
    demands.reduce(.off) {
      .init(gnssRate: max($0.gnssRate, $1.gnssRate), isInertialOn: $0.isInertialOn || $1.isInertialOn)
    }
  }
}
