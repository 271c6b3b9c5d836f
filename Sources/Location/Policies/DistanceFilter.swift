/// Which locations a client is told: those far enough from the last one told, and those
/// that are clearly better.
public struct DistanceFilter: Sendable, Equatable {
  /// Metres from the last reported location; nil lets all through.
  public var distance: Double?
  /// What was told last.
  public private(set) var lastReported: Location?

  /// Accuracy has clearly improved when the radius is at most this share of the last reported one, …
  static let improvedShare = 0.5
  /// … and at least so many metres smaller: from 4 m to 2 m is no news.
  static let improvedMeters = 5.0

  /// A filter of so many metres; nil, or a distance that is not above 0, lets all through.
  public init(distance: Double? = nil) { self.distance = distance }

  /// What to tell of `location`, or nil. A location that is not newer than the last one told passes only if
  /// it is more accurate, and is marked ``LocationSources/refined``.
  public mutating func filter(_ location: Location) -> Location? {
    guard location.isValid else { return nil }
    guard let last = lastReported else { return report(location) }
    if location.timestamp <= last.timestamp {
      guard location.horizontalAccuracy < last.horizontalAccuracy else { return nil }
      var refined = location
      refined.sources.insert(.refined)
      return report(refined)
    }
    guard let distance, distance > 0 else { return report(location) }
    if location.distance(from: last) >= distance { return report(location) }
    return Self.isClearlyBetter(location, than: last) ? report(location) : nil
  }

  /// Forgets what was told, as at a new start.
  public mutating func restart() { lastReported = nil }

  static func isClearlyBetter(_ new: Location, than old: Location) -> Bool {
    new.horizontalAccuracy <= old.horizontalAccuracy * improvedShare
      && old.horizontalAccuracy - new.horizontalAccuracy >= improvedMeters
  }

  private mutating func report(_ location: Location) -> Location {
    // A refined location is older: the time that must be passed stays, the place is the better one.
    var kept = location
    if let last = lastReported { kept.timestamp = max(last.timestamp, location.timestamp) }
    lastReported = kept
    return location
  }
}
