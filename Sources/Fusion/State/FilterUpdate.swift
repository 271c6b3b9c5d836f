/// What became of a measurement.
package struct FilterUpdate: Sendable {
  /// νᵀS⁻¹ν with the noise as it was given.
  package var normalizedInnovationSquared: Double
  /// 1, or less where the noise was enlarged.
  package var weight: Double
  /// Part of the innovation's variance that the measurement's own noise makes up, 0 to 1.
  package var noiseShare: Double
  /// Number of components of the innovation.
  var dimension: Int
  /// Of the t distribution, if one was asked for.
  var degreesOfFreedom: Double?
  /// Determinant of the innovation's covariance with the noise as it was given.
  var spread: Double

  /// Logarithm of the innovation's density, without constants: of the t distribution where one was asked for.
  package var logDensity: Double {
    RobustWeight.logDensity(
      normalizedInnovationSquared: normalizedInnovationSquared, determinant: spread, dimension: dimension,
      degreesOfFreedom: degreesOfFreedom)
  }
}
