/// A stretch of road along which the slope goes from one value to another by 6t⁵ − 15t⁴ + 10t³.
struct GradePiece: Sendable {
  /// Distance driven at its start, and the length of the change; the slope stays at
  /// `to` from there on. Metres.
  let start: Double
  let length: Double
  /// Slope before and after, rad.
  let from: Double
  let to: Double

  /// Slope, and its first and second change per metre, at a distance driven.
  func evaluate(_ distance: Double) -> (slope: Double, first: Double, second: Double) {
    let t = (distance - start) / length
    let change = to - from
    guard t < 1, change != 0 else { return (to, 0, 0) }
    return (
      from + change * t * t * t * (10 - t * (15 - 6 * t)),
      change * 30 * t * t * (1 - t) * (1 - t) / length,
      change * 60 * t * (1 - t) * (1 - 2 * t) / (length * length)
    )
  }
}
