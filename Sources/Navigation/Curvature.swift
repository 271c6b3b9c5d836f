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
    self.init(sine: sin(point.latitude), cosine: cos(point.latitude), height: point.height)
  }

  /// The scales where the latitude has this sine and cosine, at `height` above the ellipsoid, m.
  @inlinable @inline(__always) init(sine: Double, cosine: Double, height: Double) {
    metresPerLatitude = WGS84.meridianRadius(sineLatitude: sine) + height
    metresPerLongitude = max(1, (WGS84.transverseRadius(sineLatitude: sine) + height) * cosine)
  }
}

/// The curvature at places near one another, without a sine and a cosine for each.
public struct NearbyCurvature: Sendable {
  /// Latitudes nearer than this, rad, have theirs from a series of second order.
  /// [chosen: 64 m; what it leaves out, a sixth of the third power, is 2e-16, as much as a double's rounding]
  @usableFromInline static let nearby = 1e-5

  @usableFromInline var latitude = Double.infinity, sine = 0.0, cosine = 1.0

  /// Of no place yet.
  @inlinable public init() {}

  /// The curvature at `point`.
  @inlinable @inline(__always) public mutating func at(_ point: GeodeticPosition) -> Curvature {
    if !isNear(point) { begin(at: point.latitude) }
    return series(point)
  }

  /// The same where nothing may change: what is not near the last one is worked out for itself.
  @inlinable @inline(__always) public func value(at point: GeodeticPosition) -> Curvature {
    isNear(point) ? series(point) : Curvature(at: point)
  }

  @inlinable @inline(__always) func isNear(_ point: GeodeticPosition) -> Bool {
    abs(point.latitude - latitude) < Self.nearby
  }

  @inlinable @inline(__always) func series(_ point: GeodeticPosition) -> Curvature {
    let d = point.latitude - latitude
    return Curvature(
      sine: sine + d * (cosine - d / 2 * sine), cosine: cosine - d * (sine + d / 2 * cosine),
      height: point.height)
  }

  @inlinable @inline(never) mutating func begin(at latitude: Double) {
    (self.latitude, sine, cosine) = (latitude, sin(latitude), cos(latitude))
  }
}
