import LinearAlgebra
import Navigation

/// What the gyroscope said when the car last stood: its bias, whatever has been made of it since.
///
/// It outlasts the navigators. One that begins anew knows it, and need not take for a bias the turn that
/// fixes between towers feign.
struct RestingRate: Sendable {
  /// Standard deviation per axis of the bias at rest, rad/s: with 0.001, 0.002, 0.004, 0.008 misleading for
  /// 1697, 1712, 1703, 1837 s, lost for 1631, 1576, 1545, 1504 s; without, 1969 and 1464.
  /// [measured on 1500 variants of `reckon stress`, seeds 50001:50020, 70001:70020, 90001:90020]
  private static let sigma = 0.004
  /// Its random walk since, rad/s/√s: ten times the filter's, as a sensor that warms up has it. [chosen]
  private static let walk = 2.5e-4

  private var last: (rate: Vector3, time: Timestamp)?

  /// Takes the mean rate in body axes of a car that stands, rad/s.
  mutating func note(_ rate: Vector3, at time: Timestamp) { last = (rate, time) }

  /// The bias in body axes, rad/s, with its variance per axis; nil where the car has not stood yet.
  func bias(at time: Timestamp) -> (value: Vector3, variance: Double)? {
    guard let last else { return nil }
    let age = max(0, time.seconds(since: last.time))
    return (last.rate, Self.sigma * Self.sigma + Self.walk * Self.walk * age)
  }
}
