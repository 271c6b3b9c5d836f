/// A point by geodetic latitude, longitude and height above the WGS-84 ellipsoid.
public struct GeodeticPosition: Sendable, Hashable {
  /// Geodetic latitude in radians, north positive.
  public var latitude: Double
  /// Longitude in radians, east positive.
  public var longitude: Double
  /// Metres above the ellipsoid.
  public var height: Double

  /// The point at `latitude` and `longitude` in radians, `height` in metres.
  @inlinable public init(latitude: Double, longitude: Double, height: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.height = height
  }

  /// The point at a latitude and longitude in degrees, `height` in metres.
  @inlinable public init(latitudeDegrees: Double, longitudeDegrees: Double, height: Double) {
    self.init(
      latitude: Angle.radians(degrees: latitudeDegrees),
      longitude: Angle.radians(degrees: longitudeDegrees), height: height)
  }

  /// Latitude in degrees.
  @inlinable public var latitudeDegrees: Double { Angle.degrees(radians: latitude) }
  /// Longitude in degrees.
  @inlinable public var longitudeDegrees: Double { Angle.degrees(radians: longitude) }

  /// Finite, latitude within ±90°, longitude within ±360° and height from −20 km to 10,000 km.
  @inlinable public var isValid: Bool {
    abs(latitude) <= .pi / 2 && abs(longitude) <= 2 * .pi && height > -2e4 && height < 1e7
  }
}
