import Navigation

/// Who was told where the car is in the last 24 hours.
public struct UsageAudit: Sendable, Equatable {
  /// One stretch of use by one client.
  public struct Entry: Sendable, Hashable {
    /// Who.
    public var client: ClientIdentity
    /// What for, in the client's words.
    public var purpose: String
    /// When it was first told something, UTC since 1970.
    public var from: Timestamp
    /// When it was last told something, UTC since 1970.
    public var until: Timestamp
    /// How many locations, batches counted by the location.
    public var count: Int

    /// One stretch of use.
    public init(
      client: ClientIdentity, purpose: String, from: Timestamp, until: Timestamp, count: Int
    ) {
      self.client = client
      self.purpose = purpose
      self.from = from
      self.until = until
      self.count = count
    }
  }

  /// Seconds for which use is remembered.
  public static let memory = 86_400.0
  /// Seconds without use after which a new entry begins.
  public static let gap = 300.0
  /// How many entries are kept: then the oldest go of the user that has the most.
  public static let limit = 2000

  /// In order of their beginning.
  public private(set) var entries: [Entry]

  /// What was noted before.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// Notes that `client` was told `count` locations at `utc`.
  public mutating func note(
    _ client: ClientIdentity, purpose: String, count: Int, at utc: Timestamp
  ) {
    let last = entries.lastIndex { $0.client == client && $0.purpose == purpose }
    if let last, abs(utc.seconds(since: entries[last].until)) <= Self.gap {
      entries[last].until = max(entries[last].until, utc)
      entries[last].count += count
    } else {
      entries.append(Entry(client: client, purpose: purpose, from: utc, until: utc, count: count))
    }
    forget(before: utc)
  }

  /// Drops what is older than a day.
  public mutating func forget(before utc: Timestamp) {
    entries.removeAll { utc.seconds(since: $0.until) > Self.memory }
    while entries.count > Self.limit {
      // One user with many names does not drive the others out.
      let counts = Dictionary(entries.map { ($0.client.user, 1) }, uniquingKeysWith: +)
      let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      entries.removeFirst(where: { $0.client.user == most })
    }
  }
}

extension Array {
  fileprivate mutating func removeFirst(where isFit: (Element) -> Bool) {
    if let i = firstIndex(where: isFit) { remove(at: i) }
  }
}
