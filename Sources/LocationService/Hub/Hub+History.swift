import Location
import Navigation

/// What has become of the history since it was written.
public struct HistoryChange: Sendable, Equatable {
  /// Whether all that was written before goes.
  public var isCleared = false
  /// What came.
  public var added: [LocationHistory.Entry] = []
  /// What is older goes.
  public var oldest: Timestamp?

  /// Nothing.
  public init() {}

  /// Adds the newest. A clock that goes back was wrong about what seems to come.
  mutating func add(_ entry: LocationHistory.Entry) {
    while let last = added.last, last.utc > entry.utc { added.removeLast() }
    added.append(entry)
    if added.count > LocationHistory.limit { added.removeFirst() }
  }

  /// This, and then `later`.
  func followed(by later: HistoryChange) -> HistoryChange {
    if later.isCleared { return later }
    var both = self
    both.oldest = later.oldest ?? oldest
    for entry in later.added { both.add(entry) }
    return both
  }
}

/// Where the car was, for clients that have asked for it to be kept: one history, of which each is told what
/// came after it asked, by what it may know for good. With the last of them it is deleted.
extension Hub {
  /// Seconds from one writing to the next: a crash loses no more.
  static let historyWrites = 60.0

  mutating func startHistory(_ number: Int64, _ identity: ClientIdentity, _ client: inout ConnectedClient) {
    guard makeRoom(for: identity) else {
      let failure = LocationError.tooManyNames(limit: Self.mostNames)
      return client.outbox.post(.history(number: number, .failure(failure)))
    }
    // The computer's clock may be behind what is kept; what others had kept before is not for this one.
    let last = history.entries.last?.utc ?? Timestamp(nanoseconds: 0)
    var since = last.advanced(bySeconds: 1e-9)
    if let utc, utc >= last { since = utc }
    change(identity) { $0.historySince = $0.historySince ?? since }
    client.outbox.post(.history(number: number, .success([])))
  }

  mutating func stopHistory(_ identity: ClientIdentity) {
    change(identity) { $0.historySince = nil }
    forgetHistory()
  }

  mutating func tellHistory(
    _ number: Int64, since: Timestamp?, count: Int64, _ identity: ClientIdentity,
    _ client: inout ConnectedClient
  ) {
    guard !client.outbox.hasHistory else {
      let failure = LocationError.protocolViolation("too many open requests")
      return client.outbox.post(.history(number: number, .failure(failure)))
    }
    var told: [Location] = []
    if let begun = durable[identity]?.historySince, let utc {
      let (start, count) = (max(since ?? begun, begun), Int(clamping: count))
      let entries =
        policy.grant(for: identity).accuracy == .full
        ? history.entries(since: start, count: count)
        : history.reducedEntries(since: start, count: count, now: utc)
      told = entries.map { Location($0, now: now, utc: utc) }
    }
    client.told += told.count
    client.outbox.post(.history(number: number, .success(told)))
  }

  mutating func offerToHistory(_ location: Location) {
    guard durable.values.contains(where: { $0.historySince != nil }), let entry = history.note(location)
    else {
      return
    }
    // A replayed drive is none to remember.
    if !entry.sources.contains(.simulated) { storage.unwrittenHistory.add(entry) }
  }

  /// Who is not let has no history; where nobody has, there is none.
  mutating func forgetHistory() {
    for (identity, kept) in durable where kept.historySince != nil {
      if !policy.grant(for: identity).status.isAuthorized { change(identity) { $0.historySince = nil } }
    }
    guard !durable.values.contains(where: { $0.historySince != nil }) else { return }
    guard !history.entries.isEmpty || !storage.unwrittenHistory.added.isEmpty else { return }
    history = LocationHistory()
    storage.unwrittenHistory = HistoryChange()
    storage.unwrittenHistory.isCleared = true
    writeHistory()
  }

  /// Hands over what has changed since the last time.
  mutating func writeHistory() {
    storage.lastHistory = now
    if let utc, history.forget(before: utc) {
      storage.unwrittenHistory.oldest = utc.advanced(bySeconds: -LocationHistory.memory)
    }
    guard storage.unwrittenHistory != HistoryChange() else { return }
    storage.changes.append(.history(storage.unwrittenHistory))
    storage.unwrittenHistory = HistoryChange()
  }

  /// The whole of it, for a database that has nothing.
  var wholeHistory: HistoryChange {
    var whole = HistoryChange()
    whole.isCleared = true
    whole.added = history.entries.filter { !$0.sources.contains(.simulated) }
    return whole
  }
}
