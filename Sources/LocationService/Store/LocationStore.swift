import Location

/// Where what must outlive the service is written. Called from one thread at a time.
public protocol LocationStore: AnyObject, Sendable {
  /// Writes all of `changes` or none, and returns once they are on the disk.
  func write(_ changes: [StoreChange]) throws
}
