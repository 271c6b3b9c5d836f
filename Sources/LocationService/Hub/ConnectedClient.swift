import Location
import Navigation

/// A connection, and what runs for it.
struct ConnectedClient: Sendable {
  /// A question that has not been answered.
  enum Request: Sendable {
    case oneShot(OneShotRequest)
    case bestOf(BestOfRequest)

    mutating func offer(_ location: Location, at now: Timestamp) -> Result<Location, LocationError>? {
      switch self {
      case .oneShot(var request):
        defer { self = .oneShot(request) }
        return request.offer(location, at: now)
      case .bestOf(var request):
        defer { self = .bestOf(request) }
        return request.offer(location, at: now)
      }
    }

    mutating func forgetPlaces() {
      switch self {
      case .oneShot(var request):
        defer { self = .oneShot(request) }
        request.forgetPlaces()
      case .bestOf(var request):
        defer { self = .bestOf(request) }
        request.forgetPlaces()
      }
    }

    func tick(
      at now: Timestamp, unknown: LocationError.UnknownReason?
    ) -> Result<Location, LocationError>? {
      switch self {
      case .oneShot(let request): request.tick(at: now, unknown: unknown)
      case .bestOf(let request): request.tick(at: now, unknown: unknown)
      }
    }
  }

  /// How many questions may be open at once.
  static let mostRequests = 16

  /// Who the kernel says the process is.
  let user: UInt32
  /// Who it says it is; nil before its first message.
  var identity: ClientIdentity?
  var purpose = ""
  var grant = AuthorizationPolicy.Grant(.notDetermined)
  /// Full accuracy for a while, one for each purpose that it asked for and that runs: ``grant``
  /// has it while there is any.
  var temporary: [TemporaryFullAccuracy] = []
  /// Since when it is told nothing but its denial; nil before its first message, and while it is let.
  var deniedSince: Timestamp?
  var standard = StandardService()
  /// Session of the significant-change service; nil while this connection has not started it.
  var significantSession: Int64?
  /// Session of the visits; nil while this connection has not started them.
  var visitSession: Int64?
  var heading = HeadingService()
  var requests: [Int64: Request] = [:]
  var heartbeat = StatusHeartbeat()
  /// Region events that were sent and not acknowledged.
  var inFlight: Set<Int64> = []
  var outbox = Outbox()
  /// Why the connection must end; nil while it may go on.
  var end: LocationError?
  /// Locations sent since the last entry in the audit.
  var told = 0

  init(user: UInt32) { self.user = user }

  /// Whether anything but the refusal may be said.
  var isLet: Bool { identity != nil && grant.status.isAuthorized }

  /// What it needs location for, for the audit: with the keys of all purposes that more is told for, or as
  /// many as there is room for and the number of the others.
  var auditedPurpose: String {
    let keys = temporary.map(\.purposeKey)
    guard !keys.isEmpty else { return purpose }
    let whole = keys.joined(separator: ", ")
    let shorter = keys.indices.dropFirst().reversed().lazy.map { count in
      "\(keys[..<count].joined(separator: ", ")) and \(keys.count - count) more"
    }
    return [whole + ": " + purpose, whole].first(where: ClientIdentity.isPurpose)
      ?? shorter.first(where: ClientIdentity.isPurpose) ?? keys[0]
  }

  /// Drops all that was made for another accuracy and has not been taken; what was asked for goes on.
  mutating func forgetPlaces() {
    standard.forgetPlaces()
    for number in requests.keys { requests[number]?.forgetPlaces() }
    heartbeat = StatusHeartbeat()
    heading.forget()
    if grant.accuracy == .reduced {
      outbox.forgetExactPlaces()
      if heading.session != nil { outbox.post(.refused(.heading, .denied(.accuracyReduced))) }
      inFlight = []
    } else {
      outbox.dropLocations(of: .standard)
      outbox.dropLocations(of: .significantChange)
    }
  }

  /// What must run for this connection.
  var demand: HardwareDemand {
    guard isLet else { return .off }
    var demands = [standard.demand]
    if significantSession != nil || visitSession != nil { demands.append(.significantChange) }
    if heading.session != nil, grant.accuracy == .full { demands.append(.standard(.bestForNavigation)) }
    if !requests.isEmpty { demands.append(.standard(standard.settings.desiredAccuracy)) }
    return .strictest(demands)
  }
}
