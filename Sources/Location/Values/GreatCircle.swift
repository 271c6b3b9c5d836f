import CLibrary
import Navigation

/// Distances on a sphere.
enum GreatCircle {
  /// Mean radius of the ellipsoid, (2a + b) / 3, in metres (IUGG's R₁).
  static let radius = (2 * WGS84.semiMajorAxis + WGS84.semiMinorAxis) / 3

  /// Metres between two places: haversines, well conditioned for near places, and exact
  /// enough for opposite ones.
  static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let (φ1, φ2) = (Angle.radians(degrees: a.latitudeDegrees), Angle.radians(degrees: b.latitudeDegrees))
    let Δφ = sin((φ2 - φ1) / 2)
    let Δλ = sin(Angle.radians(degrees: b.longitudeDegrees - a.longitudeDegrees) / 2)
    let h = Δφ * Δφ + cos(φ1) * cos(φ2) * Δλ * Δλ
    return 2 * radius * atan2(h.squareRoot(), max(0, 1 - h).squareRoot())
  }
}
