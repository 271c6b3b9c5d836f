import Drives
import Evaluation
import LinearAlgebra
import Navigation
import Testing

/// Figures of made-up solutions beside a car that goes north at 10 m/s for a minute; the stated covariance is
/// the unit matrix: radii of 1.5096 m (68 %) and 2.4477 m (95 %).
@Suite struct StressScorerTests {
  /// What a solution comes to that is `error` metres to the east, with a fix every second that is
  /// `gnssPositionBias` to the north.
  private func figures(
    truth: StressTruth = StressMade.truth(60), fixes: ClosedRange<Int>? = 0...60,
    gnssPositionBias: Double = 0,
    _ error: (Double) -> Double?, _ adjust: (Double, inout NavigationSolution) -> Void = { _, _ in }
  ) -> StressFigures {
    var scorer = StressScorer(truth)
    var next = fixes?.lowerBound ?? .max
    for point in truth.points {
      let now = point.sample.time.seconds
      while Double(next) <= now, next <= fixes?.upperBound ?? -1 {
        var fix = Made.fix(Double(next))
        fix.position = Made.truth(Double(next)).position.displaced(byNED: Vector3(gnssPositionBias, 0, 0))
        scorer.take(fix)
        next += 1
      }
      guard let error = error(now) else {
        scorer.take(nil, at: point)
        continue
      }
      var solution = Made.solution(
        now, at: point.sample.position.displaced(byNED: Vector3(0, error, 0)))
      adjust(now, &solution)
      scorer.take(solution, at: point)
    }
    return scorer.finish(resets: 2)
  }

  @Test func coverageIsTheShareOfTheTime() {
    let figures = figures { $0 < 15 ? 4 : $0 < 45 ? 2 : 1 }
    #expect(abs(figures.position.time - 60.1) < 1e-6)
    #expect(abs(figures.position.inside68 - 15.1) < 1e-6)
    #expect(abs(figures.position.inside95 - 45.1) < 1e-6)
    #expect(figures.resets == 2)
    #expect(!figures.isBad)
  }

  @Test func aRadiusThatWarnsOfNothingIsVague() throws {
    let figures = figures({ $0 < 15 ? 3 : $0 < 30 ? 20 : 1 }) { time, solution in
      // 2.4477 times 40 is above 64 m; what is stated at an error of 20 m does not count.
      if time < 10 || (15..<35).contains(time) { solution.positionCovariance = Matrix3(scalar: 1600) }
    }
    #expect(abs(try #require(figures.diagram.vagueShare) - 15 / 45.1) < 1e-6)
    #expect(StressSummary([]).diagram.vagueShare == nil)
  }

  @Test func timeCountsFromTheFirstSolutionOn() {
    let figures = figures { $0 < 10 || (20..<25).contains($0) ? nil : 1 }
    #expect(abs(figures.position.time - 45.1) < 1e-6)
    #expect(abs(figures.unavailable - 5) < 1e-6)
  }

  @Test func lostIsFarOffInSpiteOfThreeGoodFixes() throws {
    let figures = figures(gnssPositionBias: 9.9) { (20..<30).contains($0) ? 50 : 1 }
    #expect(abs(figures.lost - 10) < 1e-6)
    let first = try #require(figures.lostFirst)
    #expect(first.start == 20)
    #expect(abs((first.error ?? 0) - 50) < 1e-3)
    #expect(abs((figures.lostWorst ?? 0) - 50) < 1e-3)
    #expect(figures.isLost && figures.isBad)
  }

  @Test func withoutGoodFixesNobodyIsLost() {
    #expect(figures(gnssPositionBias: 10.1) { _ in 50 }.lost == 0)
    #expect(figures(fixes: nil) { _ in 50 }.lost == 0)
    #expect(figures { _ in 29.9 }.lost == 0)
    // Two fixes are not three; and the third last of 23, 24, 25 s is 5 s old at 28 s.
    #expect(abs(figures(fixes: 0...1) { _ in 50 }.lost) < 1e-6)
    let ended = figures(fixes: 0...25) { $0 < 20 ? 1 : 50 }
    #expect(abs(ended.lost - 8.1) < 1e-6)
  }

  @Test func misleadingIsFarOutsideTheRadius() throws {
    let figures = figures { (10..<11.85).contains($0) || (30..<33.95).contains($0) ? 6.9 : 6.8 }
    #expect(abs(figures.misleading - (1.9 + 4)) < 1e-6)
    let longest = try #require(figures.misleadingLongest)
    #expect(longest.start == 30)
    #expect(abs(longest.length - 4) < 1e-6)
    #expect(abs((longest.radius ?? 0) - 1.4 * 2.4477) < 1e-3)
    #expect(figures.isMisleading)
    #expect(!self.figures { (10..<11.85).contains($0) ? 100 : 1 }.isMisleading)
  }

  @Test func solutionsThatNoCarHasAreCounted() {
    let figures = figures(gnssPositionBias: 1) { _ in
      1
    } _: { now, solution in
      if now == 10 { solution.position.latitude = .nan }
      if now == 20 { solution.velocityNED = Vector3(121, 0, 0) }
      if now == 30 { solution.position.latitude = 2 }
      if now == 40 { solution.positionCovariance = Matrix3(scalar: .infinity) }
      if now == 50 { solution.position.longitude = 1e300 }
    }
    #expect(figures.impossible == 4)
    #expect(figures.impossibleFrom == 10)
    #expect(figures.isBad)
    #expect(figures.worst?.isFinite == true)
    // The position itself is wrong three times, a tenth of a second each.
    #expect(figures.lost >= 0.3)
  }

  @Test func falseHeadingIsBeyondFiveDeviations() {
    func turned(_ kind: DriveDescription.Kind) -> StressFigures {
      figures(truth: StressMade.truth(60, kind: kind)) { _ in
        1
      } _: { now, solution in
        let degrees = now < 20 ? 0.9 : now < 40 ? 1.9 : 6
        solution.navFromVehicle = Quaternion(roll: 0, pitch: 0, yaw: Angle.radians(degrees: degrees))
        let sigma = Angle.radians(degrees: 1)
        solution.attitudeCovariance = Matrix3(scalar: sigma * sigma)
      }
    }
    let simulated = turned(.simulated)
    #expect(abs(simulated.headingFalse - 20.1) < 1e-6)
    #expect(simulated.headingFalseFrom == 40)
    #expect(abs(simulated.heading.inside68 - 20) < 1e-6)
    #expect(abs(simulated.heading.inside95 - 40) < 1e-6)
    // Real truth is no better than a degree: 5 √2 of them.
    let real = turned(.real)
    #expect(real.headingFalse == 0)
    #expect(abs(real.headingBeyond - 20.1) < 1e-6)
  }

  @Test func headingIsClaimedAfterASecondOfDriving() {
    let figures = figures { _ in
      1
    } _: { now, solution in
      if now < 21 { solution.mode = .aligning }
    }
    // The first second of driving ends at 1.0 s.
    #expect(abs((figures.headingAfter ?? 0) - 20) < 0.11)
    #expect(abs((figures.headingAfterDriving ?? 0) - 20) < 0.11)
    #expect(!figures.headingNever)
    let never = self.figures { _ in
      1
    } _: {
      $1.mode = .aligning
    }
    #expect(never.headingNever)
    #expect(never.headingAfter == nil)
    #expect(self.figures { _ in 1 }.headingAfter == 0)
  }

  @Test func aCourseIsADirectionToo() {
    func figures(courseFrom: Double) -> StressFigures {
      self.figures { _ in
        1
      } _: { now, solution in
        solution.mode = .aligning
        solution.velocityCovariance = Matrix3(scalar: now < courseFrom ? 9 : 0.01)
      }
    }
    #expect(abs((figures(courseFrom: 11).directionAfterDriving ?? 0) - 10) < 0.11)
    #expect(figures(courseFrom: 11).headingAfter == nil)
    #expect(figures(courseFrom: .infinity).directionAfterDriving == nil)
  }

  @Test func goodFixesAreComparedWithTheSolution() throws {
    let figures = figures(fixes: 0...40, gnssPositionBias: 4) { $0 < 50 ? 2 : 7 }
    #expect(abs(try #require(figures.goodRatio) - 0.5) < 1e-3)
    #expect(abs(try #require(figures.goodWorst) - 2) < 1e-3)
    #expect(abs(try #require(figures.worst) - 7) < 1e-3)
    #expect(self.figures(gnssPositionBias: 0.9) { _ in 2 }.goodRatio == nil)
  }

  @Test func speedCourseAndHeightAreComparedWithWhatWasStated() {
    let figures = figures { _ in
      1
    } _: { now, solution in
      solution.velocityNED = Vector3(10, now < 30 ? 0 : 2, 0)
      solution.position.height += now < 30 ? 1.5 : 2.5
      solution.velocityCovariance = Matrix3(scalar: 0.01)
    }
    #expect(abs(figures.course.inside68 - 30) < 1e-6)
    #expect(abs(figures.course.time - 60.1) < 1e-6)
    // √104 − 10 = 0.198: outside of 1.96 times 0.1.
    #expect(abs(figures.speed.inside95 - 30) < 1e-6)
    #expect(abs(figures.height.inside68) < 1e-6)
    #expect(abs(figures.height.inside95 - 30) < 1e-6)
  }
}
