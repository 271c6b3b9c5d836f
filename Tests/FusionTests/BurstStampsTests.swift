import Fusion
import Simulation
import Testing

/// Samples of the IMU that are stamped in bursts.
@Suite struct BurstStampsTests {
  /// Samples that are taken evenly and read in batches.
  private struct Batches {
    var period = 0.01
    var sizes = 10...10
    /// From stamp to stamp in a batch, s.
    var step = 1e-4
    /// How late batches are read, s.
    var late = 0.0...0.0
    /// Part of the samples, and of the batches, that is lost.
    var loss = 0.0, lostBatches = 0.0

    /// Times that samples hold at, and stamps, for so many seconds.
    func samples(seconds: Double = 60, seed: UInt64 = 7) -> [(time: Double, stamp: Double)] {
      var random = RandomSource(seed: seed, stream: "batches")
      var samples: [(time: Double, stamp: Double)] = []
      var taken = 0
      while Double(taken) * period < seconds {
        let size = sizes.lowerBound + Int(random.uniform() * Double(sizes.count))
        let end = 100 + Double(taken + size - 1) * period
        let read = end + random.uniform(in: late)
        let isLost = random.uniform() < lostBatches
        for i in 0..<size where random.uniform() >= loss && !isLost {
          samples.append(
            (end - Double(size - 1 - i) * period, read - Double(size - 1 - i) * step))
        }
        taken += size
      }
      return samples
    }
  }

  /// What is wrong with the times given to samples from three seconds on.
  private struct Errors {
    /// Mean of what they are after the truth, and how they spread about it, s.
    var mean = 0.0, spread = 0.0
    /// Largest, s.
    var most = 0.0
    var areInOrder = true, areNoneLate = true
    var burst = 0
  }

  private static func errors(_ batches: Batches) -> Errors {
    var (bursts, errors, all) = (BurstStamps(), Errors(), [Double]())
    var before = Timestamp(nanoseconds: .min)
    for (time, stamp) in batches.samples() {
      let stamped = Timestamp(seconds: stamp)
      let placed = bursts.corrected(stamped)
      guard time > 103 else { continue }
      errors.areInOrder = errors.areInOrder && placed > before
      errors.areNoneLate = errors.areNoneLate && placed <= stamped
      before = placed
      all.append(placed.seconds - time)
    }
    errors.burst = bursts.burst
    errors.mean = all.reduce(0, +) / Double(all.count)
    errors.spread =
      (all.reduce(0) { $0 + ($1 - errors.mean) * ($1 - errors.mean) } / Double(all.count)).squareRoot()
    errors.most = all.map(abs).max() ?? 0
    return errors
  }

  @Test(arguments: [0.0025, 0.005, 0.01], [2, 4, 10, 25]) func batchesAreSpacedEvenly(
    period: Double, size: Int
  ) {
    for step in [0, 1e-4, 2e-4] {
      let errors = Self.errors(Batches(period: period, sizes: size...size, step: step))
      #expect(errors.most < 1e-5, "\(errors)")
      #expect(errors.areInOrder && errors.areNoneLate && errors.burst == size, "\(errors)")
    }
  }

  @Test func batchesOfAnySizeAreSpacedEvenly() {
    let errors = Self.errors(Batches(sizes: 8...12))
    #expect(errors.most < 2e-4 && errors.areInOrder && errors.areNoneLate, "\(errors)")
    #expect(9...11 ~= errors.burst)
  }

  /// Who reads late sometimes is late by the least that it is, about.
  @Test(arguments: [4, 10, 25]) func lateReadsScatterLess(size: Int) {
    let errors = Self.errors(Batches(sizes: size...size, late: 0.001...0.005))
    #expect(errors.spread < 0.001, "\(errors)")
    #expect(0.001...0.003 ~= errors.mean && errors.most <= 0.0051, "\(errors)")
    #expect(errors.areInOrder && errors.areNoneLate && errors.burst == size, "\(errors)")
  }

  /// Samples that were lost are not known of before their batch has ended.
  @Test(arguments: [4, 10, 25]) func lossesAreMadeUpFor(size: Int) {
    let errors = Self.errors(Batches(sizes: size...size, loss: 0.02))
    #expect(errors.spread < 0.008 && abs(errors.mean) < 0.005, "\(errors)")
    #expect(errors.areInOrder && errors.areNoneLate, "\(errors)")
    let lost = Self.errors(Batches(sizes: size...size, lostBatches: 0.02))
    #expect(lost.spread < 0.003 * Double(size) && lost.areInOrder && lost.areNoneLate, "\(lost)")
  }

  /// The first batch after a lost one is placed as it comes, and the next at its stamp; after that a late
  /// batch is known to be one after a loss.
  @Test func lostBatchesAreLearned() {
    var bursts = BurstStamps()
    var after = [0, 0]
    for (time, stamp) in Batches().samples()
    where ![120.0, 140].contains(where: { $0 - 0.05..<$0 + 0.05 ~= time - 0.045 }) {
      let error = bursts.corrected(Timestamp(seconds: stamp)).seconds - time
      guard time >= 120 else { continue }
      let loss = time < 140 ? 0 : 1
      after[loss] += 1
      #expect(abs(error + (loss == 0 && after[0] <= 10 ? 0.1 : 0)) < 2e-3, "\(time): \(error)")
    }
    #expect(after[0] > 100 && after[1] > 100)
  }

  /// Who reads late reads all that has gathered.
  @Test func batchesThatGatherAreSpacedEvenly() {
    var bursts = BurstStamps()
    for (time, stamp) in Batches().samples() {
      // Every fifth batch is read with the next.
      let isLate = Int((time - 99.9999) / 0.1) % 5 == 4
      let error = bursts.corrected(Timestamp(seconds: isLate ? stamp + 0.099 : stamp)).seconds - time
      if time > 104 { #expect(abs(error) < 2e-3, "\(time): \(error)") }
    }
    #expect(9...13 ~= bursts.burst)
  }

  @Test func afterAGapABatchEndsAtItsStamp() {
    var bursts = BurstStamps()
    for (time, stamp) in Batches().samples() where !(119.9999..<123.9999 ~= time) {
      let error = bursts.corrected(Timestamp(seconds: stamp)).seconds - time
      if time > 103 { #expect(abs(error) < 2e-3, "\(time): \(error)") }
    }
  }

  /// Stamps in order with gaussian jitter of so many periods, with so many lost one by one, or in runs.
  @Test(arguments: [10.0, 25, 50, 100, 200, 400]) func otherStampsStay(rate: Double) {
    var random = RandomSource(seed: 5, stream: "stamps")
    let even = (0..<6000).map { 100 + Double($0) / rate }
    var cases: [(String, [Double])] = [("even", even)]
    for jitter in [0.02, 0.2, 0.5, 1, 3] {
      cases.append(("jitter \(jitter)", even.map { $0 + jitter / rate * random.normal() }.sorted()))
    }
    for loss in [0.05, 0.3, 0.6, 0.9] {
      cases.append(("loss \(loss)", even.filter { _ in random.uniform() >= loss }))
    }
    for (kept, lost) in [(20, 5), (20, 20), (10, 30), (4, 12), (80, 40)] {
      let runs = even.indices.filter { $0 % (kept + lost) < kept }.map { even[$0] }
      cases.append(("runs \(kept), \(lost)", runs))
    }
    cases.append(("gaps", even.filter { $0.truncatingRemainder(dividingBy: 5) < 3 }))
    cases.append(("in pairs", even.indices.map { even[$0] + ($0 % 2 == 1 ? 0 : 0.45 / rate) }))
    for (name, stamps) in cases {
      var bursts = BurstStamps()
      let changed = stamps.filter {
        let stamp = Timestamp(seconds: $0)
        return bursts.corrected(stamp) != stamp
      }
      #expect(changed.isEmpty && bursts.burst == 0, "\(name): \(changed.count) of \(stamps.count)")
    }
  }

  /// A driver that is mended stamps evenly, and a clock that goes back begins anew.
  @Test func whatEndsIsOver() {
    var bursts = BurstStamps()
    for (_, stamp) in Batches().samples() { _ = bursts.corrected(Timestamp(seconds: stamp)) }
    for i in 1...1000 {
      let stamp = Timestamp(seconds: 160 + Double(i) / 100)
      let placed = bursts.corrected(stamp)
      #expect(placed <= stamp && (i < 300 || placed == stamp), "\(i)")
    }
    #expect(bursts.burst == 10)
    for (_, stamp) in Batches().samples() { _ = bursts.corrected(Timestamp(seconds: stamp + 100)) }
    for i in 1...10 {
      let stamp = Timestamp(seconds: Double(i) / 100)
      #expect(bursts.corrected(stamp) == stamp)
    }
  }
}

/// The engine on samples of the IMU that are stamped in bursts.
@Suite struct BurstStampedRideTests {
  private static let town = Ride.sharp(sigma: 0.3, rate: 2, hasVelocity: true)
  /// No fix in these seconds.
  private static let outage = 70.0..<100.0

  /// The ride with the IMU's samples stamped so many at a time, and without fixes in the outage.
  private static func stamped(inBurstsOf size: Int) -> Ride {
    var ride = town.withFixes { outage ~= $0.time.seconds ? nil : $0 }
    var batch: [Int] = []
    for i in ride.samples.indices {
      guard case .inertial = ride.samples[i] else { continue }
      batch.append(i)
      guard batch.count == size else { continue }
      let end = ride.samples[i].time
      for (rank, place) in batch.enumerated() {
        guard case .inertial(var sample) = ride.samples[place] else { continue }
        sample.time = end.advanced(bySeconds: Double(rank + 1 - size) * 1e-4)
        ride.samples[place] = .inertial(sample)
      }
      batch = []
    }
    ride.samples = ride.samples.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
    return ride
  }

  /// Largest error in the outage, m, and what was found of the stamps.
  private static func error(_ ride: Ride) -> (most: Double, burst: Int) {
    var most = 0.0
    let engine = ride.played { engine, sample in
      guard case .inertial = sample, outage ~= sample.time.seconds,
        let solution = engine.solution(at: sample.time)
      else { return }
      most = max(most, ride.positionError(solution))
    }
    return (most, engine.timing.inertialBurst)
  }

  @Test(arguments: [4, 10, 25]) func anOutageIsAsWithEvenStamps(size: Int) {
    let (even, bursts) = (Self.error(Self.stamped(inBurstsOf: 1)), Self.error(Self.stamped(inBurstsOf: size)))
    #expect(even.burst == 0 && bursts.burst == size)
    #expect(bursts.most < 1.3 * even.most + 0.5, "\(bursts.most), \(even.most) m")
  }

  /// With hindsight it takes the very same steps.
  @Test func theSmootherSpacesThemToo() throws {
    func error(_ size: Int) -> Double {
      let ride = Self.stamped(inBurstsOf: size)
      var smoother = FusionSmoother(reaches: [.full])
      var track: [SmoothedTrack] = []
      for sample in ride.samples { smoother.process(sample) { track.append($1) } }
      smoother.finish { track.append($1) }
      return stride(from: Self.outage.lowerBound, to: Self.outage.upperBound, by: 0.5).reduce(0) {
        most, second in
        let solution = track.lazy.compactMap { $0.solution(at: Timestamp(seconds: second)) }.first
        return max(most, solution.map(ride.positionError) ?? .infinity)
      }
    }
    let (even, bursts) = (error(1), error(10))
    #expect(bursts < 1.3 * even + 0.3, "\(bursts), \(even) m")
  }
}
