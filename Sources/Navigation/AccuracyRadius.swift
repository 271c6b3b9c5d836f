import CLibrary
import LinearAlgebra

/// Radius of the horizontal circle that holds the truth with a given probability.
public enum AccuracyRadius {
  /// Probability of a circle of `radius` about the mean of a two-dimensional normal distribution with
  /// standard deviations `major` ≥ `minor` along its axes: by integration over directions.
  static func probability(radius r: Double, major a: Double, minor b: Double) -> Double {
    // P = 1 − (1/π) ∫₀^π (ab / q) exp(−r² q / (2 a² b²)) dφ with q(φ) = a² sin²φ + b²
    // cos²φ: the density in polar coordinates, integrated over the radius. Periodic, so the midpoint rule
    // converges geometrically.
    let steps = 64
    var tail = 0.0
    for i in 0..<steps {
      let phi = (Double(i) + 0.5) * .pi / Double(steps)
      let q = a * a * sin(phi) * sin(phi) + b * b * cos(phi) * cos(phi)
      tail += a * b / q * exp(-r * r * q / (2 * a * a * b * b))
    }
    return 1 - tail / Double(steps)
  }

  /// Radius in units of the larger standard deviation as a function of the ratio minor / major, for 68 % and
  /// for 95 %, at ratios 0, 1/8, … 1. A test recomputes them from ``probability(radius:major:minor:)``.
  static let table68: [Double] = [
    0.99446, 1.00241, 1.02767, 1.07612, 1.14805, 1.23279, 1.32303, 1.41569, 1.50959,
  ]
  static let table95: [Double] = [
    1.95996, 1.96399, 1.97651, 1.99912, 2.03586, 2.09558, 2.18580, 2.30497, 2.44775,
  ]

  /// The 68 % radius in metres of the upper-left 2×2 part of a NED covariance in m².
  public static func radius68(_ covariance: Matrix3) -> Double { radius(covariance, 0) }

  /// The 95 % radius in metres of the upper-left 2×2 part of a NED covariance in m².
  public static func radius95(_ covariance: Matrix3) -> Double { radius(covariance, 1) }

  static func radius(_ p: Matrix3, _ table: Int) -> Double {
    let mean = (p.x.x + p.y.y) / 2
    let half = (((p.x.x - p.y.y) / 2) * ((p.x.x - p.y.y) / 2) + p.x.y * p.x.y).squareRoot()
    // A covariance that is none must not pass for certainty; one that is 0 but for rounding may.
    guard mean + half > -1e-9 else { return .infinity }
    let major = max(0, mean + half).squareRoot()
    guard major > 0 else { return 0 }
    guard major.isFinite else { return .infinity }
    let ratio = max(0, mean - half).squareRoot() / major
    let scaled = min(ratio, 1) * 8
    let i = min(7, Int(scaled))
    let t = scaled - Double(i)
    let entries = table == 0 ? table68 : table95
    return major * (entries[i] * (1 - t) + entries[i + 1] * t)
  }
}
