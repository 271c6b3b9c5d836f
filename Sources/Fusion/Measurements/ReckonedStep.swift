import LinearAlgebra
import Navigation

/// Compares the way from fix to fix with the way that was reckoned between them.
package struct ReckonedStep: Sendable {
  private var fix: GeodeticPosition?
  private var position = GeodeticPosition(latitude: 0, longitude: 0, height: 0)
  private var nearbyCurvature = NearbyCurvature()

  package init() {}

  /// Way from the fix before to this one less the way reckoned since, to `position` as it was before the fix
  /// was used, m; nothing where either has no height.
  package mutating func step(to next: GNSSFix, from position: GeodeticPosition) -> Vector3 {
    guard let fix else { return .zero }
    // A place without a height has its metres a radian from the navigator's.
    var from = fix
    if !from.height.isFinite { from.height = self.position.height }
    let step =
      next.position.ned(from: from, by: nearbyCurvature.at(from))
      - position.ned(from: self.position, by: nearbyCurvature.at(self.position))
    return Vector3(step.x, step.y, fix.height.isFinite && step.z.isFinite ? step.z : 0)
  }

  /// Notes a fix and the position that came of it.
  package mutating func note(_ fix: GNSSFix, at position: GeodeticPosition) {
    self.fix = fix.position
    self.position = position
  }
}

/// How a fix lies to the way that was reckoned: what there is to learn of the receiver from it.
package struct TrackAtFix: Sendable {
  /// From the fix before to this one, less the way that was reckoned between them, m.
  package var step: Vector3
  /// Variance per horizontal axis of the position that came of the fix, m².
  package var positionVariance: Double
  /// Variances north, east and down of the velocity that the way was reckoned with, (m/s)².
  package var velocityVariance: Vector3
  /// A standing car sees the same multipath all the time.
  package var isMoving: Bool

  package init(
    step: Vector3, positionVariance: Double, velocityVariance: Vector3, isMoving: Bool
  ) {
    self.step = step
    self.positionVariance = positionVariance
    self.velocityVariance = velocityVariance
    self.isMoving = isMoving
  }
}
