import Location
import Navigation

/// All clients with their wishes, and what each is told: a state machine without transport, clock or storage.
///
/// The caller feeds it locations, time, connections and messages, sends what ``next(for:)`` gives, ends
/// what ``isOver(_:)`` says, and writes what ``takeStoreChanges()`` gives. A region event, and an
/// answer that says that something was decided or begun, leaves only once it is written: a crash
/// between cannot lose or double it.
public struct Hub: Sendable {
  /// A connection, by a number that is never used again.
  public typealias ConnectionID = UInt64

  /// What the engine and its sensors say.
  public struct Input: Sendable {
    /// The newest location; nil if there is none.
    public var location: Location?
    /// Where the engine stands; nil before it has begun.
    public var mode: NavigationMode?
    /// How many sources are configured.
    public var sources: Int
    /// The names of those that do not deliver.
    public var lostSources: [String]
    /// Whether nothing more comes: a replayed drive is over.
    public var hasEnded: Bool

    /// A location from so many sources.
    public init(
      location: Location?, mode: NavigationMode? = nil, sources: Int, lostSources: [String] = [],
      hasEnded: Bool = false
    ) {
      self.location = location
      self.mode = mode ?? location?.mode
      self.sources = sources
      self.lostSources = lostSources
      self.hasEnded = hasEnded
    }
  }

  var policy: AuthorizationPolicy
  /// Users who may decide about clients: root, and the one that the service runs as.
  private let administrators: Set<UInt32>
  var clients: [ConnectionID: ConnectedClient] = [:]
  var durable: [ClientIdentity: DurableClient]
  /// By client, because changes are counted also while it is away; what must last of it is in
  /// ``DurableClient/lastChange``.
  var significant: [ClientIdentity: SignificantChange] = [:]
  var audit: UsageAudit
  var visits: VisitMonitor
  var history: LocationHistory
  var latest: Input
  var now = Timestamp(nanoseconds: 0)
  var utc: Timestamp?
  var nextConnection: ConnectionID = 1

  var lastDurable: Timestamp?
  var storage = HubStorage()

  /// A hub that goes on from what was stored.
  ///
  /// - Parameters:
  ///   - policy: who may know; its decisions are those that were stored.
  ///   - administrators: users who may decide about clients.
  public init(
    stored: StoredState = StoredState(), policy: AuthorizationPolicy = AuthorizationPolicy(),
    administrators: Set<UInt32> = [0]
  ) {
    var policy = policy
    for (client, grant) in stored.decisions { policy.decide(grant, for: client) }
    self.policy = policy
    self.administrators = administrators
    durable = stored.clients
    significant = stored.clients.compactMapValues { $0.lastChange.map { SignificantChange(after: $0) } }
    audit = UsageAudit(entries: stored.audit)
    visits = VisitMonitor(kept: stored.stay)
    storage.stay = stored.stay
    history = LocationHistory(entries: stored.history)
    latest = Input(location: nil, sources: 0)
    if var last = stored.lastLocation {
      last.sources.insert(.cached)
      lastKnown = last
    }
    // The rules may be others than those of the last start.
    forgetExactChanges()
    forgetHistory()
    forgetStay()
  }

  /// The newest place, at first that of the last start: it stays known where the engine has none any more.
  var lastKnown: Location?
  /// By user: what its clients with reduced accuracy are told, however they are called and
  /// however often they connect.
  var reducedPlaces: [UInt32: ReducedAccuracy] = [:]
  /// By cells or access points, with the time of its scan.
  var coarse: Location?

  /// What must run for all clients together, those that are away with regions included.
  public var demand: HardwareDemand {
    var demands = clients.values.map(\.demand)
    for (client, kept) in durable where policy.grant(for: client).status.isAuthorized {
      if !kept.regions.watches.isEmpty { demands.append(.regions) }
      if kept.wantsSignificantChanges || kept.wantsVisits || kept.historySince != nil {
        demands.append(.significantChange)
      }
    }
    return .strictest(demands)
  }

  /// How many connections there are.
  public var connectionCount: Int { clients.count }
  /// Locations that slow clients have lost, over the connections that there are.
  public var lostLocations: Int { clients.values.reduce(0) { $0 + $1.outbox.lost } }

  /// Whether `user` may decide about clients.
  func isAdministrator(_ user: UInt32) -> Bool { administrators.contains(user) }

  /// Since when a connection waits to be let; nil of one that is let, and of those who may decide about
  /// clients: they need not be.
  func waitsSince(_ id: ConnectionID) -> Timestamp? {
    guard let client = clients[id], !administrators.contains(client.user) else { return nil }
    return client.deniedSince
  }

  /// A new connection of a process of `user`.
  public mutating func connect(user: UInt32) -> ConnectionID {
    defer { nextConnection += 1 }
    clients[nextConnection] = ConnectedClient(user: user)
    return nextConnection
  }

  /// A connection has ended: its events that were not acknowledged go to another of the same
  /// client, if there is one.
  public mutating func disconnect(_ id: ConnectionID) {
    guard var gone = clients.removeValue(forKey: id), let identity = gone.identity else { return }
    note(&gone, identity)
    for event in durable[identity]?.regions.pending ?? [] where gone.inFlight.contains(event.number) {
      deliver(event, to: identity)
    }
  }

  /// The next message to send to a connection.
  public mutating func next(for id: ConnectionID) -> Outgoing? {
    clients[id]?.outbox.next().map(Outgoing.init)
  }

  /// A message on its way out.
  public struct Outgoing: Sendable {
    package var message: ServiceMessage
    init(_ message: ServiceMessage) { self.message = message }
  }

  // A client is taken out while it is changed: a copy of it in the dictionary would have its arrays
  // copied with every change.
  mutating func withClient(_ id: ConnectionID, _ body: (inout ConnectedClient, inout Hub) -> Void) {
    guard var client = clients.removeValue(forKey: id) else { return }
    body(&client, &self)
    clients[id] = client
  }

  /// Whether anything waits for a connection.
  public func hasOutput(_ id: ConnectionID) -> Bool { clients[id].map { !$0.outbox.isEmpty } ?? false }

  /// Whether a connection must end once its output is sent, or at once because it takes none.
  public func isOver(_ id: ConnectionID) -> Bool {
    guard let client = clients[id] else { return true }
    return client.end != nil || client.outbox.isOverfull
  }

  /// What is to be written, with the number to confirm it by; nil if there is nothing.
  public mutating func takeStoreChanges() -> (number: UInt64, changes: [StoreChange])? {
    for client in storage.dirty.sorted(by: { ($0.name, $0.user) < ($1.name, $1.user) }) {
      storage.changes.append(.client(client, durable[client] ?? DurableClient()))
    }
    noteHandedOver()
    storage.dirty = []
    guard !storage.changes.isEmpty else { return nil }
    defer {
      storage.changes = []
      storage.writeNumber += 1
    }
    return (storage.writeNumber, storage.changes)
  }

  /// All up to the write `number` has been written, or could not be: events and answers of those writes may
  /// leave. While nothing can be written events are told all the same, and answers say that nothing is
  /// stored.
  public mutating func stored(_ number: UInt64, succeeded: Bool = true) {
    storage.isBroken = !succeeded
    if succeeded { noteStored(number) }
    let ready = storage.awaiting.filter { $0.write <= number }
    storage.awaiting.removeAll { $0.write <= number }
    for item in ready { deliver(item.event, to: item.client) }
    settle(upTo: number, succeeded: succeeded)
  }
}
