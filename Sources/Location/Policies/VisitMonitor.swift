import Navigation

/// Tells where the car parks: when it has come, once that is certain, and when it has left.
///
/// It has come when it stood for ``dwell`` seconds and was not seen to move meanwhile: longer than a red
/// light, a level crossing or a stop in a jam, where a car creeps on every few minutes. (A road that is
/// closed for longer cannot be told from a car park.) The arrival is when it came to stand. It has left when
/// it is beyond ``reach`` metres for certain, and the departure is when it was last seen to stand there.
///
/// A computer that is switched off with the car sees no more of the stay: so it is kept,
/// and time goes on by UTC.
public struct VisitMonitor: Sendable, Equatable {
  /// Seconds of standing after which the car is parked.
  public static let dwell = 600.0
  /// Metres about the place that are still the same: a car park's lane.
  public static let reach = 50.0
  /// So many standard radii of both places together must lie between them.
  static let certainty = 3.0
  /// Metres: a place that is known worse is none to visit.
  static let worstAccuracy = 100.0
  /// Seconds for which the car must be seen away.
  static let confirmation = 5.0
  /// Seconds after which a stay is worth keeping: most stops are shorter.
  static let leastKept = 60.0

  /// The car stands somewhere.
  public struct Stay: Sendable, Hashable {
    /// Where, with the time of arrival where that was seen.
    public var visit: Visit
    /// Since when it is known to stand there, in UTC.
    public var since: Timestamp
    /// Whether it is parked, and that has been told.
    public var isVisit: Bool

    /// A stay at a place since then.
    public init(visit: Visit, since: Timestamp, isVisit: Bool) {
      (self.visit, self.since, self.isVisit) = (visit, since, isVisit)
    }
  }

  /// The stay as it must outlive the service; nil while there is none that is worth it.
  public private(set) var kept: Stay?
  private var stay: Stay?
  /// When it began, by the clock that never steps; nil of one that an earlier run has seen begin.
  private var began: Timestamp?
  /// Whether the car was seen to move: only then its arrival was.
  private var hasMoved = false
  private var awaySince: Timestamp?
  private var lastStanding: Timestamp?

  /// Goes on with a stay of an earlier run.
  public init(kept: Stay? = nil) { (self.kept, stay) = (kept, kept) }

  /// The visit that begins or ends with `location`. One without UTC is passed over.
  public mutating func update(_ location: Location) -> Visit? {
    guard location.isValid, let utc = location.utc else { return nil }
    guard let stay else {
      begin(location, utc)
      return nil
    }
    if isAway(location, from: stay) { return leave(stay, location, utc) }
    awaySince = nil
    let elapsed = began.map { location.timestamp.seconds(since: $0) } ?? utc.seconds(since: stay.since)
    let wasOff = began == nil && elapsed >= Self.dwell
    if !stay.isVisit, location.isSurelyMoving, !wasOff {
      forget(hasMoved: true)
      return nil
    }
    if location.isSeenStanding { lastStanding = utc }
    if location.horizontalAccuracy < stay.visit.horizontalAccuracy {
      self.stay?.visit.coordinate = location.coordinate
      self.stay?.visit.horizontalAccuracy = location.horizontalAccuracy
    }
    if elapsed >= Self.leastKept, kept == nil { keep() }
    guard !stay.isVisit, elapsed >= Self.dwell, wasOff || location.isSeenStanding,
      location.horizontalAccuracy <= Self.worstAccuracy
    else { return nil }
    self.stay?.isVisit = true
    keep()
    return self.stay?.visit
  }

  /// Keeps the stay as it is now, as before the end of the service.
  public mutating func keep() { kept = stay }

  private mutating func begin(_ location: Location, _ utc: Timestamp) {
    if location.isSurelyMoving { hasMoved = true }
    guard location.isSeenStanding, location.horizontalAccuracy <= Self.worstAccuracy else { return }
    let visit = Visit(
      coordinate: location.coordinate, horizontalAccuracy: location.horizontalAccuracy,
      arrival: hasMoved ? utc : nil, sources: location.sources)
    stay = Stay(visit: visit, since: utc, isVisit: false)
    (began, lastStanding) = (location.timestamp, utc)
  }

  private func isAway(_ location: Location, from stay: Stay) -> Bool {
    let (r1, r2) = (location.horizontalAccuracy, stay.visit.horizontalAccuracy)
    return location.coordinate.distance(from: stay.visit.coordinate)
      > max(Self.reach, Self.certainty * (r1 * r1 + r2 * r2).squareRoot())
  }

  private mutating func leave(_ stay: Stay, _ location: Location, _ utc: Timestamp) -> Visit? {
    let first = awaySince ?? location.timestamp
    awaySince = first
    guard location.timestamp.seconds(since: first) >= Self.confirmation else { return nil }
    var visit = stay.visit
    visit.departure = max(lastStanding ?? utc, visit.arrival ?? stay.since)
    forget(hasMoved: true)
    return stay.isVisit ? visit : nil
  }

  private mutating func forget(hasMoved: Bool) {
    self = VisitMonitor()
    self.hasMoved = hasMoved
  }
}
