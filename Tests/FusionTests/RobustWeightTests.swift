import CLibrary
import Fusion
import Testing

@Suite struct RobustWeightTests {
  private func weight(_ q: Double, _ dimension: Int = 3, _ freedom: Double = 4) -> Double {
    RobustWeight.studentT(normalizedInnovationSquared: q, dimension: dimension, degreesOfFreedom: freedom)
  }

  @Test func expectedInnovationsCountInFull() {
    for q in [0, 0.5, 2.999, 3] { #expect(weight(q) == 1) }
    #expect(weight(3.001) < 1)
    #expect(weight(2, 2, 3) == 1)
  }

  @Test func weightFallsAsOneOverTheSquare() {
    #expect(weight(10) == 0.5)
    #expect(abs(weight(1e6) - 7.0 / 1_000_004) < 1e-20)
    #expect(abs(weight(1e12) * 1e12 - 7) < 1e-9)
    var last = 1.0
    for i in 0..<100 {
      let next = weight(3 + Double(i))
      #expect(next <= last && next > 0)
      last = next
    }
  }

  @Test func manyDegreesOfFreedomAreTheNormalDistribution() {
    #expect(abs(weight(50, 3, 1e9) - 1) < 1e-7)
    func density(_ freedom: Double?) -> Double {
      RobustWeight.logDensity(
        normalizedInnovationSquared: 7, determinant: 2, dimension: 3, degreesOfFreedom: freedom)
    }
    #expect(abs(density(1e9) - density(nil)) < 1e-6)
    #expect(abs(density(nil) + 0.5 * log(2) + 3.5) < 1e-15)
  }

  /// −½ ln |S| − ½ (ν + k) ln(1 + q / ν).
  @Test func densityIsThatOfStudent() {
    let value = RobustWeight.logDensity(
      normalizedInnovationSquared: 8, determinant: 5, dimension: 2, degreesOfFreedom: 4)
    #expect(abs(value + 0.5 * log(5) + 3 * log(3)) < 1e-14)
  }

  /// The weight is what the density's slope says: d(log density)/dq = −½ · weight, before it is cut at 1.
  @Test func weightIsTheSlopeOfTheDensity() {
    for q in [4.0, 9, 40] {
      func density(_ q: Double) -> Double {
        RobustWeight.logDensity(
          normalizedInnovationSquared: q, determinant: 1, dimension: 3, degreesOfFreedom: 4)
      }
      let slope = (density(q + 1e-4) - density(q - 1e-4)) / 2e-4
      #expect(abs(slope + weight(q) / 2) < 1e-8)
    }
  }
}
