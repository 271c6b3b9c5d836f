import Evaluation
import Navigation
import Testing

/// What each change does to the made drive, for twenty seeds.
@Suite struct StressChangeTests {
  private let original = StressMade.drive()
  private static let seeds = UInt64(1)...20

  @Test(arguments: seeds)
  func turnedIsOneRotationOfBothTriads(seed: UInt64) {
    let turned = StressMade.variant(.turned, seed: seed)
    for (a, b) in zip(original.inertial, turned.inertial).prefix(50) {
      #expect(abs(a.angularRate.norm - b.angularRate.norm) < 1e-12)
      #expect(abs(a.specificForce.norm - b.specificForce.norm) < 1e-12)
      #expect(abs(a.specificForce.dot(a.angularRate) - b.specificForce.dot(b.angularRate)) < 1e-12)
    }
    let force = (original.inertial[0].specificForce, turned.inertial[0].specificForce)
    #expect((force.0 - force.1).norm > 1e-3)
  }

  @Test(arguments: seeds)
  func biasIsConstant(seed: UInt64) {
    let biased = StressMade.variant(.biased, seed: seed)
    let rates = zip(original.inertial, biased.inertial).map { $1.angularRate - $0.angularRate }
    let forces = zip(original.inertial, biased.inertial).map { $1.specificForce - $0.specificForce }
    #expect(rates.allSatisfy { ($0 - rates[0]).norm < 1e-12 })
    #expect(forces.allSatisfy { ($0 - forces[0]).norm < 1e-12 })
    #expect((0.001...20).contains(Angle.degrees(radians: rates[0].norm)))
    #expect((0.01...1.2).contains(forces[0].norm))
  }

  @Test(arguments: seeds)
  func slowerIsNotBelowTenHertz(seed: UInt64) {
    let slow = StressMade.variant(.slower, seed: seed)
    let spacings = zip(slow.inertial, slow.inertial.dropFirst()).map { $1.time.seconds(since: $0.time) }
    #expect(spacings.allSatisfy { abs($0 - spacings[0]) < 1e-6 && (0.0399...0.1001).contains($0) })
  }

  @Test(arguments: seeds)
  func quieterKeepsTheMeanAndLosesTheRipple(seed: UInt64) {
    let quiet = StressMade.variant(.quieter, seed: seed)
    #expect(quiet.inertial.map(\.time) == original.inertial.map(\.time))
    let (before, after) = (forces(original), forces(quiet))
    #expect(abs(before.mean - after.mean) < 0.01)
    #expect(after.sigma < 0.9 * before.sigma)
  }

  @Test(arguments: seeds)
  func shakenAddsWhiteNoise(seed: UInt64) {
    let shaken = StressMade.variant(.shaken, seed: seed)
    let added = zip(original.inertial, shaken.inertial).map { $1.specificForce.y - $0.specificForce.y }
    let sigma = (added.reduce(0) { $0 + $1 * $1 } / Double(added.count)).squareRoot()
    #expect((0.045...1.1).contains(sigma))
    let neighbours = zip(added, added.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(added.count)
    #expect(abs(neighbours) < 0.05 * sigma * sigma)
  }

  @Test(arguments: seeds)
  func gapsAreOfTheLengthsThatAreSaid(seed: UInt64) {
    let gapped = StressMade.variant(.gaps, seed: seed)
    let gaps = zip(gapped.inertial, gapped.inertial.dropFirst()).map { $1.time.seconds(since: $0.time) }
      .filter { $0 > 0.021 }
    #expect((2...12).contains(gaps.count))
    #expect(gaps.allSatisfy { (0.299...5.03).contains($0) })
  }

  /// From somewhere in the middle third on by one rotation, which the gyroscope has measured; its bias stays,
  /// as its median rate has it.
  @Test(arguments: seeds)
  func knockedIsTurnedOnTheWay(seed: UInt64) throws {
    let knocked = StressMade.variant(.knocked, seed: seed)
    #expect(knocked.inertial.map(\.time) == original.inertial.map(\.time))
    let from = try changedFrom(knocked)
    let pairs = Array(zip(original.inertial, knocked.inertial).dropFirst(from))
    let medians = (0..<3).map { axis in
      original.inertial.map { $0.angularRate[axis] }.sorted()[original.inertial.count / 2]
    }
    let bias = Vector3(medians[0], medians[1], medians[2])
    var felt = Quaternion.identity
    for ((a, b), next) in zip(pairs, pairs.dropFirst()) {
      let step = next.1.time.seconds(since: b.time)
      #expect(abs(a.specificForce.norm - b.specificForce.norm) < 1e-12)
      if b.time.seconds(since: pairs[0].1.time) > 1 {
        let (before, after) = (a.angularRate - bias, b.angularRate - bias)
        #expect(abs(a.specificForce.dot(before) - b.specificForce.dot(after)) < 1e-12)
      } else {
        // Against how a gyroscope that stays would have turned meanwhile: little in a second.
        felt = felt * Quaternion(rotationVector: (b.angularRate - a.angularRate) * step)
      }
    }
    let last = try #require(pairs.last)
    let turned = felt.inverse * last.0.specificForce
    #expect((turned - last.1.specificForce).norm < 0.15 * last.0.specificForce.norm)
  }

  /// Twenty seeds have every fault, each from somewhere on the way on.
  @Test func brokenIsBrokenOnTheWay() throws {
    var faults: Set<String> = []
    for seed in Self.seeds {
      let broken = StressVariant(of: original, seed: seed, only: [.broken])
      _ = try changedFrom(broken.drive)
      faults.insert(String(try #require(broken.details.first?.split(separator: " at ").first)))
    }
    #expect(faults.count == 6, "\(faults)")
  }

  /// No seed chooses what is made where it is asked for only.
  @Test func whatBreaksForGoodIsAskedFor() {
    for seed in UInt64(1)...300 {
      let chosen = StressVariant.changes(of: original, seed: seed, only: [])
      #expect(!chosen.isEmpty && chosen.allSatisfy(\.isDrawn))
    }
  }

  /// The first sample of the IMU that is another, after a third of the drive.
  private func changedFrom(_ changed: StressDrive) throws -> Int {
    let pairs = zip(original.inertial, changed.inertial).enumerated()
    let from = try #require(pairs.first { $1.0 != $1.1 }?.offset)
    let times = original.inertial.map { $0.time.seconds(since: original.inertial[0].time) }
    let share = times[from] / times[times.count - 1]
    // What breaks shows where it would have measured something.
    #expect((0.32...0.9).contains(share), "\(share) of the drive")
    return from
  }

  @Test(arguments: seeds)
  func startIsLater(seed: UInt64) throws {
    let late = StressMade.variant(.start, seed: seed)
    let first = try #require(late.inertial.first?.time)
    #expect((10...120.03).contains(first.seconds))
    #expect(late.inertial == Array(original.inertial.suffix(late.inertial.count)))
    #expect(late.fixes == Array(original.fixes.suffix(late.fixes.count)))
    #expect(late.fixes.allSatisfy { ($0.received ?? $0.time) > first.advanced(bySeconds: -0.021) })
  }

  @Test(arguments: seeds)
  func wheelIsScaledAndLate(seed: UInt64) {
    #expect(StressMade.variant(.noWheel, seed: seed).wheel.isEmpty)
    let off = StressMade.variant(.wheelOff, seed: seed)
    let scales = off.wheel.map { $0.speed / 10 }
    #expect((0.9...1.1).contains(scales[0]))
    #expect(scales.allSatisfy { $0 == scales[0] })
    let delays = zip(original.wheel, off.wheel).map { $1.time.seconds(since: $0.time) }
    #expect(delays.allSatisfy { (-0.021...0.321).contains($0) })
  }

  private func forces(_ drive: StressDrive) -> (mean: Double, sigma: Double) {
    let x = drive.inertial.map(\.specificForce.x)
    let mean = x.reduce(0, +) / Double(x.count)
    return (mean, (x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.count)).squareRoot())
  }
}
