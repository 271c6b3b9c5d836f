import Foundation
import Fusion
import Simulation
import Testing

/// The drive `tunnel-and-garage` with a barometer, and with one that fails.
@Suite struct BarometerRideTests {
  /// How far off a drive's solutions were, and what became of the barometer.
  struct Outcome {
    /// Absolute errors of the height and horizontal errors, twice a second, sorted, m.
    var height: [Double] = [], horizontal: [Double] = []
    /// Squares of the height's errors over their stated variances.
    var nees: [Double] = []
    /// Level and the true one in storeys, where either there is a level or the car is in the garage.
    var floors: [(level: Int?, truth: Double?)] = []
    var verdicts: [MeasurementVerdict.Outcome] = []

    static func percentile(_ values: [Double], _ share: Double) -> Double {
      values[min(values.count - 1, Int(share * Double(values.count)))]
    }
    var heightP95: Double { Self.percentile(height, 0.95) }
    var horizontalP95: Double { Self.percentile(horizontal, 0.95) }
  }

  static let ride: Ride = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("datasets")
    let path = folder.appendingPathComponent("tunnel-and-garage/scenario.json").path
    guard var scenario = try? Scenario(path: path) else { fatalError("\(path) is missing") }
    scenario.barometer = BarometerModel()
    return Ride(scenario, seed: scenario.seed)
  }()

  static let without = play { _ in nil }
  static let with = play { $0 }

  /// Plays the drive with each pressure changed, or left out.
  static func play(
    configuration: FusionConfiguration = FusionConfiguration(), _ change: (PressureSample) -> PressureSample?
  ) -> Outcome {
    var outcome = Outcome()
    var engine = FusionEngine(configuration: configuration)
    var next = 0.5
    var entrance: Double?
    for sample in ride.samples {
      if case .pressure(let pressure) = sample {
        guard let changed = change(pressure) else { continue }
        engine.process(.pressure(changed))
      } else {
        engine.process(sample)
      }
      while let verdict = engine.nextVerdict() {
        if verdict.kind == .barometer { outcome.verdicts.append(verdict.outcome) }
      }
      guard sample.kind == .inertial, sample.time.seconds >= next else { continue }
      next += 0.5
      guard let solution = engine.solution(at: sample.time) else { continue }
      let truth = ride.truth(at: sample.time)
      let off = solution.position.ned(from: truth.position(at: ride.scenario.imu.position))
      outcome.height.append(abs(off.z))
      outcome.nees.append(off.z * off.z / max(solution.positionCovariance.z.z, 1e-9))
      outcome.horizontal.append(off.horizontalNorm)
      let isInside = truth.environment == .garage
      if isInside, entrance == nil { entrance = truth.position.height }
      if solution.floor != nil || isInside {
        outcome.floors.append(
          (solution.floor, isInside ? entrance.map { (truth.position.height - $0) / 3 } : nil))
      }
    }
    outcome.height.sort()
    outcome.horizontal.sort()
    return outcome
  }

  @Test func heightIsTwiceAsGoodAndThePlaceTheSame() {
    let (with, without) = (Self.with, Self.without)
    #expect(with.heightP95 < 0.5 * without.heightP95, "\(with.heightP95) against \(without.heightP95)")
    #expect(with.heightP95 < 3.2)
    // Over eight seeds of this drive their geometric mean is 0.98.
    #expect(abs(with.horizontalP95 / without.horizontalP95 - 1) < 0.08)
    let outside = with.nees.count { $0 > 4 }
    #expect(
      Double(outside) < 0.05 * Double(with.nees.count), "\(outside) of \(with.nees.count) beyond 2 sigma")
  }

  @Test func floorsOfTheGarageAreToldWithinOneLevel() {
    let inside = Self.with.floors.compactMap { floor in floor.truth.map { (floor.level, $0) } }
    let known = inside.compactMap { floor in floor.0.map { (Double($0), floor.1) } }
    #expect(Double(known.count) > 0.9 * Double(inside.count), "\(known.count) of \(inside.count)")
    #expect(known.allSatisfy { abs($0.0 - $0.1) < 1 }, "\(known.map { abs($0.0 - $0.1) }.max() ?? 0)")
    // Up for four storeys and down again.
    #expect(known.map(\.0).max() == 4 && known.last?.0 == 0)
    // The fixes come back some seconds after the garage ends.
    let elsewhere = Self.with.floors.count { $0.truth == nil }
    #expect(elsewhere < 40, "\(elsewhere) half seconds with a floor and no garage")
    #expect(Self.without.floors.allSatisfy { $0.level == nil })
  }

  @Test func anOpenedWindowIsFoundOut() {
    // At 60 km/h 4 m, from there on.
    let outcome = Self.play { sample in
      var sample = sample
      let speed = Self.ride.truth(at: sample.time).velocityNED.norm
      if sample.time.seconds > 105 { sample.pressure -= 0.2 * StandardAtmosphere.density / 2 * speed * speed }
      return sample
    }
    #expect(outcome.heightP95 < 0.75 * Self.without.heightP95, "\(outcome.heightP95)")
    // 0.09 were measured.
    #expect(abs(outcome.horizontalP95 / Self.without.horizontalP95 - 1) < 0.15)
  }

  /// Ways to fail, each with the pressure that comes of it.
  static let faults: [(name: String, change: @Sendable (PressureSample) -> PressureSample?)] = [
    ("dead after five minutes", { $0.time.seconds < 300 ? $0 : nil }),
    ("dead in the tunnel", { $0.time.seconds < 170 || $0.time.seconds > 400 ? $0 : nil }),
    ("never there but for a second", { $0.time.seconds > 60 && $0.time.seconds < 61 ? $0 : nil }),
    ("frozen in the tunnel", { changed($0, after: 150) { _ in 100_700 } }),
    ("frozen from the start", { changed($0, after: 0) { _ in 100_700 } }),
    ("steps of 8 m", { changed($0, after: 0) { ($0 / 100).rounded() * 100 } }),
    ("garbage in range", { sample in changed(sample, after: 0) { _ in noise(sample, 30_000...120_000) } }),
    ("noise of 100 m", { sample in changed(sample, after: 0) { $0 + noise(sample, -1200...1200) } }),
    (
      "leaps of 50 m",
      { sample in
        changed(sample, after: 0) { $0 + (Int(sample.time.seconds / 7) % 2 == 0 ? 0 : 600) }
      }
    ),
    ("hectopascal", { changed($0, after: 0) { $0 / 100 } }),
    ("not a number", { changed($0, after: 0) { _ in .nan } }),
  ]

  private static func changed(
    _ sample: PressureSample, after start: Double, _ change: (Double) -> Double
  ) -> PressureSample {
    guard sample.time.seconds > start else { return sample }
    return PressureSample(time: sample.time, pressure: change(sample.pressure))
  }

  private static func noise(_ sample: PressureSample, _ range: ClosedRange<Double>) -> Double {
    var random = RandomSource(seed: UInt64(sample.time.nanoseconds), stream: "garbage")
    return random.uniform(in: range)
  }

  @Test(arguments: faults.indices) func aBarometerThatFailsHarmsNothing(index: Int) {
    let (name, change) = Self.faults[index]
    let outcome = Self.play(change)
    let without = Self.without
    #expect(
      outcome.heightP95 < 1.25 * without.heightP95 + 0.5, "\(name): \(outcome.heightP95) m of height")
    #expect(outcome.horizontalP95 < 1.08 * without.horizontalP95, "\(name): \(outcome.horizontalP95) m")
    let outside = outcome.nees.count { $0 > 9 }
    #expect(Double(outside) < 0.05 * Double(outcome.nees.count), "\(name): \(outside) beyond 3 sigma")
    #expect(outcome.height.count == without.height.count)
  }

  /// Nothing but a climb looks like this for some seconds; it is found out again and again.
  @Test func aLeakOf20CentimetresASecondIsBounded() {
    let outcome = Self.play { sample in
      Self.changed(sample, after: 200) { $0 + 2.4 * (sample.time.seconds - 200) }
    }
    // 100 m in the end.
    #expect(outcome.heightP95 < 20, "\(outcome.heightP95)")
    #expect(outcome.horizontalP95 < 1.08 * Self.without.horizontalP95)
  }

  @Test func oneThatIsNotUsedChangesNoBit() throws {
    var configuration = FusionConfiguration()
    configuration.disabled = FusionModelSet([.barometer])
    let outcome = Self.play(configuration: configuration) { $0 }
    #expect(outcome.height == Self.without.height && outcome.verdicts.isEmpty)
  }

  @Test func whatCannotBeAPressureIsRefusedByAVerdict() {
    let outcome = Self.play { PressureSample(time: $0.time, pressure: $0.time.seconds < 30 ? .nan : 1013.25) }
    #expect(outcome.verdicts.count > 7000 && outcome.verdicts.allSatisfy { $0 == .nonFinite })
    #expect(outcome.height == Self.without.height)
  }

  @Test func leapsAreContradictedAndThenLeftAlone() {
    let outcome = Self.play { sample in
      Self.changed(sample, after: 0) { $0 + (Int(sample.time.seconds / 7) % 2 == 0 ? 0 : 600) }
    }
    #expect(outcome.verdicts.count { $0 == .contradicted } > 100)
  }
}
