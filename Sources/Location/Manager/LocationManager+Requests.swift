import Locks
import Navigation

extension LocationManager {
  /// One location: the first that is as accurate as desired, or the best there was within `seconds` (1 ms to
  /// ``OneShotRequest/longest``).
  public func requestLocation(within seconds: Double = 10) async throws -> Location {
    try await ask(State.Question.location) {
      .requestLocation(number: $0, within: OneShotRequest.limit(seconds))
    }
  }

  /// The most accurate of `count` (1 to ``BestOfRequest/most``) new locations, or of as many as
  /// there were within `seconds`.
  public func bestOf(_ count: Int, within seconds: Double) async throws -> Location {
    try await ask(State.Question.location) {
      .bestOf(number: $0, count: Int64(count), within: OneShotRequest.limit(seconds))
    }
  }

  /// Asks, with ``accuracyAuthorization`` `reduced`, for full accuracy for a while, for a purpose that the
  /// owner has allowed by that key. It ends by itself: at what this returns, on the host's clock, and before
  /// with the connection; ``LocationEvent/authorizationChanged(_:_:)`` tells both. To ask again meanwhile
  /// moves the end no further. Returns nil where accuracy is full for good.
  ///
  /// Throws ``LocationError/fullAccuracyNotAllowed(purposeKey:)``, or why there is no answer.
  @discardableResult
  public func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey key: String
  ) async throws -> Timestamp? {
    try await ask(State.Question.fullAccuracy) {
      .requestTemporaryFullAccuracy(
        number: $0, purposeKey: String(key.prefix(TemporaryFullAccuracy.longestKey + 1)))
    }
  }

  /// Whether updates can be deferred.
  public var deferredLocationUpdatesAvailable: Bool { true }

  /// Holds locations back and delivers them in one batch once either limit is met.
  /// ``LocationEvent/deferredFinished(number:_:)`` comes exactly once for each call, with the
  /// number that this returns.
  ///
  /// - Parameters:
  ///   - traveled: metres along the way; infinite for no such limit.
  ///   - timeout: seconds; infinite for no such limit.
  @discardableResult
  public func allowDeferredLocationUpdates(untilTraveled traveled: Double, timeout: Double) -> Int64 {
    delivery.withLock {
      let (number, isReachable) = state.withLock { state in
        let number = state.number()
        if state.isWelcome { state.deferrals.append(number) }
        return (number, state.isWelcome)
      }
      if isReachable {
        // No word of the protocol stands for infinity; not-a-number is refused by its
        // absence of sense below 0.
        func limit(_ value: Double) -> Double? {
          value == .infinity ? nil : value.isFinite ? value : -1
        }
        send(
          .allowDeferredUpdates(number: number, untilTraveled: limit(traveled), timeout: limit(timeout)))
      } else {
        emit(.deferredFinished(number: number, .notUpdating))
      }
      return number
    }
  }

  /// Holds no locations back any more: what was held is delivered.
  public func disallowDeferredLocationUpdates() {
    delivery.withLock { send(.disallowDeferredUpdates) }
  }

  /// Monitors `region` from now on, also while the program is away, in place of one of the same identifier.
  /// Once that is written, so that it outlives the service,
  /// ``LocationEvent/regionMonitoringStarted(identifier:)`` comes; where it cannot be, or the region has a
  /// ``Region/flaw``, ``LocationEvent/regionMonitoringFailed(identifier:_:)``.
  public func startMonitoring(for region: Region) {
    delivery.withLock {
      let region = region.sayable
      state.withLock { $0.regions[region.identifier] = region }
      send(.startMonitoring(region))
    }
  }

  /// Monitors `region` as ``startMonitoring(for:)`` does, and returns once that is on the disk. Throws a
  /// ``LocationError`` where it cannot be, or there is no service yet.
  public func monitor(_ region: Region) async throws {
    let region = region.sayable
    try await answer {
      $0.regionStarts[region.identifier, default: []].append($1)
    } asking: {
      startMonitoring(for: region)
    }
  }

  /// Monitors a region no longer; crossings that have not been told are forgotten.
  public func stopMonitoring(identifier: String) {
    let identifier = identifier.sayable
    delivery.withLock {
      state.withLock { state in
        state.regions[identifier] = nil
        state.unclaimed.removeAll { $0.identifier == identifier }
        for queue in state.queues.values {
          queue.drop { if case .region(let event) = $0 { event.identifier == identifier } else { false } }
        }
      }
      send(.stopMonitoring(identifier: identifier))
    }
  }

  /// The regions that the service monitors for this client, those of earlier runs included.
  public func monitoredRegions() async throws -> [Region] {
    try await answer {
      $0.regionQueries.append($1)
    } asking: {
      send(.requestRegions)
    }
  }

  /// Where the car stands to a monitored region.
  public func state(ofRegion identifier: String) async throws -> RegionState {
    let identifier = identifier.sayable
    return try await answer {
      $0.stateQueries[identifier, default: []].append($1)
    } asking: {
      send(.requestState(identifier: identifier))
    }
  }

  func ask<Answer: Sendable>(
    _ question: @Sendable (CheckedContinuation<Answer, any Error>) -> State.Question,
    _ message: (Int64) -> ClientMessage
  ) async throws -> Answer {
    let number = state.withLock { $0.number() }
    let message = message(number)
    return try await withTaskCancellationHandler {
      try await answer {
        $0.questions[number] = question($1)
      } asking: {
        send(message)
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// What the service answers: `note` keeps who waits for it, `ask` asks. Throws where there is no service.
  private func answer<Answer: Sendable>(
    _ note: @Sendable (inout State.Waiting, CheckedContinuation<Answer, any Error>) -> Void,
    asking ask: () -> Void
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      delivery.withLock {
        let isReachable = state.withLock { state in
          if state.isWelcome { note(&state.waiting, continuation) }
          return state.isWelcome
        }
        if isReachable { ask() } else { continuation.resume(throwing: whyUnreachable) }
      }
    }
  }

  private func cancel(_ number: Int64) {
    state.withLock { $0.waiting.questions.removeValue(forKey: number) }?.fail(CancellationError())
  }

  private var whyUnreachable: LocationError {
    if let denial = state.withLock({ $0.grant?.denial }) { return .denied(denial) }
    return .serviceUnreachable("there is no connection to the service yet")
  }

  func failQuestions(_ error: LocationError) {
    let waiting = state.withLock { state in
      defer { state.waiting = .init() }
      return state.waiting
    }
    for start in waiting.regionStarts.values.joined() { start.resume(throwing: error) }
    for question in waiting.questions.values { question.fail(error) }
    for query in waiting.regionQueries { query.resume(throwing: error) }
    for query in waiting.stateQueries.values.joined() { query.resume(throwing: error) }
  }
}

extension Region {
  /// The region in words of the protocol, with the same flaw: it has none for
  /// not-a-number, and a line has an end.
  fileprivate var sayable: Region {
    var region = self
    if !center.isValid { region.center = Coordinate(latitudeDegrees: 999, longitudeDegrees: 999) }
    if !radius.isFinite { region.radius = -1 }
    region.identifier = identifier.sayable
    return region
  }
}

extension String {
  /// An identifier of a region: what is longer than one can be names none, however much of it is said.
  fileprivate var sayable: String {
    utf8.count > Region.longestIdentifier
      ? String(decoding: utf8.prefix(Region.longestIdentifier + 1), as: UTF8.self) : self
  }
}
