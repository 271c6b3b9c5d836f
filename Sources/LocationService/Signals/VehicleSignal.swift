import JSON
import Location
import Navigation

/// What of a place has a name in COVESA's Vehicle Signal Specification, versions 4 to 6, each in
/// the unit that it states.
package enum VehicleSignal: String, CaseIterable, Sendable {
  /// When the place holds: ISO 8601 in UTC.
  case timestamp = "Vehicle.CurrentLocation.Timestamp"
  /// Degrees on WGS 84, north positive.
  case latitude = "Vehicle.CurrentLocation.Latitude"
  /// Degrees on WGS 84, east positive.
  case longitude = "Vehicle.CurrentLocation.Longitude"
  /// Direction of the car's nose in degrees from geographic north through east, 0 ..< 360.
  case heading = "Vehicle.CurrentLocation.Heading"
  /// Radius in metres that holds the place with 68 %: the specification says no probability.
  case horizontalAccuracy = "Vehicle.CurrentLocation.HorizontalAccuracy"
  /// Metres above the WGS 84 ellipsoid, not above the sea.
  case altitude = "Vehicle.CurrentLocation.Altitude"
  /// Metres, half width that holds the altitude with 68 %.
  case verticalAccuracy = "Vehicle.CurrentLocation.VerticalAccuracy"
  /// km/h, never negative.
  case speed = "Vehicle.Speed"

  /// The names from the root of the tree on.
  var names: [Substring] { rawValue.split(separator: ".") }

  /// What `location` says of it, as a text in its unit; nil where it does not.
  package func value(of location: Location) -> String? {
    guard location.isValid else { return nil }
    func number(_ value: Double, _ decimals: Int, isKnown: Bool) -> String? {
      isKnown ? JSON.rounded(value, decimals).text : nil
    }
    return switch self {
    case .timestamp: location.utc.map { $0.toMilliseconds.utcText }
    case .latitude: number(location.coordinate.latitudeDegrees, 7, isKnown: true)
    case .longitude: number(location.coordinate.longitudeDegrees, 7, isKnown: true)
    case .heading: number(location.headingDegrees, 2, isKnown: location.headingAccuracyDegrees >= 0)
    case .horizontalAccuracy: number(location.horizontalAccuracy, 2, isKnown: true)
    case .altitude: number(location.ellipsoidalAltitude, 2, isKnown: location.verticalAccuracy >= 0)
    case .verticalAccuracy: number(location.verticalAccuracy, 2, isKnown: location.verticalAccuracy >= 0)
    case .speed: number(location.speed * 3.6, 2, isKnown: location.speedAccuracy >= 0)
    }
  }

  /// A data point as VISS version 2 has it, a text and its time; nil where `location` does not say it.
  /// `computer` tells the time of a place whose UTC nobody knew.
  func dataPoint(of location: Location, computer: Timestamp) -> JSON? {
    value(of: location).map {
      .members(["value": .string($0), "ts": .string((location.utc ?? computer).toMilliseconds.utcText)])
    }
  }
}

extension Timestamp {
  /// The nearest whole millisecond, of a time since 1970.
  var toMilliseconds: Timestamp { Timestamp(nanoseconds: (nanoseconds + 500_000) / 1_000_000 * 1_000_000) }
}
