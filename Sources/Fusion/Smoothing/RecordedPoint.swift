import LinearAlgebra
import Navigation

/// An estimate on its way, with as much of its covariance as it takes to smooth it.
package struct RecordedPoint: Sendable {
  /// The blocks that a solution is made of.
  package static let blocks: InlineArray<4, Int> = [
    StateBlock.position, StateBlock.velocity, StateBlock.attitude, StateBlock.mountingAndOdometer,
  ]

  package var time: Timestamp
  var mode: NavigationMode
  var isMountingKnown: Bool
  var position: GeodeticPosition
  var velocity: Vector3
  var navFromBody: Quaternion
  var vehicleFromBody: Quaternion
  /// Angular rate in body axes, corrected, rad/s.
  var angularRate: Vector3
  /// Variance of the part of the position's error that no fix shows, m².
  var unknownVariance: Vector3
  /// Rows of the covariance, one for each of `blocks`.
  var rows: InlineArray<4, PerBlock<Matrix3>>

  package init(_ state: NavigationState, _ covariance: ErrorCovariance, time: Timestamp) {
    self.time = time
    mode = .aided
    isMountingKnown = true
    position = state.position
    velocity = state.velocity
    navFromBody = state.navFromBody
    vehicleFromBody = state.vehicleFromBody
    angularRate = state.angularRate
    unknownVariance = .zero
    rows = InlineArray { r in InlineArray { covariance[Self.blocks[r], $0] } }
  }
}

extension Navigator {
  /// The estimate as it is recorded.
  var recordedPoint: RecordedPoint {
    var point = RecordedPoint(filter.state, filter.covariance, time: time)
    point.mode = mode(at: time)
    point.isMountingKnown = mounting.isKnown
    point.unknownVariance = receiver.unknownVariance
    point.unknownVariance.z += barometer.bias?.heightVariance ?? 0
    return point
  }
}
