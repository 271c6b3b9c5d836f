import Evaluation
import Foundation
import Testing

@Suite struct StatedDistributionTests {
  /// Radii of a circular normal distribution: σ √(−2 ln(1 − p)).
  private func radius(_ p: Double, sigma: Double = 3) -> Double { sigma * (-2 * log(1 - p)).squareRoot() }

  @Test func aCircularNormalDistributionIsItself() throws {
    let stated = try #require(StatedDistribution(radius68: radius(0.68), radius95: radius(0.95)))
    for p in [0.01, 0.2, 0.5, 0.68, 0.9, 0.95, 0.999] {
      #expect(abs(stated.probability(of: radius(p)) - p) < 1e-12)
    }
  }

  @Test(arguments: [(1.0, 2.5), (4.0, 6.0), (0.01, 3.0)])
  func bothRadiiAreMet(radius68: Double, radius95: Double) throws {
    let stated = try #require(StatedDistribution(radius68: radius68, radius95: radius95))
    #expect(abs(stated.probability(of: radius68) - 0.68) < 1e-12)
    #expect(abs(stated.probability(of: radius95) - 0.95) < 1e-12)
    #expect(stated.probability(of: 0) == 0)
  }

  @Test(arguments: [(0.0, 1.0), (2.0, 2.0), (3.0, 1.0), (1.0, .infinity), (.nan, 1.0)])
  func whatStatesNothingIsNone(radius68: Double, radius95: Double) {
    #expect(StatedDistribution(radius68: radius68, radius95: radius95) == nil)
  }

  /// Errors at the quantiles of their own statement lie on the diagonal; with half the radii stated they
  /// are those of twice the error.
  @Test func reliabilityIsTheShareWithinEachStatedRadius() {
    let count = 2000
    let points = { (factor: Double) in
      (0..<count).map { i in
        var point = ReportPoint(time: Double(i), latitudeDegrees: 0, longitudeDegrees: 0)
        point.horizontalError = radius((Double(i) + 0.5) / Double(count))
        (point.radius68, point.radius95) = (factor * radius(0.68), factor * radius(0.95))
        return point
      }
    }
    for (i, share) in StatedDistribution.reliability(points(1)).enumerated() {
      #expect(abs(share - Double(i + 1) / 100) < 1.01 / Double(count))
    }
    for (i, share) in StatedDistribution.reliability(points(0.5)).enumerated() {
      // P(r ≤ k R_p) = 1 − (1 − p)^(k²) of Rayleigh's distribution.
      #expect(abs(share - (1 - pow(1 - Double(i + 1) / 100, 0.25))) < 1.01 / Double(count))
    }
    #expect(StatedDistribution.reliability([]).isEmpty)
  }
}
