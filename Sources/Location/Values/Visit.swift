import Navigation

/// The car was, or is, parked at a place: as Core Location's `CLVisit`.
public struct Visit: Sendable, Hashable {
  /// Where.
  public var coordinate: Coordinate
  /// Radius in metres that holds the place with 68 %.
  public var horizontalAccuracy: Double
  /// When the car came, in UTC, nanoseconds since 1970; nil where it stood there already
  /// when it was first looked.
  public var arrival: Timestamp?
  /// When it left, the same; nil while it is there.
  public var departure: Timestamp?
  /// What it was made of.
  public var sources: LocationSources

  /// A stay at `coordinate`.
  public init(
    coordinate: Coordinate, horizontalAccuracy: Double, arrival: Timestamp?, departure: Timestamp? = nil,
    sources: LocationSources = []
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    (self.arrival, self.departure) = (arrival, departure)
    self.sources = sources
  }
}
