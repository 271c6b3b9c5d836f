import Navigation

/// Where the car was in the last 24 hours, thinned: a place in ten seconds while the car moves
/// on by more than 25 m and its doubt, and one in a quarter of an hour while it does not. So
/// there are at most ``limit``.
public struct LocationHistory: Sendable, Equatable {
  /// A place that is kept.
  public struct Entry: Sendable, Hashable {
    /// When, nanoseconds since 1970.
    public var utc: Timestamp
    /// Where.
    public var coordinate: Coordinate
    /// Radius in metres that holds the place with 68 %.
    public var horizontalAccuracy: Double
    /// What it was made of.
    public var sources: LocationSources

    /// A place at `utc`.
    public init(
      utc: Timestamp, coordinate: Coordinate, horizontalAccuracy: Double, sources: LocationSources
    ) {
      self.utc = utc
      self.coordinate = coordinate
      self.horizontalAccuracy = horizontalAccuracy
      self.sources = sources
    }
  }

  /// Seconds for which places are kept.
  public static let memory = 86_400.0
  /// Seconds from one to the next while the car moves, …
  public static let interval = 10.0
  /// … and while it does not.
  public static let intervalAtRest = 900.0
  /// Metres that it must have moved.
  public static let distance = 25.0
  /// How many there can be.
  public static let limit = Int(memory / interval)
  /// How many one question is answered with.
  public static let most = 1000
  /// Seconds from one to the next of what clients with reduced accuracy are told.
  public static let reducedInterval = ReducedAccuracy.interval

  /// In order of time.
  public private(set) var entries: [Entry]

  /// What was kept before.
  public init(entries: [Entry] = []) {
    self.entries = entries.sorted { $0.utc < $1.utc }.suffix(Self.limit)
  }

  /// Keeps `location` where it is due; what was kept, if it was. One without UTC is passed over.
  public mutating func note(_ location: Location) -> Entry? {
    guard location.isValid, let utc = location.utc else { return nil }
    // A clock that goes back was wrong about what seems to come; but only the satellites' knows.
    if let last = entries.last, last.utc > utc, !location.sources.contains(.gnss) { return nil }
    while let last = entries.last, last.utc > utc { entries.removeLast() }
    if let last = entries.last {
      let moved = location.coordinate.distance(from: last.coordinate)
      let doubt = max(Self.distance, location.horizontalAccuracy)
      let interval = moved > doubt ? Self.interval : Self.intervalAtRest
      guard utc.seconds(since: last.utc) >= interval else { return nil }
    }
    let entry = Entry(
      utc: utc, coordinate: location.coordinate, horizontalAccuracy: location.horizontalAccuracy,
      sources: location.sources)
    entries.append(entry)
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    return entry
  }

  /// Forgets what is older than a day; whether there was such.
  @discardableResult
  public mutating func forget(before utc: Timestamp) -> Bool {
    let oldest = utc.advanced(bySeconds: -Self.memory)
    let count = entries.prefix { $0.utc < oldest }.count
    entries.removeFirst(count)
    return count > 0
  }

  /// At most `count` places since `start`, evenly chosen, the newest among them.
  public func entries(since start: Timestamp, count: Int) -> [Entry] {
    Self.thin(entries.drop { $0.utc < start }, count)
  }

  /// The same for clients with reduced accuracy: the coarse place of the first of each quarter of an
  /// hour of UTC that is kept whole, so that no question, and no waiting, tells when the car went
  /// from one cell to the next.
  public func reducedEntries(since start: Timestamp, count: Int, now: Timestamp) -> [Entry] {
    let slot = Int64(Self.reducedInterval * 1e9)
    func number(_ time: Timestamp) -> Int64 {
      Int64((Double(time.nanoseconds) / Double(slot)).rounded(.down))
    }
    let oldest = max(start, now.advanced(bySeconds: -Self.memory))
    var told: [Entry] = []
    var last = number(oldest)
    for entry in entries where number(entry.utc) > last && number(entry.utc) < number(now) {
      last = number(entry.utc)
      let coarse = ReducedAccuracy.coarse(
        Location(
          coordinate: entry.coordinate, horizontalAccuracy: entry.horizontalAccuracy, timestamp: entry.utc,
          sources: entry.sources))
      told.append(
        Entry(
          utc: Timestamp(nanoseconds: last * slot), coordinate: coarse.coordinate,
          horizontalAccuracy: coarse.horizontalAccuracy, sources: coarse.sources))
    }
    return Self.thin(told[...], count)
  }

  private static func thin(_ entries: ArraySlice<Entry>, _ count: Int) -> [Entry] {
    let count = min(max(1, count), most)
    guard entries.count > count else { return Array(entries) }
    return (1...count).map { entries[entries.startIndex + ($0 * entries.count) / count - 1] }
  }
}

extension Location {
  /// What was kept, for a clock that shows `now` at `utc`: it may have been before the computer was started.
  package init(_ entry: LocationHistory.Entry, now: Timestamp, utc: Timestamp) {
    self.init(
      coordinate: entry.coordinate, horizontalAccuracy: entry.horizontalAccuracy,
      timestamp: now.advanced(bySeconds: -utc.seconds(since: entry.utc)), utc: entry.utc,
      sources: entry.sources.union(.cached), mode: nil)
  }
}
