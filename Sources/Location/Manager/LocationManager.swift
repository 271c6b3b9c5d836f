import Locks
import Navigation

/// A program's access to location: its wishes, and what it is told.
///
/// ```swift
/// let manager = try LocationManager(identifier: "com.example.tracker", purpose: "draws the way")
/// manager.startUpdatingLocation()
/// for await event in manager.updates {
///   if case .locations(let locations) = event { print(locations) }
/// }
/// ```
///
/// It may be used from any thread. A service that is away is looked for again and again; what was started
/// goes on when it is back.
public final class LocationManager: Sendable {
  struct State {
    var settings = StandardService.Settings()
    var grant: AuthorizationPolicy.Grant?
    var isWelcome = false
    var sessions = Sessions()
    /// Iterators of live updates.
    var liveUpdates = 0
    var headingFilter: Double? = 1
    var heading: Heading?
    var isPaused = false
    var location: Location?
    var status: LocationStatus?
    var lastNumber: Int64 = 0
    var deferrals: [Int64] = []
    var regions: [String: Region] = [:]
    /// What the service keeps and must be told to stop once it is there.
    var stopped: [ClientMessage] = []
    var waiting = Waiting()
    var queues: [ObjectIdentifier: EventQueue] = [:]
    var seenEvents: Set<Int64> = []
    var unclaimed: [RegionEvent] = []
    /// Why nothing comes; nil while the service lets this client. Who begins to listen late is told it too.
    var hindrance: LocationError?
    var isClosed = false

    /// The numbers of the services that run.
    struct Sessions {
      var standard, significant, visits, heading: Int64?
      /// Whether the standard one is there for live updates alone.
      var isForLiveUpdates = false
    }

    /// Who waits for an answer.
    struct Waiting {
      var questions: [Int64: Question] = [:]
      /// For a region to be on the service's disk.
      var regionStarts: [String: [CheckedContinuation<Void, any Error>]] = [:]
      var regionQueries: [CheckedContinuation<[Region], any Error>] = []
      var stateQueries: [String: [CheckedContinuation<RegionState, any Error>]] = [:]
    }

    /// Who waits for an answer with a number.
    enum Question {
      case location(CheckedContinuation<Location, any Error>)
      case fullAccuracy(CheckedContinuation<Timestamp?, any Error>)
      case history(CheckedContinuation<[Location], any Error>)

      func fail(_ error: any Error) {
        switch self {
        case .location(let continuation): continuation.resume(throwing: error)
        case .fullAccuracy(let continuation): continuation.resume(throwing: error)
        case .history(let continuation): continuation.resume(throwing: error)
        }
      }
    }

    mutating func number() -> Int64 {
      lastNumber += 1
      return lastNumber
    }
  }

  /// The name by which the program is known and authorized.
  public let identifier: String
  /// What it needs location for, in a sentence for people.
  public let purpose: String

  let provider: any LocationProvider
  let state = Mutex(State())
  /// Held while events are handed out, so that nothing is on its way when a stop returns.
  let delivery = RecursiveLock()
  private let delegateBox = Mutex(WeakDelegate())

  struct WeakDelegate { weak var value: (any LocationManagerDelegate)? }

  /// A manager on a provider.
  package init(
    identifier: String, purpose: String, provider: any LocationProvider
  ) throws(LocationError) {
    guard ClientIdentity.isName(identifier) else { throw .identifierInvalid }
    if let flaw = ClientIdentity.flaw(inPurpose: purpose) { throw flaw }
    self.identifier = identifier
    self.purpose = purpose
    self.provider = provider
    provider.open { [weak self] in self?.receive($0) }
  }

  deinit {
    provider.close()
    finish()
  }

  /// Who is told beside the sequences; kept weakly.
  public var delegate: (any LocationManagerDelegate)? {
    get { delegateBox.withLock { $0.value } }
    set {
      delegateBox.withLock { $0.value = newValue }
      if newValue != nil { claim() }
    }
  }

  /// Everything that there is to tell.
  public var updates: LocationUpdates { LocationUpdates(manager: self) }

  /// The newest location that this manager was told, without waiting; nil before the first.
  public var location: Location? { state.withLock { $0.location } }
  /// What was said last of how the service is doing.
  public var status: LocationStatus? { state.withLock { $0.status } }
  /// What this client may know; not determined before the service has said so.
  public var authorizationStatus: AuthorizationStatus {
    state.withLock { $0.grant?.status ?? .notDetermined }
  }
  /// How exactly this client may know it.
  public var accuracyAuthorization: AccuracyAuthorization {
    state.withLock { $0.grant?.accuracy ?? .full }
  }
  /// Whether location services are on as a whole, as far as is known.
  public var locationServicesEnabled: Bool { authorizationStatus != .restricted }

  /// How well to know the place. It is a request.
  public var desiredAccuracy: DesiredAccuracy {
    get { state.withLock { $0.settings.desiredAccuracy } }
    set { configure { $0.desiredAccuracy = newValue } }
  }
  /// Metres between updates; for every update nil, the default, or a number that is not above 0.
  public var distanceFilter: Double? {
    get { state.withLock { $0.settings.distanceFilter } }
    set { configure { $0.distanceFilter = newValue } }
  }
  /// Whether updates may pause while the car stands for long.
  public var pausesLocationUpdatesAutomatically: Bool {
    get { state.withLock { $0.settings.pausesAutomatically } }
    set { configure { $0.pausesAutomatically = newValue } }
  }
  /// What the program's user does.
  public var activityType: ActivityType {
    get { state.withLock { $0.settings.activity } }
    set { configure { $0.activity = newValue } }
  }

  /// Starts the standard service. What is known is told at once, flagged as cached.
  public func startUpdatingLocation() {
    // The delivery lock keeps what is sent in the order of the state's changes.
    delivery.withLock {
      let session = state.withLock { state in
        let number = state.number()
        state.sessions.standard = number
        state.sessions.isForLiveUpdates = false
        state.isPaused = false
        return number
      }
      dropQueued(\.isLocations)
      send(.start(session: session))
    }
  }

  /// Stops the standard service: nothing of it arrives after this returns, also not
  /// what waited in a sequence.
  public func stopUpdatingLocation() {
    delivery.withLock {
      let session = state.withLock { state in
        defer { state.sessions.standard = nil }
        state.isPaused = false
        return state.sessions.standard
      }
      dropQueued(\.isLocations)
      send(.stop(session: session))
    }
  }

  /// Starts to tell of moves of some 500 m, and of those that happened while the program was away.
  public func startMonitoringSignificantLocationChanges() {
    begin(\.significant) { .startSignificantChange(session: $0) }
  }

  /// Ends that, also for when the program is away.
  public func stopMonitoringSignificantLocationChanges() {
    end(\.significant, .stopSignificantChange, dropping: \.isSignificantChange)
  }

  /// Ends everything: sequences end, questions fail, calls to defer are finished. Regions stay monitored.
  public func close() {
    delivery.withLock {
      let deferrals = state.withLock { state in
        defer { state.deferrals = [] }
        state.isClosed = true
        state.isWelcome = false
        state.sessions = .init()
        return state.deferrals
      }
      dropQueued(\.tellsPlaces)
      for number in deferrals { emit(.deferredFinished(number: number, .stopped)) }
    }
    provider.close()
    finish()
  }

  /// Sends to a service that knows who speaks; what runs is said anew whenever it begins to, what is
  /// to end is kept until then.
  func send(_ message: ClientMessage) {
    let isWelcome = state.withLock { state in
      if !state.isWelcome {
        switch message {
        case .stopMonitoring, .stopSignificantChange, .stopVisits, .stopHistory: state.stopped.append(message)
        default: break
        }
      }
      return state.isWelcome
    }
    if isWelcome { provider.send(message) }
  }

  /// Begins a service under a new number, which `message` tells.
  func begin(
    _ service: any WritableKeyPath<State.Sessions, Int64?> & Sendable, _ message: (Int64) -> ClientMessage
  ) {
    delivery.withLock {
      let session = state.withLock { state in
        let number = state.number()
        state.sessions[keyPath: service] = number
        return number
      }
      send(message(session))
    }
  }

  /// Ends a service: nothing of it arrives after this returns.
  func end(
    _ service: any WritableKeyPath<State.Sessions, Int64?> & Sendable, _ message: ClientMessage,
    dropping isOfService: (LocationEvent) -> Bool
  ) {
    delivery.withLock {
      state.withLock { $0.sessions[keyPath: service] = nil }
      dropQueued(isOfService)
      send(message)
    }
  }

  private func finish() {
    let queues = state.withLock { state in
      state.isClosed = true
      return Array(state.queues.values)
    }
    failQuestions(.serviceUnreachable("the manager was closed"))
    for queue in queues { queue.finish() }
  }

  private func configure(_ change: (inout StandardService.Settings) -> Void) {
    delivery.withLock {
      let settings = state.withLock { state in
        change(&state.settings)
        return state.settings
      }
      send(.configure(settings))
    }
  }

  func dropQueued(_ isDropped: (LocationEvent) -> Bool) {
    for queue in state.withLock({ Array($0.queues.values) }) { queue.drop(isDropped) }
  }
}
