import Navigation

/// Where the car stands to one region, told with hysteresis by the accuracy radius.
///
/// To change its mind it needs the place to lie beyond the edge by twice the accuracy radius (2.4 standard
/// deviations across the edge), for a second and in two locations. A car that stands still crosses no edge:
/// while the engine says so, it needs four times the radius.
public struct RegionWatch: Sendable, Equatable {
  /// The region.
  public let region: Region
  /// What is held to be true.
  public private(set) var state: RegionState

  /// Beyond the edge by so many accuracy radii, moving; …
  static let margin = 2.0
  /// … and standing still.
  static let marginAtRest = 4.0
  /// Hysteresis in metres where the place is known better than that.
  static let leastMargin = 3.0
  /// Seconds for which the other side must be seen.
  static let confirmation = 1.0

  private var candidate: (state: RegionState, since: Timestamp)?

  /// A region and what was known of it before.
  public init(region: Region, state: RegionState = .unknown) {
    self.region = region
    self.state = state
  }

  /// The edge that was crossed by `location`, if any. Going from unknown to a side is no crossing.
  public mutating func update(_ location: Location) -> RegionEvent.Kind? {
    guard location.isValid, let seen = side(of: location), seen != state else {
      // Neither side is seen for certain, or the one that is held: there is nothing to confirm.
      candidate = nil
      return nil
    }
    guard let first = candidate, first.state == seen, location.timestamp >= first.since else {
      candidate = (seen, location.timestamp)
      return nil
    }
    guard location.timestamp.seconds(since: first.since) >= Self.confirmation else { return nil }
    let before = state
    state = seen
    candidate = nil
    if before == .unknown { return nil }
    return seen == .inside ? .entered : .exited
  }

  private func side(of location: Location) -> RegionState? {
    let distance = location.coordinate.distance(from: region.center)
    let radii = location.mode == .stationary && state != .unknown ? Self.marginAtRest : Self.margin
    let margin = max(Self.leastMargin, radii * location.horizontalAccuracy)
    if distance >= region.radius + margin { return .outside }
    // Well inside must be possible in a small region too, as long as the place is known better
    // than the region is wide.
    guard location.horizontalAccuracy <= region.radius else { return nil }
    return distance <= region.radius - min(margin, region.radius / 2) ? .inside : nil
  }

  /// Whether two watches are of the same region in the same state.
  public static func == (a: RegionWatch, b: RegionWatch) -> Bool {
    a.region == b.region && a.state == b.state && a.candidate?.state == b.candidate?.state
      && a.candidate?.since == b.candidate?.since
  }
}

/// The regions of one client, and what it has not been told yet.
public struct RegionMonitor: Sendable, Equatable {
  /// How many regions a client may monitor.
  public static let limit = 100
  /// How many events are kept for a client that is away: then the oldest go.
  public static let pendingLimit = 1000

  /// Each region by its identifier.
  public private(set) var watches: [String: RegionWatch]
  /// Events that the client has not acknowledged, oldest first.
  public private(set) var pending: [RegionEvent]
  /// The number that the next event gets.
  public private(set) var nextNumber: Int64

  /// What a client left behind; all empty for a new one.
  public init(watches: [RegionWatch] = [], pending: [RegionEvent] = [], nextNumber: Int64 = 1) {
    self.watches = Dictionary(watches.map { ($0.region.identifier, $0) }) { _, new in new }
    self.pending = pending.sorted { $0.number < $1.number }
    self.nextNumber = max(nextNumber, (pending.map(\.number).max() ?? 0) + 1)
  }

  /// The monitored regions, by identifier.
  public var regions: [Region] {
    watches.values.map(\.region).sorted { $0.identifier < $1.identifier }
  }

  /// Starts to monitor `region`, in place of one with its identifier; the same region goes on
  /// in the state that it had.
  public mutating func start(_ region: Region) throws(LocationError) {
    if let flaw = region.flaw { throw .regionMonitoringFailed(.invalid(flaw)) }
    if watches[region.identifier]?.region == region { return }
    guard watches[region.identifier] != nil || watches.count < Self.limit else {
      throw .regionMonitoringFailed(.tooMany(limit: Self.limit))
    }
    watches[region.identifier] = RegionWatch(region: region)
    pending.removeAll { $0.identifier == region.identifier }
  }

  /// Ends monitoring, and forgets events of that region that have not been told. Whether
  /// there was such a region.
  @discardableResult
  public mutating func stop(_ identifier: String) -> Bool {
    pending.removeAll { $0.identifier == identifier }
    return watches.removeValue(forKey: identifier) != nil
  }

  /// Puts `watch` back in its place, or ends what is there.
  package mutating func restore(_ watch: RegionWatch?, of identifier: String) {
    stop(identifier)
    watches[identifier] = watch
  }

  /// Where the car stands to a region; nil if it is not monitored.
  public func state(of identifier: String) -> RegionState? { watches[identifier]?.state }

  /// The events that `location` makes, which are pending from then on; and the regions
  /// whose state has changed.
  public mutating func update(_ location: Location) -> (events: [RegionEvent], changed: [String]) {
    var events: [RegionEvent] = []
    var changed: [String] = []
    for identifier in watches.keys.sorted() {
      guard var watch = watches[identifier] else { continue }
      let before = watch.state
      let crossing = watch.update(location)
      watches[identifier] = watch
      if watch.state != before { changed.append(identifier) }
      guard let crossing, isWanted(crossing, watch.region) else { continue }
      events.append(
        RegionEvent(
          number: nextNumber, identifier: identifier, kind: crossing, timestamp: location.timestamp,
          utc: location.utc))
      nextNumber += 1
    }
    pending += events
    if pending.count > Self.pendingLimit { pending.removeFirst(pending.count - Self.pendingLimit) }
    return (events, changed)
  }

  /// The client has the event `number`: it is not told again. Whether it was pending.
  @discardableResult
  public mutating func acknowledge(_ number: Int64) -> Bool {
    let count = pending.count
    pending.removeAll { $0.number == number }
    return pending.count < count
  }

  private func isWanted(_ crossing: RegionEvent.Kind, _ region: Region) -> Bool {
    crossing == .entered ? region.notifyOnEntry : region.notifyOnExit
  }
}
