import Navigation

/// What one client is told of the heading: the first that is known, then each that has turned by the
/// filter since the last one told, or is known ``improvedTimes`` better. While the heading is not
/// known it is told nothing.
public struct HeadingService: Sendable, Equatable {
  /// Seconds from one to the next.
  public static let interval = 0.1
  /// So many times better it is told without a turn.
  public static let improvedTimes = 2.0

  /// Number of the running session; nil while stopped.
  public private(set) var session: Int64?
  /// Degrees; nil for every heading. A number that is not above 0 is none, and becomes nil.
  public private(set) var filter: Double?
  private var last: Heading?

  /// Stopped.
  public init() {}

  /// Begins session `number`: the next heading that is known is told.
  public mutating func start(session number: Int64, filter: Double?) {
    (session, last) = (number, nil)
    self.filter = filter.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Ends it.
  public mutating func stop() { self = HeadingService() }

  /// Forgets what was told: the next heading is the first again.
  public mutating func forget() { last = nil }

  /// What is told of the heading of `location`.
  public mutating func offer(_ location: Location) -> Heading? {
    guard session != nil, let heading = Heading(location) else { return nil }
    if let last {
      // The clock of the solutions is not the client's.
      let age = heading.timestamp.seconds(since: last.timestamp)
      guard age >= Self.interval - StandardService.early else { return nil }
      let isBetter = heading.headingAccuracyDegrees * Self.improvedTimes <= last.headingAccuracyDegrees
      guard isBetter && filter != nil || last.turn(to: heading) >= filter ?? 0 else { return nil }
    }
    last = heading
    return heading
  }
}
