import Navigation

/// Length of a path through points that are noisy: it grows only once the path has left its last corner by
/// `step` metres, so that a standing car drives no distance.
package struct PathLength: Sendable {
  private let step: Double
  private var corner: GeodeticPosition?
  /// Metres so far.
  package private(set) var metres = 0.0

  package init(step: Double) { self.step = step }

  /// Goes on to `point`; the length up to there, to within `step`.
  package mutating func add(_ point: GeodeticPosition) -> Double {
    guard let last = corner else {
      corner = point
      return 0
    }
    let moved = point.displacement(from: last).horizontalNorm
    if moved >= step {
      metres += moved
      corner = point
    }
    return metres
  }
}
