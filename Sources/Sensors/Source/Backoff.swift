/// How long to wait before the next try: doubled at each failure, up to a limit.
package struct Backoff: Sendable, Equatable {
  /// The first wait in seconds: a daemon that is restarted is back within that.
  package var first = 0.25
  /// The longest wait in seconds.
  package var limit = 5.0
  private var following: Double?

  /// Nothing has failed yet.
  package init() {}

  /// Seconds to wait after one more failure.
  package mutating func next() -> Double {
    let wait = min(following ?? first, limit)
    following = min(2 * wait, limit)
    return wait
  }

  /// It worked: the next failure is a first one.
  package mutating func reset() { following = nil }
}
