// The transition is the Bloss curve, known from railways: curvature follows 3t² − 2t³
// instead of the clothoid's t, so that angular acceleration, which an IMU away from the rear
// axle feels, has no steps either.

/// A stretch of road along which curvature goes from one value to another without a kink.
struct CurvaturePiece: Sendable {
  /// Distance driven at its start and its length, metres.
  let start: Double
  let length: Double
  /// Change of heading per metre driven at its start and end, rad/m, right positive.
  let from: Double
  let to: Double
  /// Heading of the road at its start, rad.
  let heading: Double

  /// Heading, curvature and change of curvature per metre at a distance driven.
  func evaluate(_ distance: Double) -> (heading: Double, curvature: Double, slope: Double) {
    let x = distance - start
    let t = x / length
    let change = to - from
    return (
      heading + from * x + change * length * t * t * t * (1 - t / 2),
      from + change * t * t * (3 - 2 * t),
      change * 6 * t * (1 - t) / length
    )
  }
}
