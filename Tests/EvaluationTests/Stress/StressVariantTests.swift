import Drives
import Evaluation
import Navigation
import Testing

@Suite struct StressVariantTests {
  private func isEqual(_ a: StressDrive, _ b: StressDrive) -> Bool {
    a.inertial == b.inertial && a.wheel == b.wheel && a.fixes == b.fixes
  }

  @Test(arguments: StressChange.allCases)
  func changeLeavesTheTruthAloneAndTheOrderToo(change: StressChange) {
    let original = StressMade.drive()
    for seed in UInt64(1)...10 {
      let variant = StressMade.variant(change, seed: seed)
      #expect(variant.truth.track.samples == original.truth.track.samples)
      #expect(!isEqual(variant, original), "\(change) \(seed) changes nothing")
      #expect(isEqual(variant, StressMade.variant(change, seed: seed)))
      let times = [variant.inertial.map(\.time), variant.wheel.map(\.time), variant.fixes.map(\.time)]
      for times in times { #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }) }
      let arrivals = variant.fixes.map { $0.received ?? $0.time }
      #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(zip(variant.fixes, arrivals).allSatisfy { $0.time <= $1 })
    }
  }

  @Test func seedsDiffer() {
    for change in StressChange.allCases
    where ![.noWheel, .noVelocity, .noAccuracy].contains(change) {
      let variants = (UInt64(1)...20).map { StressMade.variant(change, seed: $0) }
      #expect(variants.dropFirst().contains { !isEqual($0, variants[0]) }, "\(change)")
    }
  }

  @Test func parametersAreTheSameInCompany() {
    let drive = StressMade.drive()
    for seed in UInt64(1)...10 {
      let alone = StressVariant(of: drive, seed: seed, only: [.burst])
      let together = StressVariant(of: drive, seed: seed, only: [.turned, .burst])
      #expect(alone.drive.fixes == together.drive.fixes)
      #expect(together.details.last == alone.details.last)
    }
  }

  @Test func seedChoosesOneToThreeThatGoTogether() {
    let drive = StressMade.drive()
    var counts = [0, 0, 0, 0]
    var chosen: Set<StressChange> = []
    for seed in UInt64(1)...300 {
      let changes = StressVariant.changes(of: drive, seed: seed, only: [])
      counts[changes.count] += 1
      chosen.formUnion(changes)
      for change in changes { #expect(!changes.contains(where: change.excludes)) }
    }
    #expect(counts[0] == 0)
    for count in counts[1...3] { #expect((70...130).contains(count)) }
    #expect(chosen.count == StressChange.allCases.filter(\.isDrawn).count)
  }

  @Test func choiceIsTheSameOnEveryMachine() {
    let drive = StressMade.drive()
    let chosen = (UInt64(1)...4).map { seed in
      StressVariant.changes(of: drive, seed: seed, only: []).map(\.rawValue).joined(separator: "+")
    }
    #expect(
      chosen == ["thinned", "thinned", "slower+no-velocity+outages", "start+slower+wrong-first"])
    let other = StressMade.drive("other")
    #expect(
      (UInt64(1)...9).contains { seed in
        StressVariant.changes(of: drive, seed: seed, only: [])
          != StressVariant.changes(of: other, seed: seed, only: [])
      })
  }

  @Test func whatADriveLacksIsNotChanged() {
    var drive = StressMade.drive()
    drive.wheel = []
    for i in drive.fixes.indices { drive.fixes[i].velocityNED = nil }
    let only: [StressChange] = [.noWheel, .wheelOff, .noVelocity, .velocityNoise, .late]
    #expect(StressVariant.changes(of: drive, seed: 1, only: only) == [.late])
    #expect(StressVariant.changes(of: drive, seed: 1, only: [.noWheel]).isEmpty)
  }
}
