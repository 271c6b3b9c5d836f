import Location
import Navigation

/// Which way the car points, for clients with full accuracy, if only for a while.
extension Hub {
  mutating func startHeading(_ session: Int64, filter: Double?, _ client: inout ConnectedClient) {
    client.outbox.dropHeading()
    client.heading.start(session: session, filter: filter)
    guard client.grant.accuracy == .full else {
      return client.outbox.post(.refused(.heading, .denied(.accuracyReduced)))
    }
    if let location = engineLocation { offerHeading(of: location, to: &client) }
  }

  func offerHeading(of location: Location, to client: inout ConnectedClient) {
    guard client.grant.accuracy == .full, let heading = client.heading.offer(location),
      let session = client.heading.session
    else { return }
    client.told += 1
    client.outbox.post(.heading(session: session, heading))
  }
}
