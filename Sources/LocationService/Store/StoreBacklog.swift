import Location

/// What is not written yet: of each subject the newest change alone, of the history all of a day, so that it
/// stays small however long nothing can be written.
struct StoreBacklog: Sendable {
  private enum Subject: Hashable {
    case client(ClientIdentity)
    case decision(ClientIdentity)
    case audit
    case lastLocation
    case stay
    case history
  }

  private var newest: [Subject: StoreChange] = [:]
  private var order: [Subject] = []
  /// Number of the newest write in it; nil while it is empty.
  private(set) var number: UInt64?

  var isEmpty: Bool { number == nil }

  /// What is to be written, in the order in which it first came.
  var changes: [StoreChange] { order.compactMap { newest[$0] } }

  mutating func add(_ number: UInt64, _ changes: [StoreChange]) {
    self.number = max(number, self.number ?? 0)
    for change in changes {
      let subject = Self.subject(of: change)
      guard let before = newest[subject] else {
        newest[subject] = change
        order.append(subject)
        continue
      }
      newest[subject] =
        if case .history(let earlier) = before, case .history(let later) = change {
          .history(earlier.followed(by: later))
        } else {
          change
        }
    }
  }

  /// Takes what came after this in.
  mutating func add(_ later: StoreBacklog) {
    if let number = later.number { add(number, later.changes) }
  }

  private static func subject(of change: StoreChange) -> Subject {
    switch change {
    case .client(let client, _): .client(client)
    case .decision(let client, _): .decision(client)
    case .audit: .audit
    case .lastLocation: .lastLocation
    case .stay: .stay
    case .history: .history
    }
  }
}
