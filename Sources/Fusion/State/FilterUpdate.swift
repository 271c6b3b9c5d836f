import LinearAlgebra

/// A measurement as the filter foresees it, until either of them changes.
package struct FilterForesight {
  var projection = ErrorProjection()
  /// L⁻¹ with L Lᵀ the covariance of the innovation.
  var whitening = Matrix3.zero
  /// νᵀS⁻¹ν.
  package internal(set) var normalizedInnovationSquared = Double.infinity

  @inline(__always) package init() {}
}

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

  /// - Parameters:
  ///   - spread: covariance of what was expected of `measurement`, without its own noise.
  @inline(__always) init(
    _ measurement: Measurement<some Relation>, own spread: Matrix3, normalizedInnovationSquared: Double,
    weight: Double, degreesOfFreedom: Double?
  ) {
    self.normalizedInnovationSquared = normalizedInnovationSquared
    self.weight = weight
    // Components that are not measured have variance 1 in the noise.
    let own = measurement.noise.trace - Double(3 - measurement.dimension)
    noiseShare = own / (own + spread.trace)
    dimension = measurement.dimension
    self.degreesOfFreedom = degreesOfFreedom
    self.spread = (spread + measurement.noise).determinant
  }

  /// Logarithm of the innovation's density, without constants: of the t distribution where one was asked for.
  package var logDensity: Double {
    RobustWeight.logDensity(
      normalizedInnovationSquared: normalizedInnovationSquared, determinant: spread, dimension: dimension,
      degreesOfFreedom: degreesOfFreedom)
  }
}
