import Location
import Navigation

/// One client of the hub within the service itself, of the service's own user: while it is
/// connected it is told what it may know, needs the sensors, and is in the audit, as every other.
/// Lives on the host's event loop.
struct HubClient {
  let identity: ClientIdentity
  private let purpose: String
  private(set) var id: Hub.ConnectionID?
  /// What it may know, as it was looked up last.
  private(set) var grant: AuthorizationPolicy.Grant?
  /// The newest that it was told.
  private(set) var location: Location?
  private(set) var status: LocationStatus?

  /// A client by the name that it is authorized by, and what it needs location for.
  init(name: String, user: UInt32, purpose: String) {
    identity = ClientIdentity(name: name, user: user)
    self.purpose = purpose
  }

  /// Whether it may know the exact place.
  var isExact: Bool { grant?.status == .authorized && grant?.accuracy == .full }

  /// Asks for all that there is; nothing where it does already.
  mutating func connect(_ hub: inout Hub) {
    guard id == nil else { return }
    let id = hub.connect(user: identity.user)
    self.id = id
    let now = BootClock.now()
    hub.receive(
      .hello(version: ClientMessage.version, name: identity.name, purpose: purpose), from: id, at: now)
    var settings = StandardService.Settings()
    settings.pausesAutomatically = false
    hub.receive(.configure(settings), from: id, at: now)
    hub.receive(.start(session: 1), from: id, at: now)
  }

  /// Needs nothing any more, and forgets what it was told.
  mutating func disconnect(_ hub: inout Hub) {
    guard let id else { return }
    self.id = nil
    (location, status) = (nil, nil)
    hub.disconnect(id)
  }

  /// Looks what it may know now; whether that is another than before, and then what it was told is forgotten.
  mutating func refresh(_ hub: Hub) -> Bool {
    let now = hub.grant(for: identity)
    guard now != grant else { return false }
    grant = now
    (location, status) = (nil, nil)
    return true
  }

  /// Takes what the hub has for it. To be called after ``refresh(_:)``.
  mutating func take(_ hub: inout Hub) {
    guard let id else { return }
    while let message = hub.next(for: id)?.message {
      switch message {
      case .locations(_, _, let batch): location = batch.last ?? location
      case .status(let status): self.status = status
      case .authorization(let grant) where grant.status == .authorized:
        hub.receive(.start(session: 1), from: id, at: BootClock.now())
      default: break
      }
    }
  }
}

extension Hub {
  /// What `client` may know now.
  func grant(for client: ClientIdentity) -> AuthorizationPolicy.Grant { policy.grant(for: client) }

  /// A connection was told so many locations more than it was sent.
  mutating func noteTold(_ id: ConnectionID, _ count: Int) { clients[id]?.told += count }
}
