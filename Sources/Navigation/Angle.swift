/// Angles are radians in `Double`; degrees appear only at the edges and say so.
public enum Angle {
  /// Radians of an angle in degrees.
  @inlinable public static func radians(degrees: Double) -> Double { degrees * (.pi / 180) }

  /// Degrees of an angle in radians.
  @inlinable public static func degrees(radians: Double) -> Double { radians * (180 / .pi) }

  /// The same direction in −π ..< π.
  @inlinable public static func wrapped(_ radians: Double) -> Double {
    if radians >= -.pi, radians < .pi { return radians }
    let turn = 2 * Double.pi
    let wrapped = radians - turn * ((radians + .pi) / turn).rounded(.down)
    return wrapped >= .pi ? wrapped - turn : wrapped
  }

  /// The same direction in 0 ..< 2π.
  @inlinable public static func positive(_ radians: Double) -> Double {
    let wrapped = wrapped(radians)
    return wrapped < 0 ? wrapped + 2 * .pi : wrapped
  }
}
