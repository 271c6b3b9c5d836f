import Navigation

/// One answer: the best within a time limit, at once when the wish is met.
public struct OneShotRequest: Sendable, Equatable {
  /// Longest time limit in seconds.
  public static let longest = 600.0
  /// Seconds after which a location is no answer to a question asked now.
  public static let stale = 10.0

  private let wish: DesiredAccuracy
  private let asked: Timestamp
  private let deadline: Timestamp
  private var best: Location?

  /// A question asked at `now`, to be answered within `limit` seconds (1 ms to ``longest``).
  public init(wish: DesiredAccuracy, within limit: Double, at now: Timestamp) {
    self.wish = wish
    asked = now
    deadline = now.advanced(bySeconds: Self.limit(limit))
  }

  /// Seconds within which a question is answered; not-a-number ends at once rather than never.
  static func limit(_ seconds: Double) -> Double { seconds >= 1e-3 ? min(seconds, longest) : 1e-3 }

  /// The answer, once `location` is good enough. One that was known before must be fresh and
  /// meet the wish by itself.
  public mutating func offer(_ location: Location, at now: Timestamp) -> Result<Location, LocationError>? {
    if location.isValid, asked.seconds(since: location.timestamp) <= Self.stale {
      if location.horizontalAccuracy <= wish.meters { return .success(location) }
      if location.horizontalAccuracy <= best?.horizontalAccuracy ?? .infinity { best = location }
    }
    return tick(at: now, unknown: nil)
  }

  /// Forgets the best so far.
  public mutating func forgetPlaces() { best = nil }

  /// The answer, once the time is up: the best location, or why there is none.
  public func tick(
    at now: Timestamp, unknown: LocationError.UnknownReason?
  ) -> Result<Location, LocationError>? {
    guard now >= deadline else { return nil }
    return best.map { .success($0) } ?? .failure(.locationUnknown(unknown ?? .searching))
  }
}

/// The most accurate of several: collects so many, drops stale and invalid ones.
public struct BestOfRequest: Sendable, Equatable {
  /// How many locations can be asked for.
  public static let most = 1000

  private let wanted: Int
  private let asked: Timestamp
  private let deadline: Timestamp
  private var collected = 0
  private var newest: Timestamp?
  private var best: Location?

  /// The best of `count` (1 to ``most``) within `limit` seconds of `now`.
  public init(_ count: Int, within limit: Double, at now: Timestamp) {
    wanted = min(max(count, 1), Self.most)
    asked = now
    deadline = now.advanced(bySeconds: OneShotRequest.limit(limit))
  }

  /// The answer, once enough are collected. Cached locations, invalid ones, those from before the question
  /// and those of a time that has been counted do not count.
  public mutating func offer(_ location: Location, at now: Timestamp) -> Result<Location, LocationError>? {
    let isNew = newest.map { location.timestamp > $0 } ?? true
    if location.isValid, !location.sources.contains(.cached), isNew, location.timestamp >= asked {
      collected += 1
      newest = location.timestamp
      if location.horizontalAccuracy <= best?.horizontalAccuracy ?? .infinity { best = location }
      if collected >= wanted, let best { return .success(best) }
    }
    return tick(at: now, unknown: nil)
  }

  /// Forgets what was collected, and collects anew.
  public mutating func forgetPlaces() { (collected, newest, best) = (0, nil, nil) }

  /// The answer, once the time is up: the best of those that came, or why there are none.
  public func tick(
    at now: Timestamp, unknown: LocationError.UnknownReason?
  ) -> Result<Location, LocationError>? {
    guard now >= deadline else { return nil }
    return best.map { .success($0) } ?? .failure(.locationUnknown(unknown ?? .searching))
  }
}
