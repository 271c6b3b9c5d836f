import Drives
import Evaluation
import Foundation
import Navigation
import Testing

/// On a track with a known error every figure is what can be worked out by hand.
@Suite struct TrackScoreTests {
  private let made = TrackMade()
  private let truth = (0...600).map { Made.truth(Double($0) / 10, yaw: 0) }

  private func near(_ a: Double?, _ b: Double, _ tolerance: Double = 1e-6) -> Bool {
    a.map { abs($0 - b) <= tolerance } ?? false
  }

  @Test func biasIsEveryPercentileOfEveryError() throws {
    let track = truth.map { sample in
      var sample = sample
      sample.position = sample.position.moved(byNED: Vector3(3, -4, -2))
      return sample
    }
    let result = try made.score(track, truth: truth, sigma: 5 / 2)
    let score = result.score
    for value in [\ErrorStatistics.p50, \.p68, \.p95, \.p99, \.max, \.rms] {
      #expect(near(score.horizontal?[keyPath: value], 5, 1e-4))
      #expect(near(score.along?[keyPath: value], 3, 1e-4))
      #expect(near(score.cross?[keyPath: value], 4, 1e-4))
      #expect(near(score.height?[keyPath: value], 2))
    }
    #expect(
      near(score.along?.mean, 3, 1e-4) && near(score.cross?.mean, -4, 1e-4) && near(score.height?.mean, 2))
    #expect(
      near(score.speed?.max, 0) && near(score.courseDegrees?.max, 0) && near(score.headingDegrees?.max, 0))
    // Of a circular normal distribution with σ 2.5 m, 5 m lie outside 1.51 σ and
    // inside 2.45 σ; e²/σ²/2 = 2.
    #expect(score.coverage68 == 0 && score.coverage95 == 1 && near(score.positionNEES, 2, 1e-4))
    #expect(score.count == 601 && score.availability == 1 && result.isAtTruth)
    #expect(
      near(result.poses.absolute?.rmse, 29.0.squareRoot(), 2e-4) && near(result.poses.relative?.max, 0, 1e-4))
    #expect(result.poses.absolute?.count == 601 && result.poses.relative?.count == 600)
  }

  @Test func delayIsSpeedTimesDelayAlongTheTrack() throws {
    let late = truth.map { sample in
      var sample = sample
      sample.position = sample.position.moved(byNED: Vector3(-2, 0, 0))
      return sample
    }
    let score = try made.score(late, truth: truth).score
    #expect(near(score.lag, 0.2) && near(score.along?.mean, -2) && near(score.cross?.max, 0))
  }

  @Test func rotationTurnsCourseAndHeadingAndGrowsWithDistance() throws {
    let turn = Angle.radians(degrees: 5)
    let rotation = Quaternion(roll: 0, pitch: 0, yaw: turn)
    let track = truth.map { sample in
      var sample = sample
      sample.position = Made.origin.moved(byNED: rotation * sample.position.ned(from: Made.origin))
      sample.velocityNED = sample.velocityNED.map { rotation * $0 }
      sample.yaw = turn
      return sample
    }
    let result = try made.score(track, truth: truth)
    // A chord of the angle: 2 sin(θ/2) of the distance driven, 600 m at the end, and half of it in the
    // median.
    let chord = 2 * sin(turn / 2)
    #expect(
      near(result.score.horizontal?.max, chord * 600, 2e-2)
        && near(result.score.horizontal?.p50, chord * 300, 1e-2))
    #expect(near(result.score.courseDegrees?.mean, 5) && near(result.score.headingDegrees?.rms, 5))
    #expect(near(result.score.speed?.max, 0))
    #expect(
      near(result.poses.absoluteDegrees?.max, 5, 2e-4) && near(result.poses.relativeDegrees?.max, 0, 2e-5))
    // In the axes of the body nothing is wrong from pose to pose.
    #expect(near(result.poses.relative?.max, 0, 1e-4))
    let headless = track.map { sample in
      var sample = sample
      sample.yaw = nil
      return sample
    }
    let plain = try made.score(headless, truth: truth).poses
    #expect(near(plain.relative?.mean, chord * 1, 1e-4) && plain.absoluteDegrees == nil)
  }

  @Test func noiseHasTheStatisticsThatWentIntoIt() throws {
    var normal = NormalGenerator(seed: 7)
    let long = (0...6000).map { Made.truth(Double($0) / 10, yaw: 0) }
    var errors: [Double] = []
    let track = long.map { sample in
      var sample = sample
      let error = Vector3(2 * normal.next(), 2 * normal.next(), 0)
      errors.append(error.horizontalNorm)
      sample.position = sample.position.moved(byNED: error)
      return sample
    }
    let score = try made.score(track, truth: long, sigma: 2).score
    let expected = try #require(ErrorStatistics(errors))
    #expect(
      near(score.horizontal?.p50, expected.p50, 1e-3) && near(score.horizontal?.p95, expected.p95, 1e-3))
    // Rayleigh: the median is 1.1774 σ and the 95 % 2.4477 σ; within three deviations of 6001 points.
    #expect(near(score.horizontal?.p50, 2 * 1.1774, 0.06) && near(score.horizontal?.p95, 2 * 2.4477, 0.13))
    #expect(near(score.coverage68, 0.68, 0.018) && near(score.coverage95, 0.95, 0.0085))
    #expect(near(score.positionNEES, 1, 0.04))
  }

  @Test func leverArmOffsetAndLagAreToldApartAndNotRemoved() throws {
    var normal = NormalGenerator(seed: 3)
    let truth = TrackMade.circle()
    let track = truth.map { sample in
      var sample = sample
      let arm = Quaternion(roll: 0, pitch: 0, yaw: sample.yaw ?? 0) * Vector3(1.5, -0.5, 0)
      let late = -0.1 * (sample.velocityNED ?? .zero)
      let noise = Vector3(0.05 * normal.next(), 0.05 * normal.next(), 0)
      sample.position = sample.position.moved(byNED: arm + late + Vector3(0.7, -0.3, 0) + noise)
      return sample
    }
    let result = try made.score(track, truth: truth)
    let offsets = try #require(result.offsets)
    for (estimate, expected) in [
      (offsets.forward, 1.5), (offsets.right, -0.5), (offsets.north, 0.7), (offsets.east, -0.3),
      (offsets.lag, 0.1),
    ] {
      #expect(abs(estimate.value - expected) < max(4 * estimate.sigma, 1e-4), "\(estimate) for \(expected)")
      #expect(estimate.sigma < 0.05)
    }
    #expect(try #require(result.score.horizontal).rms > 1)
    // A straight road at one speed tells nothing apart.
    #expect(try made.score(self.truth, truth: self.truth).offsets == nil)
  }

  @Test func slowTrackIsScoredAtItsOwnTimes() throws {
    let seconds = stride(from: 0, to: truth.count, by: 20).map { i in
      var sample = truth[i]
      sample.position = sample.position.moved(byNED: Vector3(0, 2, 0))
      return sample
    }
    let result = try made.score(seconds, truth: truth)
    #expect(!result.isAtTruth && result.interval == 2 && result.score.count == 31)
    #expect(near(result.score.horizontal?.max, 2, 1e-4) && result.score.availability == 1)
    // Without the points from 20 to 40 s a third of the truth is not covered.
    let holed = seconds.filter { !(20.5...39.5).contains($0.time.seconds) }
    #expect(near(try made.score(holed, truth: truth).score.availability, 1 - 199.0 / 601, 1e-9))
  }

  @Test func fastTrackIsInterpolatedButNotOverGaps() throws {
    let track = truth.indices.filter { $0 % 3 == 0 && !(200...399).contains($0) }.map { truth[$0] }
    let result = try made.score(track, truth: truth)
    #expect(result.isAtTruth && near(result.score.horizontal?.max, 0, 1e-4))
    #expect(
      near(result.score.availability, Double(result.score.count) / 601, 1e-12) && result.score.count < 410)
  }

  @Test func pointsOutOfOrderAreCounted() throws {
    var track = truth
    track.swapAt(100, 101)
    track.append(truth[50])
    let result = try made.score(track, truth: truth)
    #expect(result.backward == 2 && result.notes.joined().contains("2 of 602 points"))
    let error = #expect(throws: EvaluationError.self) { try made.score(truth.reversed(), truth: truth) }
    #expect(error?.description.contains("order of time") == true)
  }

  /// One wrong stamp must not cost what comes after it.
  @Test func stampThatLeapsAheadIsLeftOut() throws {
    var track = truth
    track[300].time = Made.time(5000)
    let result = try made.score(track, truth: truth)
    #expect(result.backward == 1 && result.score.count == 601)
    // At the end nobody can say.
    track = truth
    track[600].time = Made.time(5000)
    #expect(try made.score(track, truth: truth).score.count == 600)
  }

  @Test func utcAndGPSTimeMeetTheDrive() throws {
    let start = try #require(ImportTime.utc(calendar: "2019-04-28T12:00:00Z"))
    func text(_ offset: Int64) -> String {
      "%  GPST latitude(deg) longitude(deg) height(m) Q ns\n"
        + truth.map { sample in
          let week = sample.time.nanoseconds / 1_000_000 + (offset + 43_200) * 1000
          let (whole, rest) = (week / 1000, String(week % 1000 + 1000).dropFirst())
          let p = sample.position
          return "2051 \(whole).\(rest) \(p.latitudeDegrees) \(p.longitudeDegrees) \(p.height) 1 9\n"
        }.joined()
    }
    // The drive begins on a Sunday, the first day of a GPS week, 18 leap seconds apart.
    let right = try TrackFile(path: try made.put("right.pos", text(18)))
    let result = try made.score(right, truth: truth, startUTC: start)
    #expect(near(result.score.horizontal?.max, 0, 1e-4) && result.base == .gps && result.notes.isEmpty)
    // UTC that is called GPS time is 18 s off, and found.
    let wrong = try TrackFile(path: try made.put("wrong.pos", text(0)))
    let said = try made.score(wrong, truth: truth, startUTC: start).notes.joined()
    #expect(said.contains("moved by 18 s") && said.contains("--time utc"), "\(said)")
    #expect(
      near(
        try made.score(wrong, truth: truth, startUTC: start) { $0.shift = 18 }.score.horizontal?.max, 0, 1e-4)
    )
    #expect(
      near(
        try made.score(wrong, truth: truth, startUTC: start) { $0.base = .utc }.score.horizontal?.max, 0, 1e-4
      ))
    #expect(
      near(
        try made.score(right, truth: truth, startUTC: start) { $0.base = .gps }.score.horizontal?.max, 0, 1e-4
      ))
    // A drive without a date cannot take it.
    let error = #expect(throws: EvaluationError.self) { try made.score(right, truth: truth) }
    #expect(error?.description.contains("start_utc") == true)
  }

  @Test func trackThatDoesNotOverlapSaysBothSpans() throws {
    let later = truth.map { sample in
      var sample = sample
      sample.time = sample.time.advanced(bySeconds: 1000)
      return sample
    }
    let error = #expect(throws: EvaluationError.self) { try made.score(later, truth: truth) }
    let text = try #require(error?.description)
    #expect(
      text.contains("1000.0 to 1060.0 s") && text.contains("0.0 to 60.0 s") && text.contains("--time-shift"))
    #expect(near(try made.score(later, truth: truth) { $0.shift = -1000 }.score.horizontal?.max, 0, 1e-4))
    // Numbers of GPS seconds are taken for Unix time, and the advice says so.
    let start = try #require(ImportTime.utc(calendar: "2019-04-28T12:00:00Z"))
    let gps = truth.map { sample in
      var sample = sample
      sample.time = Timestamp(
        nanoseconds: sample.time.nanoseconds + start.nanoseconds - 315_964_782_000_000_000)
      return sample
    }
    let other = #expect(throws: EvaluationError.self) { try made.score(gps, truth: truth, startUTC: start) }
    #expect(other?.description.contains("--time gps") == true, "\(other?.description ?? "")")
    let score = try made.score(gps, truth: truth, startUTC: start) { $0.base = .gps }.score
    #expect(near(score.horizontal?.max, 0, 1e-3))
  }
}
