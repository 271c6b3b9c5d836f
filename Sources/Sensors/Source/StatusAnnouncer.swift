import SensorEvents

/// Lets a status through only when it differs from the one before.
public struct StatusAnnouncer: Sendable {
  /// The status last let through.
  public private(set) var current: SourceStatus?

  /// Nothing has been said yet.
  public init() {}

  /// `status`, if it is news.
  public mutating func change(to status: SourceStatus) -> SourceStatus? {
    guard status != current else { return nil }
    current = status
    return status
  }
}
