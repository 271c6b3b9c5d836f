import Drives
import Evaluation
import Navigation
import Testing

@Suite struct ErrorSeriesTests {
  /// Score of one solution that is `offset` metres NED from a truth that moves with `velocity`.
  private func score(
    offset: Vector3, velocity: Vector3, estimated: Vector3? = nil, trueYaw: Double? = nil, yaw: Double = 0
  ) -> EstimatorScore {
    var series = ErrorSeries()
    let truth = Made.truth(0, velocity: velocity, yaw: trueYaw)
    series.add(
      Made.solution(0, at: truth.position.moved(byNED: offset), velocity: estimated ?? velocity, yaw: yaw),
      truth: truth)
    return series.score
  }

  /// Beyond 5 m and twice the stated radius; what states a wide one misleads nobody.
  @Test(arguments: [(4.9, 0.1, 0.0), (5.1, 0.1, 1.0), (20, 1, 1), (20, 20, 0)])
  func grossErrorsBeyondTheStatedRadiusMislead(north: Double, sigma: Double, share: Double) {
    var series = ErrorSeries()
    for time in 0..<4 {
      let truth = Made.truth(Double(time))
      var solution = Made.solution(
        Double(time), at: truth.position.moved(byNED: Vector3(north, 0, 0)))
      solution.positionCovariance = Matrix3(scalar: sigma * sigma)
      series.add(solution, truth: truth)
    }
    #expect(series.score.misleading == share)
  }

  @Test func aheadAndRightOfTheTrueMotionArePositive() throws {
    let north = score(offset: Vector3(3, 4, 0), velocity: Vector3(5, 0, 0))
    #expect(abs(try #require(north.along).mean - 3) < 1e-6)
    #expect(abs(try #require(north.cross).mean - 4) < 1e-6)
    #expect(abs(try #require(north.horizontal).p50 - 5) < 1e-6)
    let west = score(offset: Vector3(3, 4, 0), velocity: Vector3(0, -5, 0))
    #expect(abs(try #require(west.along).mean + 4) < 1e-6)
    #expect(abs(try #require(west.cross).mean - 3) < 1e-6)
  }

  @Test func alongAndCrossNeedMotion() {
    let still = score(offset: Vector3(3, 4, 0), velocity: Vector3(0.5, 0, 0))
    #expect(still.along == nil)
    #expect(still.cross == nil)
    #expect(still.lag == nil)
    #expect(still.horizontal != nil)
  }

  @Test func tooHighAndTooFastArePositive() throws {
    let score = score(offset: Vector3(0, 0, -2), velocity: Vector3(5, 0, 0), estimated: Vector3(0, 6, 0))
    #expect(abs(try #require(score.height).mean - 2) < 1e-6)
    #expect(abs(try #require(score.speed).mean - 1) < 1e-12)
    #expect(abs(try #require(score.courseDegrees).mean - 90) < 1e-9)
  }

  @Test func courseNeedsTwoMetresASecond() {
    let slow = score(offset: .zero, velocity: Vector3(2, 0, 0))
    #expect(slow.courseDegrees == nil)
    #expect(slow.speed != nil)
  }

  @Test func courseAndHeadingErrorsWrap() throws {
    let estimated = Vector3(-5, 0.1, 0)
    let score = score(
      offset: .zero, velocity: Vector3(-5, -0.1, 0), estimated: estimated, trueYaw: -3.1, yaw: 3.1)
    #expect(abs(try #require(score.courseDegrees).mean) < 3)
    let expected = Angle.degrees(radians: 6.2 - 2 * .pi)
    #expect(abs(try #require(score.headingDegrees).mean - expected) < 1e-9)
  }

  @Test func headingNeedsTrueYawAndAKnownHeading() {
    #expect(score(offset: .zero, velocity: .zero).headingDegrees == nil)
    var series = ErrorSeries()
    let truth = Made.truth(0, yaw: 1)
    var solution = Made.solution(0, at: truth.position)
    solution.mode = .aligning
    series.add(solution, truth: truth)
    #expect(series.score.headingDegrees == nil)
  }

  @Test func coverageCountsTheTruthInsideTheRadius() throws {
    // The unit covariance has, with the core and the tail of a solution, the radii 0.75 · 1.5096 = 1.132 m
    // and 1.4 · 2.4477 = 3.427 m.
    var series = ErrorSeries()
    for east in [0.5, 1.12, 1.14, 3.4, 3.45] {
      let truth = Made.truth(0)
      series.add(Made.solution(0, at: truth.position.moved(byNED: Vector3(0, east, 0))), truth: truth)
    }
    #expect(series.score.coverage68 == 0.4)
    #expect(series.score.coverage95 == 0.8)
  }

  @Test func errorsOfTheStatedSizeGiveNEESOfOne() throws {
    var generator = NormalGenerator(seed: 3)
    var series = ErrorSeries()
    let n = 20_000
    for _ in 0..<n {
      let truth = Made.truth(0)
      var solution = Made.solution(0, at: truth.position)
      // P = L Lᵀ with L = (2 0; 3 1).
      let (a, b) = (generator.next(), generator.next())
      solution.position = truth.position.moved(byNED: Vector3(2 * a, 3 * a + b, 0))
      solution.positionCovariance = Matrix3(rows: Vector3(4, 6, 0), Vector3(6, 10, 0), Vector3(0, 0, 1))
      series.add(solution, truth: truth)
    }
    let score = series.score
    // χ² with 2 degrees of freedom over 2 has variance 1; five standard errors.
    #expect(abs(try #require(score.positionNEES) - 1) < 5 / Double(n).squareRoot())
    // The radii have the tails of t: of a normal distribution the inner holds less, and the outer more. It
    // is 0.47 for a circle of 0.75 times the 68 % radius, and 0.54 for a line; and 0.997 for one of 1.4 times
    // the 95 % radius, and 0.994 for a line.
    #expect((0.46..<0.56).contains(try #require(score.coverage68)))
    #expect((0.992..<0.998).contains(try #require(score.coverage95)))
  }

  @Test func aTrackThatIsLateShowsItsLag() throws {
    var series = ErrorSeries()
    for i in 0..<50 {
      let velocity = Vector3(1 + Double(i) / 4, 0, 0)
      let truth = Made.truth(0, velocity: velocity)
      series.add(Made.solution(0, at: truth.position.moved(byNED: velocity * -0.2)), truth: truth)
    }
    #expect(abs(try #require(series.score.lag) - 0.2) < 1e-6)
  }

  @Test func fixesWithoutVelocityOrAccuracyAreScoredByPosition() {
    var series = ErrorSeries()
    let truth = Made.truth(0)
    series.add(GNSSFix(time: truth.time, position: truth.position), truth: truth)
    let score = series.score
    #expect(score.count == 1)
    #expect(score.speed == nil)
    #expect(score.courseDegrees == nil)
    #expect(score.coverage68 == nil)
  }

  @Test func aFixOfUnknownHeightHasAHorizontalError() throws {
    var series = ErrorSeries()
    let truth = Made.truth(0)
    var position = truth.position.moved(byNED: Vector3(0, 2, 0))
    position.height = .nan
    series.add(GNSSFix(time: truth.time, position: position), truth: truth)
    #expect(abs(try #require(series.score.horizontal).p50 - 2) < 1e-6)
    #expect(series.score.height == nil)
  }

  @Test func courseThatIsLateInATurnShowsItsDelay() throws {
    // The true course turns at 0.3 rad/s to the right; the estimate is 0.15 s behind.
    var series = ErrorSeries()
    for i in 0..<100 {
      let course = 0.03 * Double(i)
      func velocity(_ course: Double) -> Vector3 {
        Quaternion(roll: 0, pitch: 0, yaw: course) * Vector3(8, 0, 0)
      }
      var truth = Made.truth(0, velocity: velocity(course))
      truth.time = Made.time(Double(i) / 10)
      series.add(Made.solution(0, at: truth.position, velocity: velocity(course - 0.3 * 0.15)), truth: truth)
    }
    #expect(abs(try #require(series.score.courseDelay) - 0.15) < 1e-9)
    #expect(score(offset: .zero, velocity: Vector3(8, 0, 0)).courseDelay == nil)
  }

  @Test func driftIsTheWanderAtAStop() throws {
    var drift = StandstillDrift()
    /// Truth and estimate for `seconds` from `start`; the estimate wanders east by `rate` m/s.
    func go(from start: Double, seconds: Double, speed: Double, rate: Double) {
      for i in 0..<Int(seconds * 10) {
        let t = Double(i) / 10
        var truth = Made.truth(0, velocity: Vector3(speed, 0, 0))
        truth.time = Made.time(start + t)
        drift.add(Made.origin.moved(byNED: Vector3(0, rate * t, 0)), truth: truth)
      }
    }
    go(from: 0, seconds: 10.1, speed: 0, rate: 0.1)
    go(from: 11, seconds: 10, speed: 5, rate: 1)
    go(from: 21, seconds: 4.9, speed: 0, rate: 1)
    go(from: 26, seconds: 1, speed: 5, rate: 1)
    go(from: 27, seconds: 7.1, speed: 0, rate: 0.2)
    drift.finish()
    // From 2 s on: 8 s of 0.1 m/s and 5 s of 0.2 m/s; the stop of 4.9 s is too short.
    #expect(drift.drifts.count == 2)
    #expect(abs(drift.drifts[0] - 0.8) < 1e-4 && abs(drift.drifts[1] - 1) < 1e-4)
  }

  @Test func settlingMeansToStayForTenSeconds() {
    var settling = SettlingTime(bound: 1)
    for (time, error) in [(0.0, 5.0), (1, 0.5), (10.9, 0.9), (10.95, 1.1), (12, 1), (21.9, 1)] {
      settling.add(error, at: Made.time(time))
    }
    #expect(settling.settled == nil)
    settling.add(0.2, at: Made.time(22))
    settling.add(9, at: Made.time(23))
    #expect(settling.settled == Made.time(12))
  }
}
