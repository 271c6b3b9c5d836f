import Navigation

/// Full accuracy for a while, for a client that was let with reduced accuracy: it asks by a key for what it
/// needs that, and has it where its grant names the key.
///
/// It ends ``duration`` seconds after it began by a clock that never steps, however often it is asked for
/// meanwhile, and before that with the connection that asked, or when the owner takes the key back. Nothing
/// of it is kept: regions, visits, significant changes and history go by what the client may know without it.
public struct TemporaryFullAccuracy: Sendable, Hashable {
  /// Seconds until it ends by itself: as long as a place of reduced accuracy holds.
  public static let duration = ReducedAccuracy.interval

  /// What it was given for.
  public let purposeKey: String
  /// When it ends, on the host's clock.
  public let until: Timestamp

  /// Begins at `start`.
  public init(purposeKey: String, from start: Timestamp) {
    self.purposeKey = purposeKey
    until = start.advanced(bySeconds: Self.duration)
  }

  /// Whether it has ended by itself.
  public func isOver(at now: Timestamp) -> Bool { now >= until }

  /// Whether the owner's word still stands.
  public func isAllowed(by standing: AuthorizationPolicy.Grant) -> Bool {
    standing.status.isAuthorized && standing.accuracy == .reduced
      && standing.fullAccuracyPurposeKeys.contains(purposeKey)
  }

  /// Longest key in bytes.
  public static let longestKey = 64
  /// How many keys a grant may name.
  public static let mostKeys = 16

  /// Whether something may be a key: letters, digits, dots, dashes and underscores of ASCII.
  public static func isPurposeKey(_ key: String) -> Bool {
    key.utf8.count <= longestKey && ClientIdentity.isName(key)
  }
}
