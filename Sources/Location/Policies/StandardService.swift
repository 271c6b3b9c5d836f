import Navigation

/// The standard service of one client: what it is told of the locations that there are,
/// between its starts and stops.
public struct StandardService: Sendable, Equatable {
  /// What a client wishes.
  public struct Settings: Sendable, Hashable {
    /// How well it wishes to know.
    public var desiredAccuracy = DesiredAccuracy.bestForNavigation
    /// Metres between updates; nil for every update. A number that is not above 0 is none, and becomes nil.
    public var distanceFilter: Double? {
      didSet { if let distanceFilter, !(distanceFilter > 0) { self.distanceFilter = nil } }
    }
    /// Whether updates may pause.
    public var pausesAutomatically = true
    /// What its user does.
    public var activity = ActivityType.automotiveNavigation

    /// The defaults of automotive navigation.
    public init() {}
  }

  /// One thing that comes out.
  public enum Output: Sendable, Equatable {
    /// Locations, oldest first: one, or a deferred batch.
    case locations([Location])
    /// Updates pause.
    case paused
    /// Updates go on.
    case resumed
    /// A call to defer has ended.
    case finished(number: Int64, DeferralReason)
  }

  /// Seconds after which a location known before is not worth telling.
  public static let oldestCached = 86_400.0
  /// Seconds by which an update may come early: the clock of the solutions is not the client's.
  static let early = 0.005

  /// Number of the running session; nil while stopped. What comes out belongs to it.
  public private(set) var session: Int64?
  /// What the client wishes.
  public private(set) var settings: Settings
  private var filter = DistanceFilter()
  private var pausing = Pausing()
  private var deferral = Deferral()
  private var lastOffered: Timestamp?

  /// Stopped.
  public init(settings: Settings = Settings()) {
    self.settings = settings
    configure(settings)
  }

  /// Whether updates are paused.
  public var isPaused: Bool { session != nil && pausing.isPaused }

  /// Takes other wishes; a running session goes on with them, a paused one at once if
  /// it may not pause any more.
  @discardableResult
  public mutating func configure(_ settings: Settings) -> [Output] {
    self.settings = settings
    filter.distance = settings.distanceFilter
    pausing.isEnabled = settings.pausesAutomatically
    pausing.activity = settings.activity
    guard session != nil, pausing.isPaused, !settings.pausesAutomatically else { return [] }
    pausing.restart()
    return [.resumed]
  }

  /// Begins session `number`, and tells what is known already, flagged as cached, with its true timestamp.
  public mutating func start(session number: Int64, cached: Location?, at now: Timestamp) -> [Output] {
    var outputs = session == nil ? [] : stop(.stopped)
    session = number
    filter.restart()
    pausing.restart()
    lastOffered = nil
    guard var cached, cached.isValid else { return outputs }
    // Stamped by an earlier boot it would seem to be of the future.
    let age = now.seconds(since: cached.timestamp)
    guard age >= 0, age <= Self.oldestCached else { return outputs }
    cached.sources.insert(.cached)
    if let first = filter.filter(cached) { outputs.append(.locations([first])) }
    return outputs
  }

  /// Ends the session. Only the end of a deferral comes out, no location.
  public mutating func stop(_ reason: DeferralReason = .stopped) -> [Output] {
    guard session != nil else { return [] }
    let ends = outputs(of: deferral.stop(reason))
    session = nil
    return ends
  }

  /// What is told of a new location.
  public mutating func offer(_ location: Location, at now: Timestamp) -> [Output] {
    guard session != nil, location.isValid else { return [] }
    var outputs: [Output] = []
    switch pausing.update(location) {
    case .paused:
      // What was held is of the time before the pause.
      outputs += self.outputs(of: deferral.tick(at: now))
      return outputs + [.paused]
    case .resumed: outputs.append(.resumed)
    case nil: if pausing.isPaused { return [] }
    }
    guard isDue(location), let told = filter.filter(location) else {
      return outputs + self.outputs(of: deferral.tick(at: now))
    }
    return outputs + self.outputs(of: deferral.offer(told, at: now))
  }

  /// Time goes by, also where no locations come.
  public mutating func tick(at now: Timestamp) -> [Output] {
    outputs(of: deferral.tick(at: now))
  }

  /// Holds locations back: see ``Deferral/allow(number:untilTraveled:timeout:at:refusal:)``.
  public mutating func allowDeferredUpdates(
    number: Int64, untilTraveled traveled: Double, timeout: Double, at now: Timestamp
  ) -> [Output] {
    let refusal: DeferralReason? =
      if session == nil {
        .notUpdating
      } else if settings.distanceFilter != nil {
        .distanceFiltered
      } else if settings.desiredAccuracy < .best {
        .accuracyTooLow
      } else {
        nil
      }
    return outputs(
      of: deferral.allow(
        number: number, untilTraveled: traveled, timeout: timeout, at: now, refusal: refusal))
  }

  /// Holds no locations back any more.
  public mutating func disallowDeferredUpdates() -> [Output] { outputs(of: deferral.disallow()) }

  /// Forgets all places, those held back included, as when the client may know them no more; the
  /// session and a deferral go on.
  public mutating func forgetPlaces() {
    deferral.forgetPlaces()
    filter.restart()
    lastOffered = nil
  }

  /// What must run for this client.
  public var demand: HardwareDemand {
    guard session != nil else { return .off }
    return pausing.isPaused ? .watching : .standard(settings.desiredAccuracy)
  }

  private mutating func isDue(_ location: Location) -> Bool {
    if let last = lastOffered, location.timestamp > last {
      guard location.timestamp.seconds(since: last) >= settings.desiredAccuracy.interval - Self.early
      else { return false }
    }
    lastOffered = max(location.timestamp, lastOffered ?? location.timestamp)
    return true
  }

  private func outputs(of deferred: [Deferral.Output]) -> [Output] {
    deferred.map {
      switch $0 {
      case .deliver(let batch): .locations(batch)
      case .finished(let number, let reason): .finished(number: number, reason)
      }
    }
  }
}
