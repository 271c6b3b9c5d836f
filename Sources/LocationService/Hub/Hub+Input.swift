import Location
import Navigation

extension Hub {
  /// Takes what the engine says, some ten to a hundred times a second.
  public mutating func update(_ input: Input, at now: Timestamp, utc: Timestamp?) {
    latest = input
    self.now = max(now, self.now)
    endTemporaryAccuracy()
    if let location = input.location, location.isValid {
      offer(location, at: now)
      lastKnown = location
    }
    tick(at: now, utc: utc)
  }

  /// Time goes by; to be called ten times a second also where the engine says nothing.
  public mutating func tick(at now: Timestamp, utc: Timestamp?) {
    self.now = now
    self.utc = utc
    endTemporaryAccuracy()
    let unknown = unknownReason
    let status = status(unknown)
    for id in Array(clients.keys) {
      withClient(id) { client, hub in
        hub.handle(client.standard.tick(at: now), for: &client)
        for (number, request) in client.requests {
          guard let answer = request.tick(at: now, unknown: unknown) else { continue }
          client.requests[number] = nil
          hub.post(answer, number: number, to: &client)
        }
        let told = client.grant.accuracy == .full ? status : status.reduced
        if client.isLet, let status = client.heartbeat.update(told) {
          client.outbox.post(.status(status))
        }
      }
    }
    settleOverdue()
    housekeeping()
  }

  var unknownReason: LocationError.UnknownReason? {
    if let coarseLocation {
      return coarseLocation.horizontalAccuracy <= StatusHeartbeat.worstAccuracy ? nil : .notEnoughAccuracy
    }
    if latest.hasEnded { return .replayEnded }
    return StatusHeartbeat.unknownReason(
      latest: latest.location, sources: latest.sources, lost: latest.lostSources.count, at: now)
  }

  private func status(_ unknown: LocationError.UnknownReason?) -> LocationStatus {
    LocationStatus(
      timestamp: now, mode: latest.mode, unknown: unknown,
      horizontalAccuracy: unknown == nil ? (coarseLocation ?? latest.location)?.horizontalAccuracy ?? -1 : -1,
      lostSources: latest.lostSources)
  }

  mutating func offer(_ location: Location, at now: Timestamp) {
    for id in Array(clients.keys) {
      withClient(id) { client, hub in
        guard client.isLet else { return }
        hub.offerHeading(of: location, to: &client)
        let isFull = client.grant.accuracy == .full
        guard isFull || client.standard.session != nil || !client.requests.isEmpty,
          let told = isFull ? location : hub.reducedPlace(of: location, for: client.user)
        else { return }
        // The reduced place is offered again and again, and told once: it grows no newer in between.
        hub.handle(client.standard.offer(told, at: now), for: &client)
        for (number, var request) in client.requests {
          // There is no better one to wait for.
          let answer = isFull ? request.offer(told, at: now) : .success(told)
          client.requests[number] = answer == nil ? request : nil
          if let answer { hub.post(answer, number: number, to: &client) }
        }
      }
    }
    // Half a second is soon enough for regions and changes of 500 m.
    if let lastDurable, case let age = now.seconds(since: lastDurable), age >= 0, age < 0.5 { return }
    lastDurable = now
    for identity in Array(durable.keys) { offer(location, toDurable: identity) }
    offerToVisits(location)
    offerToHistory(location)
  }

  private mutating func offer(_ location: Location, toDurable identity: ClientIdentity) {
    guard var kept = durable[identity], !kept.isEmpty else { return }
    let grant = policy.grant(for: identity)
    guard grant.status.isAuthorized else { return }
    var hasChanged = false
    if grant.accuracy == .full, !kept.regions.watches.isEmpty {
      let (events, changed) = kept.regions.update(location)
      hasChanged = !changed.isEmpty || !events.isEmpty
      storage.awaiting += events.map { (storage.writeNumber, identity, $0) }
    }
    if kept.wantsSignificantChanges,
      let told = significantChange(location, after: kept.lastChange, grant.accuracy, identity)
    {
      if !tell(told, to: identity) {
        kept.pendingChanges = (kept.pendingChanges + [told]).suffix(DurableClient.mostPendingChanges)
      }
      kept.lastChange = told
      hasChanged = true
    }
    durable[identity] = kept
    if hasChanged { storage.dirty.insert(identity) }
  }

  /// Tells every connection of a name that runs the service; false where there is none.
  private mutating func tell(_ change: Location, to identity: ClientIdentity) -> Bool {
    var isTold = false
    for (id, client) in clients where client.identity == identity && client.isLet && client.end == nil {
      guard let session = client.significantSession else { continue }
      clients[id]?.outbox.post(.locations(.significantChange, session: session, [change]))
      clients[id]?.told += 1
      isTold = true
    }
    return isTold
  }

  /// What a client is told of `location` as a significant change; nil where it is none. With reduced
  /// accuracy another cell is one.
  private mutating func significantChange(
    _ location: Location, after last: Location?, _ accuracy: AccuracyAuthorization, _ identity: ClientIdentity
  ) -> Location? {
    guard accuracy == .reduced else {
      return significant[identity, default: SignificantChange()].shouldReport(location) ? location : nil
    }
    guard let place = reducedPlace(of: location, for: identity.user), place.coordinate != last?.coordinate
    else { return nil }
    significant[identity] = SignificantChange(after: place)
    return place
  }

  private func connection(of identity: ClientIdentity) -> ConnectionID? {
    clients.keys.sorted().first { id in
      guard let client = clients[id], client.identity == identity else { return false }
      return client.isLet && client.end == nil
    }
  }

  /// Hands a written event to one connection of the client, if there is one.
  mutating func deliver(_ event: RegionEvent, to identity: ClientIdentity) {
    // Full accuracy for a while is not for what was noted before.
    let isPending =
      policy.grant(for: identity).accuracy == .full
      && durable[identity]?.regions.pending.contains { $0.number == event.number } ?? false
    let isSent = clients.values.contains {
      $0.identity == identity && $0.inFlight.contains(event.number)
    }
    guard isPending, !isSent, let id = connection(of: identity) else { return }
    clients[id]?.inFlight.insert(event.number)
    clients[id]?.outbox.post(.regionEvent(event))
  }

  func handle(_ outputs: [StandardService.Output], for client: inout ConnectedClient) {
    for output in outputs {
      switch output {
      case .locations(let batch):
        guard let session = client.standard.session else { continue }
        client.told += batch.count
        client.outbox.post(.locations(.standard, session: session, batch))
      case .paused:
        if let session = client.standard.session { client.outbox.post(.paused(session: session)) }
      case .resumed:
        if let session = client.standard.session { client.outbox.post(.resumed(session: session)) }
      case .finished(let number, let reason):
        client.outbox.post(.deferredFinished(number: number, reason))
      }
    }
  }

  func post(
    _ answer: Result<Location, LocationError>, number: Int64, to client: inout ConnectedClient
  ) {
    if case .success = answer { client.told += 1 }
    client.outbox.post(.answer(number: number, answer))
  }

  /// Notes a connection's use of location.
  mutating func note(_ client: inout ConnectedClient, _ identity: ClientIdentity) {
    guard client.told > 0, let utc else { return }
    audit.note(identity, purpose: client.auditedPurpose, count: client.told, at: utc)
    client.told = 0
    storage.isAuditChanged = true
  }

  /// What would be written within the next minute is to be written now.
  mutating func saveAll() {
    (storage.lastAudit, storage.lastPlace, storage.lastHistory) = (nil, nil, nil)
    visits.keep()
    keepStay()
    housekeeping()
  }

  /// Every ten seconds the audit, every minute the place: a crash loses no more.
  private mutating func housekeeping() {
    if now.seconds(since: storage.lastAudit ?? Timestamp(nanoseconds: .min)) >= 10, utc != nil {
      storage.lastAudit = now
      let before = audit.entries.count
      for id in clients.keys.sorted() {
        withClient(id) { client, hub in
          if let identity = client.identity { hub.note(&client, identity) }
        }
      }
      if let utc { audit.forget(before: utc) }
      if storage.isAuditChanged || audit.entries.count != before {
        storage.changes.append(.audit(audit.entries))
      }
      storage.isAuditChanged = false
    }
    if now.seconds(since: storage.lastHistory ?? Timestamp(nanoseconds: .min)) >= Self.historyWrites {
      writeHistory()
    }
    if let place = placeToKeep, now.seconds(since: storage.lastPlace ?? Timestamp(nanoseconds: .min)) >= 60 {
      storage.lastPlace = now
      storage.changes.append(.lastLocation(place))
    }
  }

  /// Where the car is, for the next start: the engine's place, or the one by cells or access points while it
  /// has none.
  var placeToKeep: Location? {
    // A replayed drive is no place to remember: the next start may be with sensors.
    leastDoubtful(of: [latest.location, coarseLocation]) { $0.utc != nil && !$0.sources.contains(.simulated) }
  }
}
