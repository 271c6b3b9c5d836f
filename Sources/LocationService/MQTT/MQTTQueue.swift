import Navigation

/// The positions on their way to a broker: bounded, and the newest win. What waits
/// longest is dropped and counted.
package struct MQTTQueue: Sendable {
  /// All that is said of one place.
  package typealias Position = [MQTTPacket.Message]

  private struct Sent {
    /// Nil where it may not be told again.
    var position: Position?
    var since: Timestamp
    var identifiers: Set<UInt16>
  }

  /// Positions that wait for the broker at most, where it acknowledges them; where it does not, only the
  /// newest is worth sending.
  package static let mostWaiting = 32
  /// Positions that the broker may leave unacknowledged before it gets more.
  package static let mostUnacknowledged = 4

  /// Whether each is to be acknowledged: quality of service 1.
  let isAcknowledged: Bool
  private var waiting: [Position] = []
  private var sent: [Sent] = []
  private var nextIdentifier: UInt16 = 1
  /// Positions that were sent, and by quality of service 1 acknowledged.
  package private(set) var published = 0
  /// Positions that were given up because the broker took too long.
  package private(set) var dropped = 0

  /// Nothing on its way.
  package init(isAcknowledged: Bool) { self.isAcknowledged = isAcknowledged }

  package var count: Int { waiting.count }
  /// Since when the broker has had what it has to acknowledge next; nil where it has nothing to.
  package var waitsSince: Timestamp? { sent.first?.since }

  private var capacity: Int { isAcknowledged ? Self.mostWaiting : 1 }

  /// Takes one more.
  package mutating func append(_ position: Position) {
    waiting.append(position)
    trim()
  }

  /// The packets of the next, if the broker may have it now.
  package mutating func next(at now: Timestamp) -> [MQTTPacket]? {
    guard let position = waiting.first, sent.count < Self.mostUnacknowledged else { return nil }
    waiting.removeFirst()
    guard isAcknowledged else {
      published += 1
      return position.map { .publish($0, identifier: nil) }
    }
    let packets = position.map { MQTTPacket.publish($0, identifier: identifier()) }
    let identifiers = packets.compactMap { if case .publish(_, let number) = $0 { number } else { nil } }
    sent.append(Sent(position: position, since: now, identifiers: Set(identifiers)))
    return packets
  }

  /// The broker has the packet of that identifier; false where no such packet waited for it.
  package mutating func acknowledge(_ identifier: UInt16) -> Bool {
    guard let index = sent.firstIndex(where: { $0.identifiers.contains(identifier) }) else { return false }
    sent[index].identifiers.remove(identifier)
    if sent[index].identifiers.isEmpty {
      sent.remove(at: index)
      published += 1
    }
    return true
  }

  /// The connection has ended: what was not acknowledged is sent again on the next, before anything else.
  package mutating func disconnect() {
    waiting = sent.compactMap(\.position) + waiting
    sent = []
    trim()
  }

  /// Nothing of it may be told any more. What the broker has it still acknowledges.
  package mutating func forget() {
    waiting = []
    for i in sent.indices { sent[i].position = nil }
  }

  private mutating func trim() {
    let surplus = waiting.count - capacity
    guard surplus > 0 else { return }
    waiting.removeFirst(surplus)
    dropped += surplus
  }

  /// Never 0, and not one again for the next 65,535 packets (2.3.1).
  private mutating func identifier() -> UInt16 {
    defer { nextIdentifier = nextIdentifier == .max ? 1 : nextIdentifier + 1 }
    return nextIdentifier
  }
}
