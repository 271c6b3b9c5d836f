import Navigation

/// A circle on the map whose crossing is told.
public struct Region: Sendable, Hashable, Codable {
  /// Its name within the client; monitoring another of the same name replaces it.
  public var identifier: String
  /// The middle.
  public var center: Coordinate
  /// Metres.
  public var radius: Double
  /// Whether coming in is told.
  public var notifyOnEntry = true
  /// Whether going out is told.
  public var notifyOnExit = true

  /// The circle of `radius` metres about `center`.
  public init(
    identifier: String, center: Coordinate, radius: Double, notifyOnEntry: Bool = true,
    notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.center = center
    self.radius = radius
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
  }

  /// Whether the place is within the circle; how well the place is known plays no part.
  public func contains(_ place: Coordinate) -> Bool { place.distance(from: center) <= radius }

  /// Smallest radius in metres that can be monitored: below it a car park is smaller
  /// than a good accuracy radius.
  public static let minimumRadius = 10.0
  /// Largest radius in metres that can be monitored.
  public static let maximumRadius = 1_000_000.0
  /// Longest identifier in UTF-8 bytes.
  public static let longestIdentifier = 128

  /// Why the region cannot be monitored; nil if it can.
  public var flaw: String? {
    if identifier.isEmpty { return "a region needs an identifier" }
    if identifier.utf8.count > Self.longestIdentifier {
      return "an identifier has at most \(Self.longestIdentifier) bytes"
    }
    if identifier.hasControlCharacters { return "an identifier has no control characters" }
    if !center.isValid { return "its centre is no place: latitude ±90°, longitude ±180°" }
    if !(radius >= Self.minimumRadius && radius <= Self.maximumRadius) {
      return "its radius must be \(Int(Self.minimumRadius)) to \(Int(Self.maximumRadius)) m"
    }
    return nil
  }
}

/// Where the car stands to a region.
public enum RegionState: String, Sendable, CaseIterable, Codable {
  /// It cannot be told yet.
  case unknown
  /// Within.
  case inside
  /// Without.
  case outside
}

/// The car has crossed the edge of a region.
public struct RegionEvent: Sendable, Hashable {
  /// Number of the event, of its own for each client; events are told in its order.
  public var number: Int64
  /// The region's name.
  public var identifier: String
  /// Which way.
  public var kind: Kind
  /// When, on the host's clock; of an earlier boot it is not comparable.
  public var timestamp: Timestamp
  /// When in UTC, where that is known.
  public var utc: Timestamp?

  /// The ways across an edge.
  public enum Kind: String, Sendable {
    /// In.
    case entered
    /// Out.
    case exited
  }

  /// The crossing of an edge.
  public init(number: Int64, identifier: String, kind: Kind, timestamp: Timestamp, utc: Timestamp?) {
    self.number = number
    self.identifier = identifier
    self.kind = kind
    self.timestamp = timestamp
    self.utc = utc
  }
}
