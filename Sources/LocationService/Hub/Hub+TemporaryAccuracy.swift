import Location
import Navigation

extension Hub {
  /// Gives a client with reduced accuracy the full one for a while, where its owner's
  /// word is for that purpose.
  mutating func requestTemporaryFullAccuracy(
    _ number: Int64, purposeKey: String, _ identity: ClientIdentity, _ client: inout ConnectedClient
  ) {
    func answer(_ result: Result<Timestamp?, LocationError>) -> ServiceMessage {
      .temporaryFullAccuracy(number: number, result)
    }
    let standing = policy.grant(for: identity)
    guard standing.accuracy == .reduced else { return client.outbox.post(answer(.success(nil))) }
    let wished = TemporaryFullAccuracy(purposeKey: purposeKey, from: now)
    guard wished.isAllowed(by: standing) else {
      let key = String(decoding: purposeKey.utf8.prefix(TemporaryFullAccuracy.longestKey), as: UTF8.self)
      return client.outbox.post(answer(.failure(.fullAccuracyNotAllowed(purposeKey: key))))
    }
    // Each purpose has an end of its own, and all that run are in the audit.
    if let runs = client.temporary.first(where: { $0.purposeKey == purposeKey }) {
      return client.outbox.post(answer(.success(runs.until)))
    }
    note(&client, identity)
    client.temporary.append(wished)
    if client.temporary.count == 1 {
      client.grant = .init(.authorized)
      client.forgetPlaces()
      client.outbox.post(.authorization(client.grant))
    }
    client.outbox.post(answer(.success(wished.until)))
  }

  /// Ends what is over: nothing exact that was not taken leaves any more.
  mutating func endTemporaryAccuracy() {
    let over = clients.keys.filter { clients[$0]?.temporary.contains { $0.isOver(at: now) } ?? false }
    for id in over.sorted() {
      withClient(id) { client, hub in
        guard let identity = client.identity else { return }
        hub.note(&client, identity)
        client.temporary.removeAll { $0.isOver(at: hub.now) }
        guard client.temporary.isEmpty else { return }
        client.grant = hub.policy.grant(for: identity)
        client.forgetPlaces()
        client.outbox.post(.authorization(client.grant))
      }
    }
  }
}
