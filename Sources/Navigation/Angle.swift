/// Angles are radians in `Double`; degrees appear only at the edges and say so.
public enum Angle {
  /// Radians of an angle in degrees.
  @inlinable public static func radians(degrees: Double) -> Double { degrees * (.pi / 180) }

  /// Degrees of an angle in radians.
  @inlinable public static func degrees(radians: Double) -> Double { radians * (180 / .pi) }

  /// The same direction in −π ..< π.
  @inlinable public static func wrapped(_ radians: Double) -> Double {
    if radians >= -.pi, radians < .pi { return radians }
    // The remainder is exact: it cannot round out of the range.
    let wrapped = radians.remainder(dividingBy: 2 * .pi)
    return wrapped >= .pi ? -.pi : wrapped
  }

  /// The same direction in 0 ..< 2π.
  @inlinable public static func positive(_ radians: Double) -> Double {
    let wrapped = wrapped(radians)
    guard wrapped < 0 else { return wrapped }
    // A tiny negative angle rounds up to the whole turn.
    let positive = wrapped + 2 * .pi
    return positive < 2 * .pi ? positive : 0
  }
}
