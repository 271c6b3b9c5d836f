import CLibrary
import LinearAlgebra

/// Metres per radian of latitude and longitude at a point of the ellipsoid.
public struct Curvature: Sendable {
  /// R_N + h, in metres per radian.
  public let metresPerLatitude: Double
  /// (R_E + h) cos(latitude), in metres per radian; at least 1 m so that a pole divides no number by 0.
  public let metresPerLongitude: Double

  /// The scales at `point`.
  @inlinable public init(at point: GeodeticPosition) {
    let s = sin(point.latitude)
    metresPerLatitude = WGS84.meridianRadius(sineLatitude: s) + point.height
    metresPerLongitude = max(
      1, (WGS84.transverseRadius(sineLatitude: s) + point.height) * cos(point.latitude))
  }
}
