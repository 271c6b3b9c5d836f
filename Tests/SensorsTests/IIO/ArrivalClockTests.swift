import Navigation
import Sensors
import TestParts
import Testing

@Suite struct ArrivalClockTests {
  /// Of arrivals with jitter, for samples that are taken at a steady rate: errors against the true times,
  /// less the least delay, of the samples after `settled` seconds.
  private func errors(
    nominal: Double, actual: Double, seconds: Double, settled: Double, jitter: Double, seed: UInt64 = 1,
    batch: Int = 1
  ) -> [Double] {
    var clock = ArrivalClock()
    var random = Dice(seed: seed)
    var errors: [Double] = []
    let count = Int(seconds / actual)
    var arrival = 0.0
    var times: [Double] = []
    for sample in 0..<count {
      // Samples of a batch arrive with the last of it.
      let last = Double(sample / batch * batch + batch - 1) * actual
      if sample % batch == 0 {
        arrival = max(arrival, last + 0.001 + jitter * random.uniform() * random.uniform())
      }
      let reading = clock.reading(
        device: Double(sample) * nominal, arrival: Timestamp(seconds: 1000 + arrival))
      let time = reading.time.seconds - 1000
      #expect(time > (times.last ?? -1), "times rise")
      times.append(time)
      if Double(sample) * actual > settled { errors.append(time - 0.001 - Double(sample) * actual) }
    }
    return errors
  }

  @Test func jitterOfTwentyMillisecondsLeavesLessThanOne() {
    for seed in 1...5 {
      let errors = errors(
        nominal: 0.01, actual: 0.01, seconds: 60, settled: 10, jitter: 0.02, seed: UInt64(seed))
      // The least of 50 delays in a window, of a density that is infinite at 0, is
      // below 0.4 ms nearly always.
      #expect(errors.map(abs).max()! < 1e-3)
    }
  }

  @Test(arguments: [-0.03, -0.01, 0.01, 0.03])
  func oscillatorThatIsWrongByThreePercentIsFollowed(share: Double) {
    let errors = errors(
      nominal: 0.01, actual: 0.01 * (1 + share), seconds: 60, settled: 20, jitter: 0.002)
    #expect(errors.map(abs).max()! < 1e-3)
  }

  @Test func samplesOfABatchAreSpreadEvenly() {
    let errors = errors(nominal: 0.01, actual: 0.01, seconds: 60, settled: 20, jitter: 0.004, batch: 10)
    #expect(errors.map(abs).max()! < 1e-3)
  }

  @Test func missingSamplesAreNoticedAndNotAStall() {
    var clock = ArrivalClock()
    var jumps: [Double] = []
    func feed(_ range: Range<Int>, missing: Int, stalledTo: Int? = nil) {
      for sample in range {
        let arrival = max(Double(sample + missing), Double(stalledTo ?? 0)) * 0.01
        let reading = clock.reading(device: Double(sample) * 0.01, arrival: Timestamp(seconds: arrival))
        if reading.jump != 0 { jumps.append(reading.jump) }
      }
    }
    feed(0..<500, missing: 0)
    // The reader is held up for 0.3 s; all samples come after it at once.
    feed(500..<530, missing: 0, stalledTo: 530)
    feed(530..<1000, missing: 0)
    #expect(jumps.isEmpty)
    feed(1000..<1500, missing: 20)
    #expect(jumps.count == 1 && abs(jumps[0] - 0.2) < 0.01)
  }
}
