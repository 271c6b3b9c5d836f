import Location
import Navigation

/// What clients ask to be kept while they are away.
extension Hub {
  /// Names of one user of which something is kept: a program that makes up names fills neither the database
  /// nor the time.
  static let mostNames = 64

  // MARK: Regions

  mutating func serveRegions(_ message: ClientMessage, _ identity: ClientIdentity, _ id: ConnectionID) {
    switch message {
    case .startMonitoring(let region): startMonitoring(region, identity, id)
    case .stopMonitoring(let identifier):
      storage.awaiting.removeAll { $0.client == identity && $0.event.identifier == identifier }
      change(identity) { $0.regions.stop(identifier) }
      hold(.regionStop(identifier: identifier), from: identity, for: id)
    case .requestState(let identifier): hold(.regionState(identifier: identifier), from: identity, for: id)
    case .requestRegions: hold(.regions, from: identity, for: id)
    default: break
    }
  }

  private mutating func startMonitoring(_ region: Region, _ identity: ClientIdentity, _ id: ConnectionID) {
    func fail(_ failure: LocationError.RegionFailure) -> ServiceMessage {
      .regionFailed(identifier: region.identifier, failure)
    }
    guard policy.grant(for: identity).accuracy == .full else {
      clients[id]?.outbox.post(fail(.denied(.accuracyReduced)))
      return
    }
    var kept = durable[identity] ?? DurableClient()
    let before = kept.regions.watches[region.identifier]
    do throws(LocationError) { try kept.regions.start(region) } catch {
      if case .regionMonitoringFailed(let failure) = error { clients[id]?.outbox.post(fail(failure)) }
      return
    }
    guard makeRoom(for: identity) else {
      clients[id]?.outbox.post(fail(.tooManyNames(limit: Self.mostNames)))
      return
    }
    change(identity) { $0 = kept }
    hold(.regionStart(region, before: before), from: identity, for: id)
  }

  // MARK: Significant changes

  mutating func startSignificant(
    _ session: Int64, _ identity: ClientIdentity, _ client: inout ConnectedClient
  ) {
    guard makeRoom(for: identity) else {
      return client.outbox.post(.failed(.tooManyNames(limit: Self.mostNames)))
    }
    client.significantSession = session
    let pending = durable[identity]?.pendingChanges ?? []
    if !pending.isEmpty {
      client.told += pending.count
      client.outbox.post(.locations(.significantChange, session: session, pending))
    } else if var cached = cached(for: client) {
      cached.sources.insert(.cached)
      client.told += 1
      client.outbox.post(.locations(.significantChange, session: session, [cached]))
    }
    change(identity) {
      $0.wantsSignificantChanges = true
      $0.pendingChanges = []
    }
  }

  /// Ends the service of this connection; for good, unless another connection of the same name still runs it.
  mutating func stopSignificant(_ identity: ClientIdentity, _ client: inout ConnectedClient) {
    client.significantSession = nil
    client.outbox.dropLocations(of: .significantChange)
    // This client is taken out of the others while it is served.
    guard !clients.values.contains(where: { $0.identity == identity && $0.significantSession != nil }) else {
      return
    }
    significant[identity] = nil
    change(identity) {
      $0.wantsSignificantChanges = false
      $0.lastChange = nil
      $0.pendingChanges = []
    }
  }

  // MARK: Names

  /// Whether something may be kept of `identity`: it has something, or its user has room for one more name. A
  /// name of which nothing is left but the number of its next event goes first, where no connection bears it.
  mutating func makeRoom(for identity: ClientIdentity) -> Bool {
    if durable[identity]?.isEmpty == false { return true }
    let names = durable.filter { $0.key.user == identity.user && !$0.value.isEmpty }
    guard names.count >= Self.mostNames else { return true }
    let borne = Set(clients.values.compactMap(\.identity))
    let idle = names.filter { $0.value.isIdle && !borne.contains($0.key) }.keys.min { $0.name < $1.name }
    guard let idle else { return false }
    change(idle) { $0 = DurableClient() }
    return true
  }
}
