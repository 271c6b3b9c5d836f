import Locks
import Navigation

extension LocationManager {
  func receive(_ event: LocationProviderEvent) {
    delivery.withLock {
      if state.withLock({ $0.isClosed }) { return }
      switch event {
      case .connected:
        provider.send(
          .hello(version: ClientMessage.version, name: identifier, purpose: purpose))
      case .disconnected(let error): disconnected(error)
      case .message(let message): receive(message)
      }
    }
  }

  private func disconnected(_ error: LocationError) {
    let (wasWelcome, deferrals) = state.withLock { state in
      defer {
        state.isWelcome = false
        state.deferrals = []
        state.isPaused = false
        state.hindrance = error
      }
      return (state.isWelcome, state.deferrals)
    }
    for number in deferrals { emit(.deferredFinished(number: number, .interrupted)) }
    failQuestions(error)
    if wasWelcome || state.withLock({ $0.status != nil || $0.grant == nil }) { emit(.failed(error)) }
    state.withLock { $0.status = nil }
  }

  private func receive(_ message: ServiceMessage) {
    switch message {
    case .welcome(_, let accuracy, _): welcome(accuracy)
    case .locations(let service, let session, let locations): take(locations, service, session)
    case .visits(let session, let visits): take(visits, ofSession: session)
    case .heading(let session, let heading): take(heading, ofSession: session)
    case .failed(let error): failed(error)
    case .refused(let service, let error): emit(.refused(service, error))
    case .authorization(let grant): take(grant)
    case .paused(let session): if isCurrent(session) { emit(.paused) }
    case .resumed(let session): if isCurrent(session) { emit(.resumed) }
    case .regionEvent(let event): take(event)
    case .regionStarted, .regionFailed, .regionState, .regions: takeRegions(message)
    case .deferredFinished(let number, let reason):
      let isOpen = state.withLock { state in
        let count = state.deferrals.count
        state.deferrals.removeAll { $0 == number }
        return state.deferrals.count < count
      }
      if isOpen { emit(.deferredFinished(number: number, reason)) }
    case .answer(let number, let answer):
      if case .location(let continuation)? = takeQuestion(number) {
        continuation.resume(with: answer.mapError { $0 as any Error })
      }
    case .history(let number, let answer):
      if case .history(let continuation)? = takeQuestion(number) {
        continuation.resume(with: answer.mapError { $0 as any Error })
      }
    case .temporaryFullAccuracy(let number, let answer):
      if case .fullAccuracy(let continuation)? = takeQuestion(number) {
        continuation.resume(with: answer.mapError { $0 as any Error })
      }
    case .status(let status): take(status)
    case .authorizations: break
    }
  }

  private func takeRegions(_ message: ServiceMessage) {
    switch message {
    case .regionStarted(let identifier):
      let waiting = state.withLock { $0.waiting.regionStarts.removeValue(forKey: identifier) ?? [] }
      emit(.regionMonitoringStarted(identifier: identifier))
      for start in waiting { start.resume() }
    case .regionFailed(let identifier, let failure):
      let (queries, starts) = state.withLock { state in
        state.regions[identifier] = nil
        return (
          state.waiting.stateQueries.removeValue(forKey: identifier) ?? [],
          state.waiting.regionStarts.removeValue(forKey: identifier) ?? []
        )
      }
      for start in starts { start.resume(throwing: LocationError.regionMonitoringFailed(failure)) }
      if queries.isEmpty {
        emit(.regionMonitoringFailed(identifier: identifier, failure))
      } else {
        for query in queries { query.resume(throwing: LocationError.regionMonitoringFailed(failure)) }
      }
    case .regionState(let identifier, let regionState):
      let query = state.withLock { state -> CheckedContinuation<RegionState, any Error>? in
        guard state.waiting.stateQueries[identifier]?.isEmpty == false else { return nil }
        return state.waiting.stateQueries[identifier]?.removeFirst()
      }
      query?.resume(returning: regionState)
    case .regions(let regions):
      let query = state.withLock {
        $0.waiting.regionQueries.isEmpty ? nil : $0.waiting.regionQueries.removeFirst()
      }
      query?.resume(returning: regions)
    default: break
    }
  }

  private func takeQuestion(_ number: Int64) -> State.Question? {
    state.withLock { $0.waiting.questions.removeValue(forKey: number) }
  }

  /// The service knows regions; of everything else it must be told what runs.
  private func welcome(_ accuracy: AccuracyAuthorization) {
    let (settings, sessions, regions, stopped, isChange) = state.withLock { state in
      defer { state.stopped = [] }
      let grant = AuthorizationPolicy.Grant(.authorized, accuracy)
      let isChange = state.grant != grant
      state.grant = grant
      state.isWelcome = true
      state.hindrance = nil
      return (
        state.settings, state.sessions, state.regions.values.sorted { $0.identifier < $1.identifier },
        state.stopped, isChange
      )
    }
    if isChange { emit(.authorizationChanged(.authorized, accuracy)) }
    for message in stopped { provider.send(message) }
    provider.send(.configure(settings))
    for region in regions { provider.send(.startMonitoring(region)) }
    if let session = sessions.standard { provider.send(.start(session: session)) }
    if let session = sessions.significant { provider.send(.startSignificantChange(session: session)) }
    if let session = sessions.visits { provider.send(.startVisits(session: session)) }
    if let session = sessions.heading {
      provider.send(.startHeading(session: session, filter: headingFilter))
    }
  }

  private func take(
    _ locations: [Location], _ service: ServiceMessage.Service, _ session: Int64
  ) {
    let isWanted = state.withLock { state in
      let current = service == .standard ? state.sessions.standard : state.sessions.significant
      guard current == session else { return false }
      let newest = locations.max { $0.timestamp < $1.timestamp }
      if let newest, newest.timestamp >= state.location?.timestamp ?? newest.timestamp {
        state.location = newest
      }
      return true
    }
    guard isWanted, !locations.isEmpty else { return }
    emit(service == .standard ? .locations(locations) : .significantChange(locations))
  }

  private func failed(_ error: LocationError) {
    state.withLock { if !error.isTransient { $0.hindrance = error } }
    if case .denied(let denial) = error {
      let status: AuthorizationStatus =
        switch denial {
        case .serviceDisabled: .restricted
        case .notDetermined: .notDetermined
        case .deniedForClient: .denied
        case .accuracyReduced: .authorized
        }
      let isEnd = status != .authorized
      let isChange = state.withLock { state in
        guard isEnd else { return false }
        let isChange = state.grant?.status != status
        state.grant = .init(status, state.grant?.accuracy ?? .full)
        state.isWelcome = false
        return isChange
      }
      if isChange { emit(.authorizationChanged(status, accuracyAuthorization)) }
      if isEnd {
        for queue in state.withLock({ Array($0.queues.values) }) {
          queue.drop(\.tellsPlaces)
        }
        failQuestions(error)
      }
    }
    emit(.failed(error))
  }

  private func take(_ grant: AuthorizationPolicy.Grant) {
    let isChange = state.withLock { state in
      defer { state.grant = grant }
      return state.grant != grant
    }
    if isChange { emit(.authorizationChanged(grant.status, grant.accuracy)) }
  }

  private func take(_ event: RegionEvent) {
    let isTold = state.withLock { !$0.seenEvents.insert(event.number).inserted }
    if isTold {
      send(.acknowledge(event: event.number))
    } else {
      emit(.region(event))
    }
  }

  private func take(_ status: LocationStatus) {
    let error = state.withLock { state -> LocationError? in
      defer { state.status = status }
      guard let unknown = status.unknown, unknown != state.status?.unknown, state.sessions.standard != nil
      else {
        return nil
      }
      return .locationUnknown(unknown)
    }
    emit(.status(status))
    if let error { emit(.failed(error)) }
  }

  private func isCurrent(_ session: Int64) -> Bool { state.withLock { $0.sessions.standard == session } }
}
