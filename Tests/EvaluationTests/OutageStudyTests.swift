import Drives
import Evaluation
import Fusion
import Testing

@Suite struct OutageStudyTests {
  private func engine() -> FusionEngine { FusionEngine(configuration: FusionConfiguration()) }

  /// A study over `samples` whose engine is said to be aligned at `aligned` seconds.
  private func study(
    _ samples: [SensorSample], truth: TruthTrack, lengths: [Double], spacing: Double = 10, from: Double = 0,
    aligned: Double = 0
  ) -> [OutageScore] {
    var study = OutageStudy(
      lengths: lengths, spacing: spacing, earliest: from, leverArm: .zero, truth: truth)
    var engine = engine()
    study.aligned(at: Made.time(aligned))
    for sample in samples {
      study.take(sample, engine: engine)
      engine.process(sample)
    }
    return study.finish()
  }

  @Test func windowsStartTenSecondsAfterAlignmentAndEndWithTheDrive() {
    // Starts at 15, 25, 35, 45 for 10 s of a drive of 60 s that aligns at 5 s; the one from 55 has no end.
    let scores = study(
      Made.drive(until: 60), truth: Made.track(until: 60), lengths: [20, 10], aligned: 5)
    #expect(scores.map(\.length) == [10, 20])
    #expect(scores.map(\.count) == [4, 3])
    #expect(scores.map(\.lost) == [0, 0])
  }

  @Test func windowsDoNotStartBeforeTheGivenTime() {
    let drive = Made.drive(until: 60)
    let track = Made.track(until: 60)
    #expect(study(drive, truth: track, lengths: [10], from: 40)[0].count == 2)
    #expect(study(drive, truth: track, lengths: [10], spacing: 5, from: 40)[0].count == 3)
    #expect(study(drive, truth: track, lengths: [10], from: 51)[0].count == 0)
  }

  /// A clock that leaps by months in all files must not cost a window every ten seconds of it.
  @Test(.timeLimit(.minutes(15))) func noWindowStartsWhereNothingComes() {
    let first = Made.drive(until: 40)
    let leap = 1e8
    let second = Made.drive(until: 40).map { sample -> SensorSample in
      switch sample {
      case .inertial(var s):
        s.time = s.time.advanced(bySeconds: leap)
        return .inertial(s)
      case .gnss(var fix):
        fix.time = fix.time.advanced(bySeconds: leap)
        return .gnss(fix)
      case .wheel, .pressure: return sample
      }
    }
    let truth = Made.track(until: 40).samples
    let later = truth.map { sample in
      var sample = sample
      sample.time = sample.time.advanced(bySeconds: leap)
      return sample
    }
    let score = study(first + second, truth: TruthTrack(truth + later), lengths: [10])[0]
    // From 10 and 20 s, and on the same grid behind the leap: the window from 30 s ends at 40 with no sample
    // behind it but the leap.
    #expect((4...8).contains(score.count), "\(score.count)")
    #expect(score.lost == 0)
  }

  @Test func windowsThatOutlastTheInertialSensorDoNotCount() {
    let drive = Made.drive(until: 60).filter { sample in
      if case .inertial = sample { sample.time <= Made.time(34.9) } else { true }
    }
    // Windows from 10 s end at 20 and 30; the one that ends at 40 is beyond the last inertial sample.
    #expect(study(drive, truth: Made.track(until: 60), lengths: [10])[0].count == 2)
  }

  @Test func windowsWithoutTruthAtTheirEndAreNotScored() {
    let gap = TruthTrack(Made.track(until: 60).samples.filter { abs($0.time.seconds - 30) > 2 })
    #expect(study(Made.drive(until: 60), truth: Made.track(until: 60), lengths: [10])[0].count == 5)
    #expect(study(Made.drive(until: 60), truth: gap, lengths: [10])[0].count == 4)
    #expect(study(Made.drive(until: 60), truth: TruthTrack([]), lengths: [10])[0].count == 0)
  }

  @Test func aWindowEqualsARunWhoseFixesStopThere() throws {
    let drive = Made.drive(until: 45)
    let track = Made.track(until: 45)
    let score = study(drive, truth: track, lengths: [12], spacing: 100, from: 20.5)[0]
    var alone = engine()
    for sample in drive where sample.arrival <= Made.time(32.5) {
      if case .gnss(let fix) = sample, fix.time > Made.time(20.5) { continue }
      alone.process(sample)
    }
    let end = try #require(track.sample(at: Made.time(32.5)))
    let solution = try #require(alone.solution(at: Made.time(32.5)))
    let error = solution.position.displacement(from: end.position).horizontalNorm
    #expect(score.count == 1)
    #expect(score.endError?.max == error)
    #expect(score.worstStart == 20.5)
    let distance = track.distance(from: Made.time(20.5), to: Made.time(32.5))
    #expect(score.percentOfDistance?.max == 100 * error / distance)
  }

  @Test func lateFixesThatHeldBeforeTheStartAreStillUsed() {
    // Every fix comes 0.4 s late, so that the one of 20.0 s comes after a start at 20.2 s.
    let late = Made.drive(until: 45).map { sample -> SensorSample in
      guard case .gnss(var fix) = sample else { return sample }
      fix.received = fix.time.advanced(bySeconds: 0.4)
      return .gnss(fix)
    }.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }.map(\.element)
    let dropped = late.filter { sample in
      if case .gnss(let fix) = sample { fix.time != Made.time(20) } else { true }
    }
    let track = Made.track(until: 45)
    let with = study(late, truth: track, lengths: [12], spacing: 100, from: 20.2)[0]
    let without = study(dropped, truth: track, lengths: [12], spacing: 100, from: 20.2)[0]
    #expect(with.count == 1 && without.count == 1)
    #expect(with.endError?.max != without.endError?.max)
  }

  @Test func windowsDoNotDisturbTheEngineOrOneAnother() throws {
    let drive = Made.drive(until: 60)
    let track = Made.track(until: 60)
    let alone = study(drive, truth: track, lengths: [10], spacing: 100, from: 30)[0]
    let among = study(drive, truth: track, lengths: [5, 10, 25], spacing: 2, from: 10)[1]
    #expect(among.count > 10)
    #expect(try #require(among.endError).max >= (try #require(alone.endError)).max)
  }

  @Test func theEngineOfTheDriveIsLeftAlone() throws {
    let drive = Made.drive(until: 60)
    var study = OutageStudy(
      lengths: [5, 10], spacing: 3, earliest: 0, leverArm: .zero, truth: Made.track(until: 60))
    var (studied, alone) = (engine(), engine())
    study.aligned(at: Made.time(0))
    for sample in drive {
      study.take(sample, engine: studied)
      studied.process(sample)
      alone.process(sample)
      #expect(studied.solution(at: sample.time) == alone.solution(at: sample.time))
    }
    #expect(study.finish().map(\.count) == [16, 14])
    #expect(studied.solution(at: Made.time(61)) != nil)
  }

  @Test func percentNeedsTwentyMetres() {
    let short = OutageResult(
      start: 0, endError: 1, distance: 19.9, accuracy68: 1.5, accuracy95: 2.5, motion: .steady)
    var long = short
    long.distance = 50
    long.accuracy68 = 0.9
    let score = OutageScore(length: 10, results: [short, long])
    #expect(score.count == 2)
    #expect(score.percentOfDistance?.count == 1)
    #expect(score.percentOfDistance?.p50 == 2)
    #expect(score.coverage68 == 0.5)
    #expect(score.coverage95 == 1)
    #expect(OutageScore(length: 10, results: [short]).percentOfDistance == nil)
  }

  @Test func motionIsToldByTheTrueVelocity() {
    func motion(_ velocities: [Vector3]) -> OutageResult.Motion {
      let samples = velocities.enumerated().map { Made.truth(Double($0.offset), velocity: $0.element) }
      return OutageStudy.motion(samples[...])
    }
    #expect(motion([Vector3(10, 0, 0), Vector3(10, 1, 0)]) == .steady)
    #expect(motion([Vector3(10, 0, 0), Vector3(7, 7, 0), Vector3(0, 10, 0)]) == .curve)
    #expect(motion([Vector3(10, 0, 0), Vector3(0.4, 0, 0), Vector3(10, 0, 0)]) == .stopAndGo)
    // Left and right again is no curve in all.
    #expect(motion([Vector3(10, 0, 0), Vector3(9, 5, 0), Vector3(10, 0, 0)]) == .steady)
  }
}
