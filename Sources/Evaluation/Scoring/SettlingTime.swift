import Navigation

/// When an error came within its bound to stay there for 10 s.
package struct SettlingTime: Sendable {
  private let bound: Double
  private var since: Timestamp?
  /// When it came within its bound; nil until it has stayed there.
  package private(set) var settled: Timestamp?

  /// A watch on errors that should be at most `bound`.
  package init(bound: Double) { self.bound = bound }

  /// Takes the magnitude of the error at `time`.
  package mutating func add(_ error: Double, at time: Timestamp) {
    guard settled == nil else { return }
    guard error <= bound else {
      since = nil
      return
    }
    let start = since ?? time
    since = start
    if time.seconds(since: start) >= 10 { settled = start }
  }
}
