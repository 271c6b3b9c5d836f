import Location
import Navigation

/// An answer that says that something outlives the service: it leaves once that is on the disk.
struct HeldAnswer: Sendable {
  enum Content: Sendable {
    /// A decision was made.
    case decision(ClientIdentity)
    /// What has been decided, and who used location.
    case authorizations
    /// A region was begun in place of one that was watched before.
    case regionStart(Region, before: RegionWatch?)
    /// A region was ended.
    case regionStop(identifier: String)
    /// Where the car stands to a region.
    case regionState(identifier: String)
    case regions
  }

  /// The number of the write that it waits for.
  var write: UInt64
  var connection: Hub.ConnectionID
  /// Who asked.
  var client: ClientIdentity
  var content: Content
  var since: Timestamp
}

extension Hub {
  /// Seconds that an answer waits for the disk: then it is that nothing is stored. Commands wait for 5 s.
  static let longestHold = 3.0

  /// Answers once what was changed until now is on the disk, or cannot be written.
  mutating func hold(_ content: HeldAnswer.Content, from client: ClientIdentity, for id: ConnectionID) {
    let write: UInt64? =
      switch content {
      case .decision(let subject): pendingWrite(ofDecisionAbout: subject)
      case .authorizations: storage.unstoredDecisions.values.max()
      case .regionStart, .regionStop, .regionState, .regions: pendingWrite(of: client)
      }
    let answer = HeldAnswer(write: write ?? 0, connection: id, client: client, content: content, since: now)
    // A question changes nothing: what is not stored while nothing can be written is not waited for, unless
    // that is being tried.
    let isTried = storage.held.contains {
      $0.client == client || content.isAboutDecisions && $0.content.isAboutDecisions
    }
    guard write != nil, !(storage.isBroken && content.isQuestion && !isTried) else {
      return settle(answer, succeeded: write == nil)
    }
    storage.held.append(answer)
  }

  /// Sends the answers that waited for the writes up to `number`.
  mutating func settle(upTo number: UInt64, succeeded: Bool) {
    guard storage.held.contains(where: { $0.write <= number }) else { return }
    let ready = storage.held.filter { $0.write <= number }
    storage.held.removeAll { $0.write <= number }
    settle(ready, succeeded: succeeded)
  }

  /// Ends the waiting of those that have waited for too long.
  mutating func settleOverdue() {
    guard storage.held.contains(where: isOverdue) else { return }
    let ready = storage.held.filter(isOverdue)
    storage.held.removeAll(where: isOverdue)
    settle(ready, succeeded: false)
  }

  private func isOverdue(_ answer: HeldAnswer) -> Bool { now.seconds(since: answer.since) > Self.longestHold }

  private mutating func settle(_ ready: [HeldAnswer], succeeded: Bool) {
    // The newest first, so that of several changes of one region the state before the first is what is left.
    if !succeeded { for answer in ready.reversed() { takeBack(answer) } }
    for answer in ready { settle(answer, succeeded: succeeded) }
  }

  /// What was to begin and could not be written has not begun.
  private mutating func takeBack(_ answer: HeldAnswer) {
    guard case .regionStart(let region, let before) = answer.content else { return }
    change(answer.client) { kept in
      if kept.regions.watches[region.identifier]?.region == region {
        kept.regions.restore(before, of: region.identifier)
      }
    }
    // A later change of it that still waits goes back to the same.
    for i in storage.held.indices where storage.held[i].client == answer.client {
      if case .regionStart(let later, let its) = storage.held[i].content, its?.region == region {
        storage.held[i].content = .regionStart(later, before: before)
      }
    }
  }

  private mutating func settle(_ answer: HeldAnswer, succeeded: Bool) {
    let id = answer.connection
    guard let client = clients[id], client.end == nil else { return }
    switch answer.content {
    case .decision where !succeeded: clients[id]?.outbox.post(.failed(.notStored))
    case .decision, .authorizations:
      let said = authorizations
      clients[id]?.outbox.post(said)
    case .regionStart, .regionStop, .regionState, .regions:
      if let message = regionAnswer(answer, succeeded, policy.grant(for: answer.client)) {
        clients[id]?.outbox.post(message)
      }
    }
    // Who decides about itself is told that it is done before it is cut off.
    if case .decision = answer.content { applyPolicy() }
  }

  private func regionAnswer(
    _ answer: HeldAnswer, _ succeeded: Bool, _ grant: AuthorizationPolicy.Grant
  ) -> ServiceMessage? {
    let regions = durable[answer.client]?.regions
    // What it may know may have become less while it waited.
    let denial = grant.denial ?? (grant.accuracy == .reduced ? .accuracyReduced : nil)
    switch answer.content {
    case .regionStart(let region, _):
      let identifier = region.identifier
      if let denial { return .regionFailed(identifier: identifier, .denied(denial)) }
      return succeeded
        ? .regionStarted(identifier: identifier) : .regionFailed(identifier: identifier, .notStored)
    case .regionStop(let identifier):
      return succeeded ? nil : .regionFailed(identifier: identifier, .notStored)
    case .regionState(let identifier):
      if let denial { return .regionFailed(identifier: identifier, .denied(denial)) }
      return .regionState(identifier: identifier, regions?.state(of: identifier) ?? .unknown)
    case .regions: return grant.denial == nil ? .regions(regions?.regions ?? []) : nil
    case .decision, .authorizations: return nil
    }
  }

  private var authorizations: ServiceMessage {
    var decisions = policy.decisions.map {
      ServiceMessage.Decision(
        client: $0.key, grant: $0.value, isStored: storage.unstoredDecisions[$0.key] == nil)
    }
    decisions += storage.unstoredDecisions.keys.filter { policy.decisions[$0] == nil }
      .map { .init(client: $0, grant: nil, isStored: false) }
    decisions.sort { ($0.client.name, $0.client.user) < ($1.client.name, $1.client.user) }
    return .authorizations(decisions, audit.entries)
  }

  // MARK: What is not on the disk

  /// The number of the write that holds the newest change of a client; nil where all is written.
  private func pendingWrite(of client: ClientIdentity) -> UInt64? {
    storage.dirty.contains(client) ? storage.writeNumber : storage.unstored[client]
  }

  private func pendingWrite(ofDecisionAbout client: ClientIdentity) -> UInt64? {
    storage.unstoredDecisions[client]
  }

  /// Notes which write holds what, as it is handed over.
  mutating func noteHandedOver() {
    for client in storage.dirty { storage.unstored[client] = storage.writeNumber }
  }

  /// All up to the write `number` is on the disk.
  mutating func noteStored(_ number: UInt64) {
    storage.unstored = storage.unstored.filter { $0.value > number }
    storage.unstoredDecisions = storage.unstoredDecisions.filter { $0.value > number }
  }

  /// All that must outlive the service is to be written anew: the database is another.
  mutating func storeEverything() {
    storage.dirty.formUnion(durable.keys)
    storage.changes += policy.decisions.map { .decision($0.key, $0.value) }
    for client in policy.decisions.keys { storage.unstoredDecisions[client] = storage.writeNumber }
    storage.changes.append(.audit(audit.entries))
    if let place = placeToKeep { storage.changes.append(.lastLocation(place)) }
    storage.changes += [.stay(storage.stay), .history(wholeHistory)]
    storage.unwrittenHistory = HistoryChange()
  }
}

extension HeldAnswer.Content {
  fileprivate var isAboutDecisions: Bool {
    switch self {
    case .decision, .authorizations: true
    case .regionStart, .regionStop, .regionState, .regions: false
    }
  }

  fileprivate var isQuestion: Bool {
    switch self {
    case .authorizations, .regionState, .regions: true
    case .decision, .regionStart, .regionStop: false
    }
  }
}
