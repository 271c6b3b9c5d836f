import CLibrary

/// The distribution of a horizontal error that a 68 % and a 95 % radius state: P(r) = 1 −
/// exp(−(r/λ)ᵏ), the Weibull distribution through both, which for a circular normal distribution is that
/// itself (Rayleigh's, k = 2).
package struct StatedDistribution: Sendable {
  private let shape: Double
  private let scale: Double

  /// What the radii state; nil where they state nothing that an error can be held against.
  package init?(radius68: Double, radius95: Double) {
    guard radius68 > 0, radius95 > radius68, radius95.isFinite else { return nil }
    shape = log(log(0.05) / log(0.32)) / log(radius95 / radius68)
    scale = radius95 / pow(-log(0.05), 1 / shape)
    guard shape.isFinite, scale > 0, scale.isFinite else { return nil }
  }

  /// Probability that the error is at most `error` metres.
  package func probability(of error: Double) -> Double { 1 - exp(-pow(max(0, error) / scale, shape)) }

  /// Share of the times for which the truth lay inside the radius stated for 1, 2, … 99 %; empty where none
  /// was stated.
  package static func reliability(_ points: [ReportPoint]) -> [Double] {
    var stated: [Double] = []
    for point in points {
      guard let error = point.horizontalError, error.isFinite, let a = point.radius68, let b = point.radius95,
        let distribution = StatedDistribution(radius68: a, radius95: b)
      else { continue }
      stated.append(distribution.probability(of: error))
    }
    guard !stated.isEmpty else { return [] }
    stated.sort()
    var inside = 0
    return (1...99).map { percent in
      while inside < stated.count, stated[inside] <= Double(percent) / 100 { inside += 1 }
      return Double(inside) / Double(stated.count)
    }
  }
}
