import Drives
import Evaluation
import Navigation
import Testing

/// What each change does to the fixes of the made drive, for twenty seeds.
@Suite struct StressFixChangeTests {
  private let original = StressMade.drive()
  private static let seeds = UInt64(1)...20

  @Test(arguments: seeds)
  func thinnedIsOneFixEveryOneToFiveSeconds(seed: UInt64) {
    let times = StressMade.variant(.thinned, seed: seed).fixes.map(\.time.seconds)
    let spacings = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(spacings.allSatisfy { $0 == spacings[0] && [1, 2, 3, 4, 5].contains($0) })
  }

  @Test(arguments: seeds)
  func noiseHasItsSizeAndIsStatedOrNot(seed: UInt64) {
    let noisy = StressMade.variant(.noisier, seed: seed)
    #expect((0.4...15).contains(rms(StressMade.offsets(noisy))))
    let sigmas = noisy.fixes.compactMap(\.positionSigma)
    #expect(sigmas.allSatisfy { $0 == sigmas[0] })
    #expect(sigmas[0] == Vector3(1, 1, 2) || (sigmas[0].x > 1.1 && sigmas[0].z > 2.1))
  }

  @Test(arguments: seeds)
  func lastingErrorLastsAndIsNotStated(seed: UInt64) {
    let wrong = StressMade.variant(.lasting, seed: seed)
    let errors = wrong.fixes.map { $0.position.ned(from: Made.truth($0.time.seconds).position).x }
    // A step of the process over 0.5 s of 60 s or more has a deviation of under 0.65 m.
    #expect(zip(errors, errors.dropFirst()).allSatisfy { abs($1 - $0) < 3.3 })
    #expect((0.3...15).contains(rms(errors)))
    #expect(wrong.fixes.map(\.positionSigma) == original.fixes.map(\.positionSigma))
  }

  @Test(arguments: seeds)
  func velocityNoiseHasItsSize(seed: UInt64) {
    let noisy = StressMade.variant(.velocityNoise, seed: seed)
    let added = noisy.fixes.compactMap { $0.velocityNED.map { $0.y } }
    #expect((0.08...1.2).contains(rms(added)))
    #expect(noisy.fixes.map(\.position) == original.fixes.map(\.position))
  }

  @Test func whatIsTakenAwayIsGone() {
    let (speechless, unsure) = (StressMade.variant(.noVelocity), StressMade.variant(.noAccuracy))
    #expect(speechless.fixes.allSatisfy { $0.velocityNED == nil && $0.speedSigma == nil })
    #expect(speechless.fixes.map(\.positionSigma) == original.fixes.map(\.positionSigma))
    #expect(
      unsure.fixes.allSatisfy { $0.positionSigma == nil && $0.speedSigma == nil && $0.courseSigma == nil })
    #expect(unsure.fixes.map(\.velocityNED) == original.fixes.map(\.velocityNED))
  }

  @Test(arguments: seeds)
  func outagesComeAgainAndAgain(seed: UInt64) {
    let cut = StressMade.variant(.outages, seed: seed).fixes.map(\.time.seconds)
    let gaps = zip(cut, cut.dropFirst()).map { $1 - $0 }.filter { $0 > 0.6 }
    #expect(gaps.allSatisfy { (10...61).contains($0) })
    #expect((1...6).contains(gaps.count))
  }

  @Test(arguments: seeds)
  func burstsAreWrongAndSureOfIt(seed: UInt64) {
    let wrong = StressMade.variant(.burst, seed: seed)
    let offsets = StressMade.offsets(wrong)
    #expect(offsets.count { $0 > 0.01 } < 3 * 61)
    // Bursts may lie on top of one another.
    #expect((14...361).contains(offsets.max() ?? 0))
    #expect(wrong.fixes.map(\.positionSigma) == original.fixes.map(\.positionSigma))
    #expect(wrong.fixes.count == original.fixes.count)
  }

  @Test(arguments: seeds)
  func oneFirstFixIsWrong(seed: UInt64) throws {
    let variant = StressMade.variant(.wrongFirst, seed: seed)
    let wrong = try #require(StressMade.offsets(variant).firstIndex { $0 > 1 })
    let offsets = StressMade.offsets(variant)
    #expect(offsets.count { $0 > 1 } == 1)
    #expect((49...501).contains(offsets[wrong]))
    guard wrong > 0 else { return }
    let gap = variant.fixes[wrong].time.seconds(since: variant.fixes[wrong - 1].time)
    #expect((10...21).contains(gap))
  }

  @Test(arguments: seeds)
  func lateFixesArriveLater(seed: UInt64) {
    let late = StressMade.variant(.late, seed: seed)
    for (a, b) in zip(original.fixes, late.fixes) {
      let delay = (b.received ?? b.time).seconds(since: a.received ?? a.time)
      #expect((0.07...2.1).contains(delay))
      #expect((0...0.301).contains(b.time.seconds(since: a.time)))
      #expect(a.position == b.position)
    }
  }

  private func rms(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
  }
}
