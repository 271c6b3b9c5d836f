import CLibrary
import Navigation
import Testing

@Suite struct AccuracyRadiusTests {
  /// Probability of a circle by slices: ∫ φ(x/a) erf(√(r² − x²) / (b √2)) dx, with x = r
  /// sin t and Simpson's rule.
  private func probability(radius r: Double, major a: Double, minor b: Double) -> Double {
    let steps = 400
    var sum = 0.0
    for i in 0...steps {
      let t = Double(i) / Double(steps) * .pi / 2
      let x = r * sin(t)
      let slice = b > 0 ? erf(r * cos(t) / (b * 2.0.squareRoot())) : 1
      let weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4 : 2
      sum += weight * exp(-x * x / (2 * a * a)) * slice * cos(t)
    }
    return sum * (.pi / 2 / Double(steps) / 3) * 2 * r / (a * (2 * .pi).squareRoot())
  }

  private func covariance(_ major: Double, _ minor: Double, turned angle: Double) -> Matrix3 {
    let (s, c) = (sin(angle), cos(angle))
    let turn = Matrix3(rows: Vector3(c, -s, 0), Vector3(s, c, 0), Vector3(0, 0, 1))
    return turn * Matrix3(diagonal: Vector3(major * major, minor * minor, 7)) * turn.transpose
  }

  @Test func slicesKnowTheClosedForms() {
    // Circular: 1 − exp(−r²/2); degenerate: erf(r/√2).
    #expect(abs(probability(radius: 1.5, major: 1, minor: 1) - (1 - exp(-1.125))) < 1e-9)
    #expect(abs(probability(radius: 1.2, major: 1, minor: 0) - erf(1.2 / 2.0.squareRoot())) < 1e-6)
  }

  /// At the ratios of the table the radius is exact to its five digits.
  @Test func tableHoldsTheStatedProbability() {
    for i in 0...8 {
      let ratio = Double(i) / 8
      let p = covariance(1, ratio, turned: 0)
      let (r68, r95) = (AccuracyRadius.radius68(p), AccuracyRadius.radius95(p))
      // Half a digit of the radius times the density there.
      #expect(abs(probability(radius: r68, major: 1, minor: ratio) - 0.68) < 5e-6, "ratio \(ratio)")
      #expect(abs(probability(radius: r95, major: 1, minor: ratio) - 0.95) < 5e-6, "ratio \(ratio)")
    }
  }

  /// Between them a straight line errs by under 0.3 % of the probability.
  @Test func interpolationStaysNearTheProbability() {
    var worst = (p68: 0.0, p95: 0.0)
    for i in 0...200 {
      let ratio = Double(i) / 200
      let p = covariance(3, 3 * ratio, turned: 1.1)
      worst.p68 = max(
        worst.p68, abs(probability(radius: AccuracyRadius.radius68(p), major: 3, minor: 3 * ratio) - 0.68))
      worst.p95 = max(
        worst.p95, abs(probability(radius: AccuracyRadius.radius95(p), major: 3, minor: 3 * ratio) - 0.95))
    }
    #expect(worst.p68 < 0.003 && worst.p95 < 0.003, "\(worst)")
  }

  @Test func radiusDoesNotDependOnDirectionOrHeight() {
    let level = AccuracyRadius.radius68(covariance(5, 2, turned: 0))
    for angle in stride(from: 0.0, to: 3.2, by: 0.2) {
      #expect(abs(AccuracyRadius.radius68(covariance(5, 2, turned: angle)) / level - 1) < 1e-13)
    }
    var tall = covariance(5, 2, turned: 0.4)
    tall.z.z = 1e6
    #expect(abs(AccuracyRadius.radius68(tall) / level - 1) < 1e-13)
  }

  @Test func circleHasTheClosedForm() {
    let p = Matrix3(scalar: 16)
    #expect(abs(AccuracyRadius.radius68(p) - 4 * (-2 * log(0.32)).squareRoot()) < 4e-5)
    #expect(abs(AccuracyRadius.radius95(p) - 4 * (-2 * log(0.05)).squareRoot()) < 4e-5)
  }

  @Test func degenerateCovariancesGiveNumbers() {
    #expect(AccuracyRadius.radius68(.zero) == 0 && AccuracyRadius.radius95(.zero) == 0)
    let line = covariance(2, 0, turned: 0.8)
    #expect(abs(AccuracyRadius.radius95(line) - 2 * 1.95996) < 1e-4)
    // Rounding can leave a covariance slightly indefinite.
    let indefinite = Matrix3(rows: Vector3(1, 1 + 1e-12, 0), Vector3(1 + 1e-12, 1, 0), Vector3(0, 0, 1))
    #expect(abs(AccuracyRadius.radius68(indefinite) - 2.0.squareRoot() * 0.99446) < 1e-4)
  }

  @Test func aCovarianceWithoutBoundHasARadiusWithoutBound() {
    for value in [Double.infinity, .nan] {
      #expect(AccuracyRadius.radius68(Matrix3(diagonal: Vector3(value, value, 1))) == .infinity)
      #expect(AccuracyRadius.radius95(Matrix3(diagonal: Vector3(value, 1, 1))) == .infinity)
    }
    // Squares of it do not fit, the radius may be too large and never too small.
    #expect(AccuracyRadius.radius68(Matrix3(diagonal: Vector3(1e300, 1e300, 1))) > 1e150)
    #expect(AccuracyRadius.radius95(Matrix3(diagonal: Vector3(1e300, 1, 1))) > 1e150)
  }
}
