import Location
import Navigation

/// Places by metres north and east of a point in open country.
enum Made {
  static let origin = Coordinate(latitudeDegrees: 48, longitudeDegrees: 11)

  static func place(north: Double = 0, east: Double = 0) -> Coordinate {
    // Metres on the sphere that distances are measured on.
    let radius = 6_371_008.77
    let latitude = 48 + north / radius * 180 / .pi
    return Coordinate(
      latitudeDegrees: latitude,
      longitudeDegrees: 11 + east / (radius * 0.669_130_606_358_858) * 180 / .pi)
  }

  static func location(
    north: Double = 0, east: Double = 0, accuracy: Double = 5, at seconds: Double,
    mode: NavigationMode = .aided, speed: Double? = nil
  ) -> Location {
    var location = Location(
      coordinate: place(north: north, east: east), horizontalAccuracy: accuracy,
      timestamp: time(seconds), mode: mode)
    if let speed {
      location.speed = abs(speed)
      location.signedSpeed = speed
      location.speedAccuracy = 0.1
    }
    return location
  }

  static func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1000 + seconds) }
}
