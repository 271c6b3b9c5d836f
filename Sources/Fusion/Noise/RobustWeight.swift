import CLibrary

/// Weight of a measurement whose error follows Student's t distribution: large innovations count
/// less, none is thrown away. (Lange, Little and Taylor 1989: the weight of iterated least squares
/// under a t distribution.)
package enum RobustWeight {
  /// - Parameters:
  ///   - normalizedInnovationSquared: νᵀS⁻¹ν.
  ///   - dimension: of ν.
  ///   - degreesOfFreedom: of the distribution; 3 to 4 has the tails of urban fixes.
  /// - Returns: between 0 and 1, and exactly 1 up to the innovation's expected size.
  package static func studentT(
    normalizedInnovationSquared q: Double, dimension: Int, degreesOfFreedom: Double
  ) -> Double {
    let weight = (degreesOfFreedom + Double(dimension)) / (degreesOfFreedom + q)
    return min(1, weight)
  }

  /// Logarithm of the density of an innovation, constants left out: of the t distribution, or of the normal
  /// one where no degrees of freedom are given.
  package static func logDensity(
    normalizedInnovationSquared q: Double, determinant: Double, dimension: Int, degreesOfFreedom: Double?
  ) -> Double {
    let spread = -0.5 * log(determinant)
    guard let degreesOfFreedom else { return spread - 0.5 * q }
    return spread - 0.5 * (degreesOfFreedom + Double(dimension)) * log(1 + q / degreesOfFreedom)
  }
}
