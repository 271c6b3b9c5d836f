import CLibrary
import Fusion
import Simulation
import Testing

/// A car that drives round a bend at 8 m/s, with fixes that err in patches of 40 m.
struct TrackMatchTests {
  private let place = GeodeticPosition(latitude: 0.9, longitude: 0.2, height: 50)

  private struct Outcome {
    var headingError: Double
    var result: TrackMatch.Result
    var positionError: Double
  }

  /// - Parameters:
  ///   - fixSigma: of the errors, m; the fixes state 3 m.
  ///   - bias: of the yaw rate, rad/s; `scale`: of the speed.
  ///   - end: time after which there are no fixes, s.
  private func drive(
    seed: UInt64, seconds: Int, fixSigma: Double, bias: Double = 0, scale: Double = 0, heading: Double = 2.2,
    fixesUntil end: Int = .max
  ) throws -> Outcome {
    var match = TrackMatch(origin: place)
    var random = RandomSource(seed: seed, stream: "match")
    var (yaw, position, patch) = (heading, Vector3.zero, Vector3.zero)
    for i in 0..<(seconds * 10) {
      let time = Timestamp(seconds: Double(i) / 10)
      let rate = 0.02 + (i > 150 && i < 300 ? 0.1 : 0)
      yaw += rate * 0.1
      position += Vector3(cos(yaw), sin(yaw), 0) * 0.8
      match.advance(WheelSample(time: time, speed: 8 * (1 + scale), yawRate: rate + bias))
      if i % 50 == 0 { patch = Vector3(random.normal(), random.normal(), 0) * fixSigma }
      guard i % 2 == 0, i / 10 < end else { continue }
      let error = patch + Vector3(random.normal(), random.normal(), 0) * (0.3 * fixSigma)
      match.add(
        GNSSFix(time: time, position: place.moved(byNED: position + error), positionSigma: Vector3(3, 3, 5)))
    }
    let result = try #require(match.result)
    return Outcome(
      headingError: Angle.wrapped(result.heading - yaw), result: result,
      positionError: (result.position.ned(from: place) - position).horizontalNorm)
  }

  @Test func perfectFixesGiveHeadingBiasAndScale() throws {
    let outcome = try drive(seed: 1, seconds: 60, fixSigma: 0, bias: 0.002, scale: 0.02)
    // The prior pulls bias and scale a little, the speed in the middle of a step is off by 0.1 m/s².
    #expect(abs(outcome.headingError) < 0.01)
    #expect(abs(outcome.result.bias - 0.002) < 3e-4)
    #expect(abs(outcome.result.scale - 0.02) < 3e-3)
    // Of 480 m; the newest sample is one step after the newest fix.
    #expect(outcome.positionError < 1.3)
  }

  @Test(arguments: [-3.0, -1.5, 0, 1.5, 3.1])
  func anyHeadingIsFound(heading: Double) throws {
    #expect(abs(try drive(seed: 2, seconds: 40, fixSigma: 2, heading: heading).headingError) < 0.1)
  }

  /// Errors seven times as large as stated, in patches: the stated deviations hold all the same.
  @Test func deviationsAreHonestWhereTheStatedAccuracyIsNot() throws {
    var (headings, positions, spreads) = (0.0, 0.0, 0.0)
    let runs = 40
    for seed in 1...UInt64(runs) {
      let outcome = try drive(seed: seed, seconds: 50, fixSigma: 20, bias: 0.001)
      headings += outcome.headingError * outcome.headingError / outcome.result.headingVariance
      spreads += outcome.result.spread
      let spread = outcome.result.positionCovariance
      positions += outcome.positionError * outcome.positionError / (spread.x.x + spread.y.y)
    }
    // 20 m and the white part: 436 m² in truth.
    #expect(200...900 ~= spreads / Double(runs), "\(spreads / Double(runs))")
    // Means of squares over 40 drives: 1 where the deviation is right; patches and the t
    // weights take their part.
    #expect(0.3...2.5 ~= headings / Double(runs), "\(headings / Double(runs))")
    #expect(0.3...2.5 ~= positions / Double(runs), "\(positions / Double(runs))")
  }

  /// Without fixes the match follows the wheels, and knows its place less and less.
  @Test func theMatchGoesOnWithTheWheels() throws {
    let until = try drive(seed: 4, seconds: 60, fixSigma: 1)
    let on = try drive(seed: 4, seconds: 90, fixSigma: 1, fixesUntil: 60)
    // 240 m on, round a bend.
    #expect(on.result.position.ned(from: until.result.position).horizontalNorm > 150)
    let (before, after) = (until.result.positionCovariance, on.result.positionCovariance)
    #expect(after.x.x + after.y.y > 2 * (before.x.x + before.y.y))
    #expect(on.positionError * on.positionError < 9 * (after.x.x + after.y.y))
  }

  @Test func aLongTrackFitsTheRoom() throws {
    let outcome = try drive(seed: 3, seconds: 900, fixSigma: 5)
    #expect(abs(outcome.headingError) < 0.1)
  }

  @Test func noResultBeforeThreePlaces() {
    var match = TrackMatch(origin: place)
    for i in 0..<20 {
      let time = Timestamp(seconds: Double(i) / 10)
      match.advance(WheelSample(time: time, speed: 0, yawRate: 0))
      match.add(GNSSFix(time: time, position: place))
    }
    #expect(match.result == nil)
  }
}
