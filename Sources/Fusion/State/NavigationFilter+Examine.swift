extension ErrorStateFilter {
  /// How well a measurement was foreseen; nothing changes but that the covariance is moved on.
  package mutating func examine(
    _ measurement: Measurement<some Relation>, degreesOfFreedom: Double? = nil
  ) -> Update? {
    var foresight = Foresight()
    guard foresee(measurement, &foresight) else { return nil }
    return Update(
      measurement, own: foresight.projection.own,
      normalizedInnovationSquared: foresight.normalizedInnovationSquared, weight: 0,
      degreesOfFreedom: degreesOfFreedom)
  }
}
