// Source: NGA.STND.0036, "Department of Defense World Geodetic System 1984", version 1.0.0 (2014), tables
// 3.1, 3.3 and 3.5, and equation 4-1 (Somigliana); gravity above the ellipsoid and radii of curvature by
// Groves, 2nd edition, section 2.4. Navigation axes are north, east, down (NED).
import CLibrary
import LinearAlgebra

/// The WGS-84 ellipsoid, its rotation and its normal gravity.
public enum WGS84 {
  /// Semi-major axis a in metres.
  public static let semiMajorAxis = 6_378_137.0
  /// Flattening f.
  public static let flattening = 1 / 298.257223563
  /// Semi-minor axis b in metres.
  public static let semiMinorAxis = semiMajorAxis * (1 - flattening)
  /// Square of the first eccentricity, e².
  public static let eccentricitySquared = flattening * (2 - flattening)
  /// Angular rate of the Earth in rad/s.
  public static let earthRate = 7.292115e-5
  /// Geocentric gravitational constant GM in m³/s², atmosphere included.
  public static let gravitationalConstant = 3.986004418e14
  /// Normal gravity at the equator in m/s².
  public static let equatorialGravity = 9.7803253359
  /// Somigliana's constant k.
  static let somiglianaConstant = 0.001931852652458

  /// Radius of curvature in the meridian, R_N, in metres.
  @inlinable public static func meridianRadius(sineLatitude s: Double) -> Double {
    let t = 1 - eccentricitySquared * s * s
    return semiMajorAxis * (1 - eccentricitySquared) / (t * t.squareRoot())
  }

  /// Radius of curvature across the meridian (in the prime vertical), R_E, in metres.
  @inlinable public static func transverseRadius(sineLatitude s: Double) -> Double {
    semiMajorAxis / (1 - eccentricitySquared * s * s).squareRoot()
  }

  /// Normal gravity, positive downward, in m/s².
  public static func gravity(sineLatitude s: Double, height h: Double) -> Double {
    let s2 = s * s
    let surface =
      equatorialGravity * (1 + somiglianaConstant * s2) / (1 - eccentricitySquared * s2).squareRoot()
    let m =
      earthRate * earthRate * semiMajorAxis * semiMajorAxis * semiMinorAxis / gravitationalConstant
    let u = h / semiMajorAxis
    return surface * (1 - 2 * u * (1 + flattening * (1 - 2 * s2) + m) + 3 * u * u)
  }

  /// Earth-centred, Earth-fixed coordinates in metres.
  public static func ecef(_ p: GeodeticPosition) -> Vector3 {
    let (sinLat, cosLat) = (sin(p.latitude), cos(p.latitude))
    let r = transverseRadius(sineLatitude: sinLat)
    let across = (r + p.height) * cosLat
    return Vector3(
      across * cos(p.longitude), across * sin(p.longitude),
      ((1 - eccentricitySquared) * r + p.height) * sinLat)
  }

  /// Geodetic coordinates of an ECEF point by Bowring's formula, iterated until it repeats (at
  /// most 10 times); exact to a nanometre from −5,000 km to 10,000 km of height. The centre of
  /// the Earth gives latitude 0.
  public static func geodetic(ecef p: Vector3) -> GeodeticPosition {
    let across = p.horizontalNorm
    let longitude = p.x == 0 && p.y == 0 ? 0 : atan2(p.y, p.x)
    let ratio = semiMinorAxis / semiMajorAxis
    let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
    var reduced = atan2(p.z, ratio * across)
    var latitude = 0.0
    for _ in 0..<10 {
      let (s, c) = (sin(reduced), cos(reduced))
      latitude = atan2(
        p.z + secondEccentricitySquared * semiMinorAxis * s * s * s,
        max(0, across - eccentricitySquared * semiMajorAxis * c * c * c))
      let next = atan2(ratio * sin(latitude), cos(latitude))
      if abs(next - reduced) < 1e-15 { break }
      reduced = next
    }
    let (s, c) = (sin(latitude), cos(latitude))
    let surface = semiMajorAxis * (1 - eccentricitySquared * s * s).squareRoot()
    return GeodeticPosition(
      latitude: latitude, longitude: longitude, height: across * c + p.z * s - surface)
  }

  /// The rotation C_n^e from NED axes at a point to ECEF axes.
  public static func ecefFromNED(latitude: Double, longitude: Double) -> Matrix3 {
    let (sinLat, cosLat) = (sin(latitude), cos(latitude))
    let (sinLon, cosLon) = (sin(longitude), cos(longitude))
    return Matrix3(
      columns: Vector3(-sinLat * cosLon, -sinLat * sinLon, cosLat),
      Vector3(-sinLon, cosLon, 0),
      Vector3(-cosLat * cosLon, -cosLat * sinLon, -sinLat))
  }
}
