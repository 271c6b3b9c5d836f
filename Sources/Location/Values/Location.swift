import Navigation

/// Where the car is, which way it goes and how well that is known.
///
/// Every accuracy is the radius (horizontal) or half width (the others) that holds the truth with
/// a probability of 68 %, in the unit of its value. **A negative accuracy says that the value
/// beside it is not valid.**
public struct Location: Sendable, Hashable {
  /// The place, in degrees.
  public var coordinate: Coordinate
  /// Radius in metres.
  public var horizontalAccuracy: Double
  /// Metres above mean sea level, by the geoid's height that the receiver states, else by EGM96; nil where
  /// ``verticalAccuracy`` is negative.
  public var altitude: Double?
  /// Metres above the WGS-84 ellipsoid.
  public var ellipsoidalAltitude: Double
  /// Of both altitudes, in metres.
  public var verticalAccuracy: Double
  /// Direction of motion in degrees from north through east, 0 ..< 360.
  public var courseDegrees: Double
  /// Of the course, in degrees.
  public var courseAccuracyDegrees: Double
  /// Direction of the car's nose in degrees from north through east, 0 ..< 360: it does
  /// not turn round in reverse.
  public var headingDegrees: Double
  /// Of the heading, in degrees.
  public var headingAccuracyDegrees: Double
  /// Speed over ground in m/s, never negative where it is valid.
  public var speed: Double
  /// The same, negative when the car goes backward; equal to the speed while the heading is not known.
  public var signedSpeed: Double
  /// Of both speeds, in m/s.
  public var speedAccuracy: Double
  /// When it holds, on the host's clock that never steps (nanoseconds since boot).
  public var timestamp: Timestamp
  /// When it holds in UTC, nanoseconds since 1970; nil as long as nobody has told the time.
  public var utc: Timestamp?
  /// What it was made of.
  public var sources: LocationSources
  /// Where the engine stands; nil with reduced accuracy, which does not say whether the car drives.
  public var mode: NavigationMode?
  /// The level of a car park; nil where it is not known: under the open sky, in tunnels,
  /// and without a barometer.
  public var floor: Floor?

  /// A place with nothing else valid.
  public init(
    coordinate: Coordinate, horizontalAccuracy: Double, timestamp: Timestamp, utc: Timestamp? = nil,
    sources: LocationSources = [], mode: NavigationMode? = .aided
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.timestamp = timestamp
    self.utc = utc
    self.sources = sources
    self.mode = mode
    altitude = nil
    ellipsoidalAltitude = 0
    verticalAccuracy = -1
    (courseDegrees, courseAccuracyDegrees) = (0, -1)
    (headingDegrees, headingAccuracyDegrees) = (0, -1)
    (speed, signedSpeed, speedAccuracy) = (0, 0, -1)
  }

  /// Whether the place is one: within range, with an accuracy that is neither negative nor infinite.
  public var isValid: Bool {
    coordinate.isValid && horizontalAccuracy >= 0 && horizontalAccuracy.isFinite
  }

  /// Metres from `other` along the great circle: within 0.6 % of the truth, and quick.
  public func distance(from other: Location) -> Double { coordinate.distance(from: other.coordinate) }

  /// Metres from `other` along the geodesic of the ellipsoid: to a millimetre.
  public func geodesicDistance(from other: Location) -> Double {
    coordinate.geodesicDistance(from: other.coordinate)
  }
}

extension Location: CustomStringConvertible {
  /// For people; its form is not stable.
  public var description: String {
    func short(_ value: Double, _ scale: Double) -> String {
      value.isFinite ? "\((value * scale).rounded() / scale)" : "\(value)"
    }
    guard isValid else { return "no place" + (mode.map { ", \($0.phrase)" } ?? "") }
    var text = "\(short(coordinate.latitudeDegrees, 1e6))° \(short(coordinate.longitudeDegrees, 1e6))°"
    text += " ±\(short(horizontalAccuracy, 10)) m"
    if speedAccuracy >= 0 { text += ", \(short(signedSpeed, 10)) m/s" }
    if courseAccuracyDegrees >= 0 { text += ", course \(short(courseDegrees, 1))°" }
    if let mode { text += ", \(mode.phrase)" }
    return text + (sources.isEmpty ? "" : " (\(sources))")
  }
}

extension NavigationMode {
  /// For people.
  package var phrase: String {
    switch self {
    case .aligning: "aligning"
    case .aided: "aided"
    case .deadReckoning: "dead reckoning"
    case .stationary: "standing"
    case .carried: "moved by something else"
    }
  }
}
