import Fusion
import LinearAlgebra
import Navigation
import Testing

/// Places that begin to drift are told from a car that gathers speed, from noise and from another place.
@Suite struct PlaceLeapTests {
  /// What is found after each fix, one a second, of a car that goes north at 10 m/s and is felt to, with
  /// fixes so far to the east.
  private func watch(
    east: [Double], felt: [Double]? = nil, variance: Double = 0.01, interrupted: Int? = nil
  ) -> [PlaceLeap] {
    var leap = PlaceLeap()
    let start = GeodeticPosition(latitude: 0.8, longitude: 0.1, height: 0)
    return east.indices.map { second in
      if second == interrupted { leap.interrupt() }
      let velocity = Vector3(10, felt?[second] ?? 0, 0)
      leap.add(
        start.moved(byNED: Vector3(10 * Double(second), east[second], 0)), variance: variance,
        velocity: velocity, reckoned: velocity, acceleration: .zero, at: Timestamp(seconds: Double(second)))
      return leap
    }
  }

  /// The step back is no car's either.
  @Test func aDriftIsToldFromItsSecondStepToItsEnd() {
    let leaps = watch(east: [0, 0, 3, 6, 9, 12, 0, 0])
    #expect(leaps.map(\.isAstray) == [false, false, false, true, true, true, true, false])
    let variances = leaps.prefix(6).enumerated().map {
      $1.variance(at: Timestamp(seconds: Double($0)), innovation: Vector3(0, 100, 0))
    }
    #expect(zip(variances, [0, 0, 0, 9, 36, 81]).allSatisfy { abs($0 - $1) < 0.1 }, "\(variances)")
  }

  @Test(arguments: [3.0, 50]) func anotherPlaceIsNoDrift(distance: Double) {
    let leaps = watch(east: [0, 0, 0] + [Double](repeating: distance, count: 10))
    #expect(!leaps.contains { $0.isAstray })
  }

  @Test func whatIsFeltIsTheCars() {
    #expect(!watch(east: [0, 0, 1.5, 4.5, 7.5], felt: [0, 0, 3, 3, 3]).contains { $0.isAstray })
  }

  /// Of fixes of 2 m a pace of 3 m/s is noise.
  @Test func whatMayBeNoiseIsNotTold() {
    #expect(!watch(east: [0, 0, 3, 6, 9, 12], variance: 4).contains { $0.isAstray })
  }

  @Test func aGapTellsNothing() {
    #expect(!watch(east: [0, 0, 3, 6, 9, 12], interrupted: 2).contains { $0.isAstray })
  }
}
