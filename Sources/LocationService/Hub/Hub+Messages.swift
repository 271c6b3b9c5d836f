import Location
import Navigation

extension Hub {
  /// Takes a message of a connection.
  package mutating func receive(_ message: ClientMessage, from id: ConnectionID, at now: Timestamp) {
    self.now = max(now, self.now)
    endTemporaryAccuracy()
    guard let client = clients[id], client.end == nil else { return }
    switch message {
    case .hello(let version, let name, let purpose):
      withClient(id) { $1.greet(&$0, version: version, name: name, purpose: purpose) }
      if clients[id]?.isLet == true { sendPending(to: id) }
    case _ where client.identity == nil:
      reject(id, "the first message must be hello")
    case .authorize, .requestAuthorizations: administrate(message, id)
    case .startMonitoring, .stopMonitoring, .requestState, .requestRegions:
      if client.isLet, let identity = client.identity {
        serveRegions(message, identity, id)
      } else {
        refuse(message, id)
      }
    default:
      guard client.isLet else { return refuse(message, id) }
      withClient(id) { client, hub in
        if let identity = client.identity { hub.serve(message, identity, &client) }
      }
    }
  }

  /// A line that is no message ends the connection that sent it, and no other.
  public mutating func reject(_ id: ConnectionID, _ reason: String) {
    withClient(id) { $1.end(&$0, .protocolViolation(reason)) }
  }

  private func end(_ client: inout ConnectedClient, _ error: LocationError) {
    client.outbox.removeAll()
    client.outbox.post(.failed(error))
    client.end = error
  }

  private mutating func greet(
    _ client: inout ConnectedClient, version: Int64, name: String, purpose: String
  ) {
    if client.identity != nil { return end(&client, .protocolViolation("hello is said once")) }
    guard version == ClientMessage.version else {
      return end(
        &client, .protocolViolation("version \(version) is not known; this is \(ClientMessage.version)"))
    }
    guard ClientIdentity.isName(name) else { return end(&client, .identifierInvalid) }
    if let flaw = ClientIdentity.flaw(inPurpose: purpose) { return end(&client, flaw) }
    let identity = ClientIdentity(name: name, user: client.user)
    client.identity = identity
    client.purpose = purpose
    client.grant = policy.grant(for: identity)
    if let denial = client.grant.denial {
      client.deniedSince = now
      client.outbox.post(.failed(.denied(denial)))
    } else {
      client.outbox.post(.welcome(version: ClientMessage.version, accuracy: client.grant.accuracy))
    }
  }

  /// Region events wait for the client; significant changes wait until it starts that service again.
  mutating func sendPending(to id: ConnectionID) {
    guard let identity = clients[id]?.identity else { return }
    let waiting = Set(storage.awaiting.lazy.filter { $0.client == identity }.map(\.event.number))
    for event in durable[identity]?.regions.pending ?? [] where !waiting.contains(event.number) {
      deliver(event, to: identity)
    }
  }

  /// Everything that expects an answer gets one, and it is always the same: denied.
  private mutating func refuse(_ message: ClientMessage, _ id: ConnectionID) {
    guard let denial = clients[id]?.grant.denial else { return }
    switch message {
    case .configure(let settings): clients[id]?.standard.configure(settings)
    case .startMonitoring(let region):
      clients[id]?.outbox.post(.regionFailed(identifier: region.identifier, .denied(denial)))
    case .requestState(let identifier):
      clients[id]?.outbox.post(.regionFailed(identifier: identifier, .denied(denial)))
    case .requestLocation(let number, _), .bestOf(let number, _, _):
      clients[id]?.outbox.post(.answer(number: number, .failure(.denied(denial))))
    case .startHistory(let number), .requestHistory(let number, _, _):
      clients[id]?.outbox.post(.history(number: number, .failure(.denied(denial))))
    case .requestTemporaryFullAccuracy(let number, _):
      clients[id]?.outbox.post(.temporaryFullAccuracy(number: number, .failure(.denied(denial))))
    case .allowDeferredUpdates(let number, _, _):
      clients[id]?.outbox.post(.deferredFinished(number: number, .denied))
    case .startHeading: clients[id]?.outbox.post(.refused(.heading, .denied(denial)))
    case .startVisits: clients[id]?.outbox.post(.refused(.visits, .denied(denial)))
    case .start, .startSignificantChange, .requestRegions:
      clients[id]?.outbox.post(.failed(.denied(denial)))
    default: break
    }
  }

  private mutating func serve(
    _ message: ClientMessage, _ identity: ClientIdentity, _ client: inout ConnectedClient
  ) {
    switch message {
    case .configure(let settings): handle(client.standard.configure(settings), for: &client)
    case .start(let session):
      client.outbox.dropLocations(of: .standard)
      handle(
        client.standard.start(session: session, cached: cached(for: client), at: now), for: &client)
    case .stop(let session):
      // A late stop of an earlier session is none of the one that runs.
      if let session, let running = client.standard.session, session != running { break }
      handle(client.standard.stop(), for: &client)
      client.outbox.dropLocations(of: .standard)
    case .startSignificantChange(let session): startSignificant(session, identity, &client)
    case .stopSignificantChange: stopSignificant(identity, &client)
    case .startHistory(let number): startHistory(number, identity, &client)
    case .stopHistory: stopHistory(identity)
    case .requestHistory(let number, let since, let count):
      tellHistory(number, since: since, count: count, identity, &client)
    case .startVisits(let session): startVisits(session, identity, &client)
    case .startHeading(let session, let filter): startHeading(session, filter: filter, &client)
    case .stopHeading:
      client.heading.stop()
      client.outbox.dropHeading()
    case .stopVisits: stopVisits(identity, &client)
    case .acknowledge(let event): acknowledge(event, identity, &client)
    case .requestLocation(let number, let within):
      ask(
        .oneShot(.init(wish: client.standard.settings.desiredAccuracy, within: within, at: now)),
        number, &client)
    case .bestOf(let number, let count, let within):
      ask(.bestOf(.init(Int(clamping: count), within: within, at: now)), number, &client)
    case .allowDeferredUpdates(let number, let traveled, let timeout):
      handle(
        client.standard.allowDeferredUpdates(
          number: number, untilTraveled: traveled ?? .infinity, timeout: timeout ?? .infinity, at: now),
        for: &client)
    case .requestTemporaryFullAccuracy(let number, let key):
      requestTemporaryFullAccuracy(number, purposeKey: key, identity, &client)
    case .disallowDeferredUpdates:
      handle(client.standard.disallowDeferredUpdates(), for: &client)
    case .hello, .authorize, .requestAuthorizations, .startMonitoring, .stopMonitoring, .requestState,
      .requestRegions:
      break
    }
  }

  private mutating func acknowledge(
    _ event: Int64, _ identity: ClientIdentity, _ client: inout ConnectedClient
  ) {
    client.inFlight.remove(event)
    if durable[identity]?.regions.pending.contains(where: { $0.number == event }) == true {
      change(identity) { $0.regions.acknowledge(event) }
    }
  }

  mutating func cached(for client: ConnectedClient) -> Location? {
    guard let location = known else { return nil }
    return client.grant.accuracy == .full ? location : reducedPlace(of: location, for: client.user)
  }

  private mutating func ask(
    _ request: ConnectedClient.Request, _ number: Int64, _ client: inout ConnectedClient
  ) {
    var request = request
    let isReduced = client.grant.accuracy == .reduced
    if client.requests.count >= ConnectedClient.mostRequests {
      post(.failure(.protocolViolation("too many open requests")), number: number, to: &client)
    } else if isReduced, let place = reducedAnswer(for: client.user) {
      post(.success(place), number: number, to: &client)
    } else if !isReduced, let location = coarseLocation ?? latest.location,
      let answer = request.offer(location, at: now)
    {
      post(answer, number: number, to: &client)
    } else {
      client.requests[number] = request
    }
  }

  mutating func change(_ identity: ClientIdentity, _ body: (inout DurableClient) -> Void) {
    var kept = durable[identity] ?? DurableClient()
    body(&kept)
    guard kept != durable[identity] ?? DurableClient() else { return }
    durable[identity] = kept.isEmpty ? nil : kept
    storage.dirty.insert(identity)
  }
}
