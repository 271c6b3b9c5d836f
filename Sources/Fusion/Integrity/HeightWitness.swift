import LinearAlgebra
import Navigation

/// What the height of a fix says of its place on the map.
///
/// A reflected signal or a wrong integer ambiguity errs in all three axes, but no road climbs as
/// such a fix does: where its height lies off the car's, which slope and way have carried on, the
/// place is not better than that.
package enum HeightWitness {
  /// Standard deviations within which a height says nothing. [chosen on `reckon stress`: 3 and 4 do
  /// alike]
  private static let gate = 4.0
  /// Least distance that says something, m. [chosen on `reckon stress`: 5 to 10 do alike]
  package static let notable = 6.0

  /// Variance per horizontal axis that a fix has for it, m².
  ///
  /// - Parameters:
  ///   - distance: of the fix's height from the car's, m.
  ///   - variance: of the car's height and of what changes from fix to fix in theirs, m².
  ///   - levelShare: a fix's horizontal variance as a part of its vertical one.
  package static func variance(distance: Double, variance: Double, levelShare: Double) -> Double {
    let expected = gate * gate * variance + notable * notable
    return levelShare * max(0, distance * distance - expected)
  }
}
