import LinearAlgebra
import Navigation

/// Where the guard was when rate and force became steady: if that is since the car stands, it is there still.
///
/// Fixes that drift beside a standing car take the guard along, and when the fault ends they are back here. A
/// car that drives as evenly is elsewhere by then, and no fixes leap to where it was: whether it stands need
/// not be known. What ``UnaidedSolutions`` are to a navigator with a heading this is to the guard.
struct SteadyPlace: Sendable {
  /// Where it foresaw fixes then, and the variance of that per level axis, m².
  private let position: GeodeticPosition
  private let variance: Double
  /// Whether fixes of another place have since won by being told for longer.
  var isLeft = false

  init(foreseen position: GeodeticPosition, variance: Double) {
    self.position = position
    self.variance = variance
  }

  /// Logarithm of the odds that a fix is of here and not of where the guard is now, 0 where it is not.
  ///
  /// - Parameters:
  ///   - innovation: of the fix, in NED, m.
  ///   - foreseen: where the guard now foresees fixes.
  ///   - noise: variance of the fix per level axis, m².
  func evidence(for innovation: Vector3, foreseen: GeodeticPosition, noise: Double) -> Double {
    let offset = position.ned(from: foreseen)
    let level = Vector3(offset.x, offset.y, 0)
    return max(0, UnaidedSolutions.evidence(for: level, at: innovation, variance: variance + noise))
  }
}
