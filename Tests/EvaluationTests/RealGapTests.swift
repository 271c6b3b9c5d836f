import Drives
import Evaluation
import Fusion
import Testing

/// Gaps that fixes really have, and another system's solution beside ours.
@Suite struct RealGapTests {
  private static let velocity = Vector3(10, 0, 0)

  /// Where another system thinks the car is: 3 m east of the truth.
  private static let receiver = TruthTrack(
    (0...300).map { i in
      var sample = Made.truth(Double(i) / 5, yaw: i < 100 ? 0 : 0.001)
      sample.position = sample.position.moved(byNED: Vector3(0, 3, 0))
      return sample
    })

  /// A drive of 60 s without fixes from 20 to 41 s, of which `change` may make something else.
  private func figures(
    receiver: TruthTrack = receiver, truth: TruthTrack = Made.track(until: 60),
    _ change: (GNSSFix) -> GNSSFix? = { $0 }
  ) -> EvaluationFigures {
    var run = EvaluationRun(
      truth: truth, receiver: receiver, geometry: .init(), settings: EvaluationSettings())
    for sample in Made.drive(until: 60) {
      guard case .gnss(let fix) = sample else {
        run.take(sample)
        continue
      }
      if fix.time > Made.time(20), fix.time < Made.time(41) { continue }
      if let fix = change(fix) { run.take(.gnss(fix)) }
    }
    return run.finish()
  }

  @Test func aGapIsComparedWithTheGoodFixMovedBack() throws {
    let figures = figures()
    try #require(figures.realGaps.count == 1)
    let gap = figures.realGaps[0]
    #expect(gap.start == 20 && gap.end == 41 && gap.goodFix == 41 && gap.length == 21 && gap.lead == 0.6)
    // The fix of 41 s lies 1 m west of the truth, the other system 3 m east of it.
    #expect(abs(try #require(gap.receiverError) - 4) < 0.01)
    #expect(try #require(gap.causalError) < 30 && gap.accuracy68 != nil)
    let stated = try #require(gap.statedError)
    #expect(abs(stated - 2.0.squareRoot()) < 1e-9, "σ of 1 m north and east")
    #expect(gap.isInside95 == (try #require(gap.causalError) <= (try #require(gap.accuracy95))))
  }

  @Test func theEngineDoesNotKnowTheFixThatItIsComparedWith() throws {
    let before = try #require(figures().realGaps.first?.causalError)
    // The same gap, and a good fix that is 50 m off: it changes what is compared with, not what is compared.
    let off = try #require(
      figures { fix in
        var fix = fix
        if fix.time == Made.time(41) { fix.position = fix.position.moved(byNED: Vector3(-50, 0, 0)) }
        return fix
      }.realGaps.first?.causalError)
    #expect(off > 25 && abs(off - before) <= 50.1)
  }

  @Test func fixesThatStateALargeErrorAreWaitedOut() throws {
    let gaps = figures { fix in
      var fix = fix
      if (41...44).contains(fix.time.seconds) { fix.positionSigma = Vector3(2.2, 2.2, 5) }
      return fix
    }.realGaps
    #expect(gaps.count == 1)
    #expect(gaps.first?.end == 41 && gaps.first?.goodFix == 45)
  }

  @Test func aReceiverWithoutAccuracyOrVelocityIsComparedAtItsFirstFix() throws {
    let gap = try #require(
      figures { GNSSFix(time: $0.time, position: $0.position) }.realGaps.first)
    #expect(gap.goodFix == 41 && gap.statedError == nil && gap.lead == 0)
    #expect(abs(try #require(gap.receiverError) - 4) < 0.01)
  }

  @Test func aDriveWithoutGapsHasNone() {
    var run = EvaluationRun(truth: Made.track(until: 40), geometry: .init(), settings: EvaluationSettings())
    for sample in Made.drive(until: 40) { run.take(sample) }
    let figures = run.finish()
    #expect(figures.realGaps.isEmpty && figures.receiver == nil)
  }

  @Test func anotherSystemIsScoredAsTheEngineIs() throws {
    let score = try #require(figures().receiver)
    #expect(score.count == 601 && score.availability == 1)
    let error = try #require(score.horizontal)
    #expect(abs(error.p50 - 3) < 0.01 && abs(error.max - 3) < 0.01)
    #expect(abs(try #require(score.cross).mean - 3) < 0.01)
    #expect(try #require(score.speed).max < 1e-9)
    #expect(score.coverage68 == nil && score.coverage95 == nil, "it states no accuracy")
    #expect(score.headingDegrees == nil, "truth has no yaw")
  }

  @Test func anotherSystemIsAlignedOnceItsYawIsNoLongerTheZeroOfNotKnown() throws {
    let truth = TruthTrack((0...600).map { Made.truth(Double($0) / 10, yaw: 0.001) })
    let score = try #require(figures(truth: truth).receiver)
    #expect(score.alignedAfter == 20)
    #expect(try #require(score.headingDegrees).max < 1e-6, "before that it has none")
    let never = try #require(figures(receiver: Made.track(until: 60), truth: truth).receiver)
    #expect(never.alignedAfter == nil && never.headingDegrees == nil)
  }

  @Test func anotherSystemIsNotInterpolatedOverItsOwnGaps() throws {
    let thin = TruthTrack(Self.receiver.samples.filter { !(30..<35).contains($0.time.seconds) })
    let score = try #require(figures(receiver: thin).receiver)
    #expect(abs(try #require(score.availability) - (1 - 51.0 / 601)) < 0.003)
  }

  @Test func clocksWithoutATimeInCommonAreSaid() {
    var spans = SampleSpans()
    for sample in Made.drive(until: 2) {
      guard case .gnss(var fix) = sample else {
        spans.add(sample)
        continue
      }
      fix.time = fix.time.advanced(bySeconds: 1000)
      spans.add(.gnss(fix))
    }
    #expect(spans.remarks.first?.contains("0.0 to 2.0 s and gnss.csv from 1000.0 to 1002.0 s") == true)
    var together = SampleSpans()
    for sample in Made.drive(until: 2) { together.add(sample) }
    #expect(together.remarks.isEmpty)
  }

  /// In order of time, as a drive is read: what was stamped an hour late comes when the fixes are over.
  @Test(arguments: [1.4, 9, 11, 3600]) func anIMUWhoseClockLeapsIsSaid(leap: Double) {
    var spans = SampleSpans()
    var later: [SensorSample] = []
    for sample in Made.drive(until: 40) {
      guard case .inertial(var inertial) = sample, inertial.time.seconds > 20 else {
        spans.add(sample)
        continue
      }
      inertial.time = inertial.time.advanced(bySeconds: leap)
      later.append(.inertial(inertial))
    }
    for sample in later { spans.add(sample) }
    let words = "imu.csv holds nothing from 20.0 to \(20 + Int(leap)).0 s, while fixes come"
    #expect((spans.remarks.first?.contains(words) ?? false) == (leap > 1.5), "\(spans.remarks)")
  }

  /// What is left of 200 s of an IMU, with fixes all the time.
  private func remarks(_ isThere: (Double) -> Bool) -> [String] {
    var spans = SampleSpans()
    for sample in Made.drive(until: 200) {
      if case .inertial = sample, !isThere(sample.time.seconds) { continue }
      spans.add(sample)
    }
    return spans.remarks
  }

  @Test func oneSentenceSaysHowOftenAnIMUIsSilent() {
    #expect(
      remarks { !($0 > 30 && $0 < 40) && !($0 > 90 && $0 < 95) && !($0 > 150 && $0 < 153) } == [
        "imu.csv has 3 gaps while fixes come, 18.0 s in all, the longest from 30.0 to 40.0 s: the IMU was silent, or its "
          + "clock has leapt."
      ])
  }

  @Test func anIMUThatBeginsLateOrEndsEarlyIsSaid() {
    #expect(
      remarks { $0 >= 100 } == [
        "imu.csv begins 100.0 s after the fixes: there the fixes alone tell the place."
      ])
    #expect(
      remarks { $0 <= 50 } == ["imu.csv ends 150.0 s before the fixes: there the fixes alone tell the place."]
    )
    #expect(
      remarks { 20...180 ~= $0 && !($0 > 60 && $0 < 70) } == [
        "imu.csv begins 20.0 s after the fixes and ends 20.0 s before the fixes and holds nothing from 60.0 to 70.0 s, while "
          + "fixes come: the IMU was silent, or its clock has leapt."
      ])
    #expect(remarks { 9...192 ~= $0 }.isEmpty)
  }
}
