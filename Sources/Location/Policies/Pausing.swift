import Navigation

/// Pauses the updates of a client whose car stands for long, and resumes them when it moves.
///
/// Standing still must be **seen**: while fixes are lost the engine goes on by dead reckoning, and if it says
/// nothing at all, the time does not count. A tunnel is not a stop.
public struct Pausing: Sendable, Equatable {
  /// Whether to tell that updates pause or go on.
  public enum Change: Sendable, Equatable {
    /// Updates pause.
    case paused
    /// Updates go on.
    case resumed
  }

  /// Whether the client lets updates pause.
  public var isEnabled: Bool
  /// What the client's user does.
  public var activity: ActivityType
  /// Whether updates are paused.
  public private(set) var isPaused = false

  /// Seconds of seen standstill before a pause; nil for never. Guiding a car, a level crossing or a ferry's
  /// queue is no end of the journey.
  public static func standstill(_ activity: ActivityType) -> Double? {
    switch activity {
    case .automotiveNavigation: 900
    case .otherNavigation: 900
    case .fitness: 120
    case .other: 300
    case .airborne: nil
    }
  }

  /// Seconds without any location after which standing still is not seen any more.
  static let longestGap = 10.0
  /// Metres from where it paused, beyond doubt of either place: moved.
  static let movedDistance = 30.0

  private var since: Timestamp?
  private var last: Location?

  /// A client that lets updates pause, or not.
  public init(isEnabled: Bool = true, activity: ActivityType = .automotiveNavigation) {
    self.isEnabled = isEnabled
    self.activity = activity
  }

  /// What `location` changes.
  public mutating func update(_ location: Location) -> Change? {
    guard location.isValid else {
      since = nil
      return nil
    }
    guard isEnabled else {
      since = nil
      return resume()
    }
    if isPaused { return hasMoved(location) ? resume() : nil }
    defer { last = location }
    guard location.isSeenStanding else {
      since = nil
      return nil
    }
    if let last, location.timestamp.seconds(since: last.timestamp) > Self.longestGap { since = nil }
    let start = since ?? location.timestamp
    since = start
    guard let limit = Self.standstill(activity),
      location.timestamp.seconds(since: start) >= limit
    else { return nil }
    isPaused = true
    return .paused
  }

  /// Begins anew, as at a start of updates.
  public mutating func restart() {
    isPaused = false
    since = nil
    last = nil
  }

  private mutating func resume() -> Change? {
    guard isPaused else { return nil }
    restart()
    return .resumed
  }

  private func hasMoved(_ location: Location) -> Bool {
    if location.mode == .stationary { return false }
    if location.isSurelyMoving { return true }
    guard let last else { return true }
    let doubt = 2 * (last.horizontalAccuracy + location.horizontalAccuracy)
    return location.distance(from: last) > max(Self.movedDistance, doubt)
  }
}
