import Navigation

/// How often the truth lay within what was stated, and how large the errors were by the covariance.
struct CoverageCount: Sendable {
  private var count = 0
  private var inside68 = 0
  private var inside95 = 0
  private var misleading = 0
  private var neesSum = 0.0
  private var neesCount = 0

  /// Counts an error north, east in m against radii that are stated, m.
  mutating func add(_ error: Vector3, radius68: Double, radius95: Double) {
    count += 1
    if error.horizontalNorm <= radius68 { inside68 += 1 }
    if error.horizontalNorm <= radius95 { inside95 += 1 }
    if MisleadingInformation.holds(error: error.horizontalNorm, radius95: radius95) { misleading += 1 }
  }

  /// Counts an error against a covariance alone.
  mutating func add(_ error: Vector3, _ covariance: Matrix3) {
    let (a, b, c) = (covariance.x.x, covariance.x.y, covariance.y.y)
    let determinant = a * c - b * b
    guard determinant > 0, determinant.isFinite else { return }
    let (n, e) = (error.x, error.y)
    neesSum += (c * n * n - 2 * b * n * e + a * e * e) / determinant / 2
    neesCount += 1
  }

  /// Says its shares, where there are any.
  func fill(_ score: inout EstimatorScore) {
    if count > 0 {
      score.coverage68 = Double(inside68) / Double(count)
      score.coverage95 = Double(inside95) / Double(count)
      score.misleading = Double(misleading) / Double(count)
    }
    if neesCount > 0 { score.positionNEES = neesSum / Double(neesCount) }
  }
}
