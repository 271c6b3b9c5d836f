import LinearAlgebra

/// A fixed local NED frame: axes north, east and down at an origin on the WGS-84 ellipsoid.
public struct LocalFrame: Sendable {
  /// Where the axes start.
  public let origin: GeodeticPosition
  let originECEF: Vector3
  let ecefFromLocal: Matrix3

  /// The frame with its axes at `origin`.
  public init(origin: GeodeticPosition) {
    self.origin = origin
    originECEF = WGS84.ecef(origin)
    ecefFromLocal = WGS84.ecefFromNED(latitude: origin.latitude, longitude: origin.longitude)
  }

  /// Metres north, east and down of the origin, along the straight axes of this frame.
  public func ned(_ position: GeodeticPosition) -> Vector3 {
    ecefFromLocal.transpose * (WGS84.ecef(position) - originECEF)
  }

  /// The point that many metres north, east and down of the origin.
  public func geodetic(ned: Vector3) -> GeodeticPosition {
    WGS84.geodetic(ecef: originECEF + ecefFromLocal * ned)
  }
}

extension GeodeticPosition {
  /// Metres north, east and down from `reference` to `self` by the radii of curvature at `reference`: along
  /// the curved Earth. North or east alone it is good to 4e-6 of the length; aslant the meridians'
  /// convergence costs up to E · (N + E / 2) · tan(latitude) / a: 1.3 mm over 100 m and 13 cm over 1 km at
  /// 45°. For small differences: residuals of fixes, errors of tracks.
  @inlinable public func ned(from reference: GeodeticPosition) -> Vector3 {
    ned(from: reference, by: Curvature(at: reference))
  }

  /// The same where the curvature at `reference` is known.
  @inlinable public func ned(from reference: GeodeticPosition, by curvature: Curvature) -> Vector3 {
    Vector3(
      (latitude - reference.latitude) * curvature.metresPerLatitude,
      Angle.wrapped(longitude - reference.longitude) * curvature.metresPerLongitude,
      reference.height - height)
  }

  /// The point `offset` metres north, east and down of `self`: the inverse of ``ned(from:)``.
  @inlinable public func moved(byNED offset: Vector3) -> GeodeticPosition {
    moved(byNED: offset, by: Curvature(at: self))
  }

  /// The same where the curvature at `self` is known.
  @inlinable public func moved(byNED offset: Vector3, by curvature: Curvature) -> GeodeticPosition {
    GeodeticPosition(
      latitude: latitude + offset.x / curvature.metresPerLatitude,
      longitude: Angle.wrapped(longitude + offset.y / curvature.metresPerLongitude),
      height: height - offset.z)
  }
}
