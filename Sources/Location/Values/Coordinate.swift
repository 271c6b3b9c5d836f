import Navigation

/// A place on the WGS-84 ellipsoid, in degrees.
public struct Coordinate: Sendable, Hashable, Codable {
  /// Geodetic latitude in degrees, north positive.
  public var latitudeDegrees: Double
  /// Longitude in degrees, east positive.
  public var longitudeDegrees: Double

  /// The place at a latitude and longitude in degrees.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Latitude within ±90°, longitude within ±180°; not-a-number is neither.
  public var isValid: Bool { abs(latitudeDegrees) <= 90 && abs(longitudeDegrees) <= 180 }

  /// Metres to `other` along the great circle of a sphere of the Earth's mean radius: within 0.6 %
  /// of the truth, and quick.
  public func distance(from other: Coordinate) -> Double { GreatCircle.distance(self, other) }

  /// Metres to `other` along the geodesic of the ellipsoid: to a millimetre, between any two places.
  public func geodesicDistance(from other: Coordinate) -> Double { Geodesic.distance(self, other) }
}
