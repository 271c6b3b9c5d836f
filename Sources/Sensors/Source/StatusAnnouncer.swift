import SensorEvents

/// Lets a status through only when it differs from the one before.
package struct StatusAnnouncer: Sendable {
  /// The status last let through.
  package private(set) var current: SourceStatus?

  /// Nothing has been said yet.
  package init() {}

  /// `status`, if it is news.
  package mutating func change(to status: SourceStatus) -> SourceStatus? {
    guard status != current else { return nil }
    current = status
    return status
  }
}
