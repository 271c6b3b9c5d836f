import LinearAlgebra
import Navigation

/// Where the guard was when rate and force became steady: if that is since the car stands, it is there still.
///
/// Fixes that drift beside a standing car take the guard along, and when the fault ends they are back here. A
/// car that drives as evenly is elsewhere by then, and no fixes leap to where it was: whether it stands need
/// not be known. What ``UnaidedSolutions`` are to a navigator with a heading this is to the guard.
struct SteadyPlace: Sendable {
  /// Standard deviations within which a fix has to be of it.
  /// [measured on 500 variants of `reckon stress` with bursts, 203001:203020: 2, 3, 5 all leave 357 s lost]
  private static let gate = 3.0

  /// Where it foresaw fixes then, and the variance of that per level axis, m².
  private let position: GeodeticPosition
  private let variance: Double

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
    let off = Vector3(innovation.x - offset.x, innovation.y - offset.y, 0).squaredNorm
    let total = variance + noise
    guard off < Self.gate * Self.gate * total else { return 0 }
    return max(0, (offset.x * offset.x + offset.y * offset.y - off) / (2 * total))
  }
}
