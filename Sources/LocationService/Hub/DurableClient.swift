import Location
import Navigation

/// What is kept of a client while it is away, and across restarts: by its name and
/// user, not by its connection.
public struct DurableClient: Sendable, Equatable {
  /// Its regions, and the events it has not acknowledged.
  public var regions = RegionMonitor()
  /// Whether it wishes to be told of significant changes.
  public var wantsSignificantChanges = false
  /// From where the next significant change is measured: also across restarts, or each would be one.
  public var lastChange: Location?
  /// Significant changes that it has not been told, oldest first.
  public var pendingChanges: [Location] = []

  /// Whether it wishes to be told where the car parks.
  public var wantsVisits = false
  /// Visits that it has not been told, oldest first.
  public var pendingVisits: [Visit] = []
  /// Since when the history is kept for it, in UTC; nil where it has not asked for it.
  public var historySince: Timestamp?

  /// How many significant changes wait for a client: then the oldest go.
  static let mostPendingChanges = 50
  /// How many visits do: a week's.
  static let mostPendingVisits = 100

  /// A client of which nothing is kept.
  public init() {}

  var isEmpty: Bool { self == DurableClient() }

  /// Whether nothing is to be done or told for it; the numbers of its events go on.
  var isIdle: Bool {
    regions.watches.isEmpty && regions.pending.isEmpty && !wantsSignificantChanges && pendingChanges.isEmpty
      && !wantsVisits && pendingVisits.isEmpty && historySince == nil
  }
}

/// What must be written so that it outlives the service.
public enum StoreChange: Sendable, Equatable {
  /// All that is kept of a client.
  case client(ClientIdentity, DurableClient)
  /// What was decided about a client; nil forgets it.
  case decision(ClientIdentity, AuthorizationPolicy.Grant?)
  /// Who used location, the whole of it.
  case audit([UsageAudit.Entry])
  /// Where the car was last.
  case lastLocation(Location)
  /// Where the car stands, for visits; nil where that is not to be known.
  case stay(VisitMonitor.Stay?)
  /// Where the car was.
  case history(HistoryChange)
}

/// What was written before.
public struct StoredState: Sendable, Equatable {
  /// Each client by its name and user.
  public var clients: [ClientIdentity: DurableClient] = [:]
  /// What was decided.
  public var decisions: [ClientIdentity: AuthorizationPolicy.Grant] = [:]
  /// Who used location.
  public var audit: [UsageAudit.Entry] = []
  /// Where the car was last.
  public var lastLocation: Location?
  /// Where the car stood, for visits.
  public var stay: VisitMonitor.Stay?
  /// Where the car was in the last 24 hours, in order of time.
  public var history: [LocationHistory.Entry] = []
  /// Rows that made no sense and are left out.
  public var unreadableRows = 0

  /// Nothing.
  public init() {}
}
