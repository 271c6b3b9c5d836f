import Location
import Navigation

extension Hub {
  /// Gives a client with reduced accuracy the full one for a while, where its owner's word is for that purpose.
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
    if client.temporary == nil {
      note(&client, identity)
      client.temporary = wished
      client.grant = .init(.authorized)
      client.forgetPlaces()
      client.outbox.post(.authorization(client.grant))
    }
    client.outbox.post(answer(.success(client.temporary?.until)))
  }

  /// Ends what is over: nothing exact that was not taken leaves any more.
  mutating func endTemporaryAccuracy() {
    guard clients.values.contains(where: { $0.temporary?.isOver(at: now) ?? false }) else { return }
    for id in clients.keys.sorted() where clients[id]?.temporary?.isOver(at: now) ?? false {
      withClient(id) { client, hub in
        guard let identity = client.identity else { return }
        hub.note(&client, identity)
        client.temporary = nil
        client.grant = hub.policy.grant(for: identity)
        client.forgetPlaces()
        client.outbox.post(.authorization(client.grant))
      }
    }
  }
}
