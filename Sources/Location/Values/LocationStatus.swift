import Navigation

/// How the service is doing, said at a steady rate also when nothing is known.
public struct LocationStatus: Sendable, Hashable {
  /// When it was said, on the host's clock.
  public var timestamp: Timestamp
  /// Where the engine stands; nil before it has begun, and with reduced accuracy.
  public var mode: NavigationMode?
  /// Why the place is not known; nil while it is.
  public var unknown: LocationError.UnknownReason?
  /// Accuracy radius in metres now, negative while the place is not known, and with reduced accuracy.
  public var horizontalAccuracy: Double
  /// Names of the sources that are configured and do not deliver now.
  public var lostSources: [String]

  /// What a client with reduced accuracy is told of it: nothing of how well the place is known.
  public var reduced: LocationStatus {
    LocationStatus(timestamp: timestamp, unknown: unknown, lostSources: lostSources)
  }

  /// How the service is doing at `timestamp`.
  public init(
    timestamp: Timestamp, mode: NavigationMode? = nil, unknown: LocationError.UnknownReason? = .searching,
    horizontalAccuracy: Double = -1, lostSources: [String] = []
  ) {
    self.timestamp = timestamp
    self.mode = mode
    self.unknown = unknown
    self.horizontalAccuracy = horizontalAccuracy
    self.lostSources = lostSources
  }
}
