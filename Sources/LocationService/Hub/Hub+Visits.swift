import Location
import Navigation

/// Where the car parks, for those who may know the exact place for good: a stay tells when it does not drive.
extension Hub {
  mutating func startVisits(
    _ session: Int64, _ identity: ClientIdentity, _ client: inout ConnectedClient
  ) {
    guard policy.grant(for: identity).accuracy == .full else {
      return client.outbox.post(.refused(.visits, .denied(.accuracyReduced)))
    }
    guard makeRoom(for: identity) else {
      return client.outbox.post(.refused(.visits, .tooManyNames(limit: Self.mostNames)))
    }
    client.visitSession = session
    if let pending = durable[identity]?.pendingVisits, !pending.isEmpty {
      client.told += pending.count
      client.outbox.post(.visits(session: session, pending))
    }
    change(identity) {
      $0.wantsVisits = true
      $0.pendingVisits = []
    }
  }

  /// Ends the service of this connection; for good, unless another connection of the same name still runs it.
  mutating func stopVisits(_ identity: ClientIdentity, _ client: inout ConnectedClient) {
    client.visitSession = nil
    client.outbox.dropVisits()
    // This client is taken out of the others while it is served.
    guard !clients.values.contains(where: { $0.identity == identity && $0.visitSession != nil }) else {
      return
    }
    change(identity) {
      $0.wantsVisits = false
      $0.pendingVisits = []
    }
    forgetStay()
  }

  /// Where nobody may be told, nothing is kept.
  mutating func forgetStay() {
    guard !durable.keys.contains(where: mayKnowVisits) else { return }
    visits = VisitMonitor()
    keepStay()
  }

  private func mayKnowVisits(_ identity: ClientIdentity) -> Bool {
    let grant = policy.grant(for: identity)
    return durable[identity]?.wantsVisits == true && grant.status.isAuthorized && grant.accuracy == .full
  }

  /// Looks for an arrival or a departure. While nobody is there to be told, nothing is looked at or kept.
  mutating func offerToVisits(_ location: Location) {
    let listeners = durable.keys.filter(mayKnowVisits)
    guard !listeners.isEmpty else { return forgetStay() }
    if let visit = visits.update(location) {
      for identity in listeners { tell(visit, to: identity) }
    }
    keepStay()
  }

  /// Has the stay written where it is another. One of a replayed drive is none to remember.
  mutating func keepStay() {
    let stay = visits.kept?.visit.sources.contains(.simulated) == true ? nil : visits.kept
    guard stay != storage.stay else { return }
    storage.stay = stay
    storage.changes.append(.stay(stay))
  }

  private mutating func tell(_ visit: Visit, to identity: ClientIdentity) {
    var isTold = false
    for (id, client) in clients where client.identity == identity && client.isLet && client.end == nil {
      guard let session = client.visitSession else { continue }
      clients[id]?.outbox.post(.visits(session: session, [visit]))
      clients[id]?.told += 1
      isTold = true
    }
    if isTold { return }
    change(identity) {
      $0.pendingVisits = ($0.pendingVisits + [visit]).suffix(DurableClient.mostPendingVisits)
    }
  }
}
