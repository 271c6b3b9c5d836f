import LinearAlgebra
import Navigation

/// Fuses samples into a solution: the one entry point, for live use, replay and evaluation alike.
public struct FusionEngine: Sendable {
  public private(set) var configuration: FusionConfiguration
  var newest: NavigationSolution?

  /// An engine that knows nothing yet.
  public init(configuration: FusionConfiguration = FusionConfiguration()) {
    self.configuration = configuration
  }

  /// Takes one sample, in order of arrival.
  public mutating func process(_ sample: SensorSample) {
    if case .gnss(let fix) = sample {
      newest = NavigationSolution(
        time: fix.time, mode: .aligning, position: fix.position, velocityNED: fix.velocityNED ?? .zero,
        navFromVehicle: .identity, angularRate: .zero, positionCovariance: Matrix3(scalar: 25),
        velocityCovariance: Matrix3(scalar: 1), attitudeCovariance: Matrix3(scalar: 10))
    }
  }

  /// The solution at `time`, predicted from the newest sample; nil before the first fix.
  public func solution(at time: Timestamp) -> NavigationSolution? {
    guard var s = newest else { return nil }
    s.time = time
    return s
  }

  /// Takes the oldest verdict on a measurement that has not been read yet.
  public mutating func nextVerdict() -> MeasurementVerdict? { nil }
}
