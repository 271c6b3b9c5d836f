/// How long to wait before the next try: doubled at each failure, up to a limit.
public struct Backoff: Sendable, Equatable {
  /// The first wait in seconds: a daemon that is restarted is back within that.
  public var first = 0.25
  /// The longest wait in seconds.
  public var limit = 5.0
  private var following: Double?

  /// Nothing has failed yet.
  public init() {}

  /// Seconds to wait after one more failure.
  public mutating func next() -> Double {
    let wait = min(following ?? first, limit)
    following = min(2 * wait, limit)
    return wait
  }

  /// It worked: the next failure is a first one.
  public mutating func reset() { following = nil }
}
