import Drives
import Navigation

/// What a system says of the error of its own position.
package struct StatedAccuracy: Sendable {
  /// Covariance of the position in NED, m²; nil where radii alone are stated.
  package var covariance: Matrix3?
  /// Radii in metres that hold the truth with 68 % and 95 % probability.
  package var radius68: Double?, radius95: Double?

  /// What a point of a track says; nil where it says nothing.
  init?(_ point: TrackFilePoint) {
    covariance = point.covariance
    radius68 = point.radius68 ?? point.covariance.map(AccuracyRadius.radius68)
    radius95 = point.radius95 ?? point.covariance.map(AccuracyRadius.radius95)
    if radius68 == nil || radius95 == nil { return nil }
  }

  /// `part` of the way from one accuracy to another; nil where one of them is not stated.
  init?(from a: StatedAccuracy?, to b: StatedAccuracy?, part: Double) {
    guard let a, let b else { return nil }
    func between<T>(_ a: T?, _ b: T?, _ mix: (T, T) -> T) -> T? {
      guard let a, let b else { return nil }
      return mix(a, b)
    }
    covariance = between(a.covariance, b.covariance) { (1 - part) * $0 + part * $1 }
    radius68 = between(a.radius68, b.radius68) { (1 - part) * $0 + part * $1 }
    radius95 = between(a.radius95, b.radius95) { (1 - part) * $0 + part * $1 }
  }
}
