import Location
import Navigation

extension Hub {
  /// Takes another file of rules; clients that run are let or cut off at once.
  public mutating func setRules(
    _ rules: [AuthorizationPolicy.Rule], locationServicesEnabled: Bool, trustedUser: UInt32?
  ) {
    policy.rules = rules
    policy.locationServicesEnabled = locationServicesEnabled
    policy.trustedUser = trustedUser
    applyPolicy()
  }

  /// Decides about a client, or forgets the decision: it holds from now on, also for
  /// connections that there are.
  public mutating func decide(_ grant: AuthorizationPolicy.Grant?, for client: ClientIdentity) {
    record(grant, for: client)
    applyPolicy()
  }

  private mutating func record(_ grant: AuthorizationPolicy.Grant?, for client: ClientIdentity) {
    policy.decide(grant, for: client)
    storage.changes.append(.decision(client, grant))
    storage.unstoredDecisions[client] = storage.writeNumber
  }

  mutating func administrate(_ message: ClientMessage, _ id: ConnectionID) {
    guard let client = clients[id], let identity = client.identity else { return }
    guard isAdministrator(client.user) else {
      clients[id]?.outbox.post(.failed(.denied(.deniedForClient)))
      return
    }
    guard case .authorize(let subject, let grant) = message else {
      return hold(.authorizations, from: identity, for: id)
    }
    record(grant, for: subject)
    // At once, but for who denies itself: it is told that it is done before it is cut off.
    applyPolicy(but: id)
    hold(.decision(subject), from: identity, for: id)
  }

  /// Lets and cuts off by the policy as it is now; the connection `last`, which is about to be answered,
  /// later.
  mutating func applyPolicy(but last: ConnectionID? = nil) {
    forgetExactChanges()
    forgetHistory()
    forgetStay()
    for id in clients.keys.sorted() where id != last {
      guard var client = clients[id], let identity = client.identity else { continue }
      let standing = policy.grant(for: identity)
      if client.temporary.contains(where: { !$0.isAllowed(by: standing) }) {
        note(&client, identity)
        client.temporary.removeAll { !$0.isAllowed(by: standing) }
        clients[id] = client
      }
      let grant = client.temporary.isEmpty ? standing : AuthorizationPolicy.Grant(.authorized)
      guard grant != client.grant else { continue }
      let wasLet = client.isLet
      client.grant = grant
      client.deniedSince = grant.denial == nil ? nil : client.deniedSince ?? now
      if let denial = grant.denial {
        cutOff(&client, denial)
      } else if !wasLet {
        client.outbox.post(.welcome(version: ClientMessage.version, accuracy: grant.accuracy))
      } else {
        client.forgetPlaces()
      }
      client.outbox.post(.authorization(grant))
      clients[id] = client
      if client.isLet { sendPending(to: id) }
    }
  }

  /// Significant changes and visits that were noted with full accuracy are not for clients that may
  /// know the reduced one only.
  mutating func forgetExactChanges() {
    for identity in durable.keys where policy.grant(for: identity).accuracy == .reduced {
      change(identity) {
        $0.pendingChanges.removeAll { !$0.sources.contains(.reduced) }
        $0.pendingVisits = []
      }
    }
  }

  /// Nothing that waits is sent; what was open is finished; the reason is said.
  private func cutOff(_ client: inout ConnectedClient, _ denial: LocationError.DenialReason) {
    let ends = client.standard.stop(.denied)
    client.outbox.censor(denial)
    client.inFlight = []
    client.significantSession = nil
    client.visitSession = nil
    client.heading.stop()
    handle(ends, for: &client)
    for number in client.requests.keys.sorted() {
      client.outbox.post(.answer(number: number, .failure(.denied(denial))))
    }
    client.requests = [:]
    client.heartbeat = StatusHeartbeat()
    client.outbox.post(.failed(.denied(denial)))
  }
}
