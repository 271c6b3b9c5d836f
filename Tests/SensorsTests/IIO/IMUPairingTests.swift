import Navigation
import Sensors
import TestParts
import Testing

@Suite struct IMUPairingTests {
  private struct Out: Equatable {
    var time: Int64
    var rate: Vector3
    var force: Vector3
  }

  /// Rates at 100 Hz and forces at `forceRate`, which are straight lines in time, taken in
  /// turns that `seed` decides.
  private func run(forceRate: Double, seed: UInt64, hole: ClosedRange<Double> = -2...(-1)) -> (
    out: [Out], lost: Int
  ) {
    var pairing = IMUPairing()
    var rates = (0..<300).map { Double($0) * 0.01 }[...]
    var forces = (0..<Int(3 * forceRate)).map { 0.003 + Double($0) / forceRate }.filter {
      !hole.contains($0)
    }[...]
    var dice = Dice(seed: seed)
    var out: [Out] = []
    var lost = 0
    while !rates.isEmpty || !forces.isEmpty {
      if dice.next() >> 63 == 0, let time = rates.popFirst() {
        pairing.add(rate: .init(time: Timestamp(seconds: time), value: Vector3(time, 0, 0)))
      } else if let time = forces.popFirst() {
        pairing.add(force: .init(time: Timestamp(seconds: time), value: Vector3(2 * time, -time, 9.8)))
      }
      lost += pairing.drain { out.append(Out(time: $0.nanoseconds, rate: $1, force: $2)) }
    }
    return (out, lost)
  }

  @Test(arguments: [50.0, 100, 104, 400])
  func forceIsInterpolatedToTheTimesOfTheRates(forceRate: Double) {
    let (out, lost) = run(forceRate: forceRate, seed: 1)
    #expect(lost == 0)
    // All but the rates before the first force and after the last.
    #expect(out.count >= 300 - 1 - Int(100 / forceRate) - 1)
    for sample in out {
      let time = Double(sample.time) * 1e-9
      #expect(abs(sample.rate.x - time) < 1e-12)
      #expect(abs(sample.force.x - 2 * time) < 1e-9 && abs(sample.force.y + time) < 1e-9)
    }
    #expect(out.map(\.time) == out.map(\.time).sorted())
  }

  @Test func turnsThatTheTwoTakeDoNotMatter() {
    let first = run(forceRate: 104, seed: 1)
    for seed in 2...20 {
      let other = run(forceRate: 104, seed: UInt64(seed))
      #expect(other.out == first.out && other.lost == first.lost)
    }
  }

  @Test func holeInTheForcesIsNotBridged() {
    let (out, lost) = run(forceRate: 100, seed: 3, hole: 1...1.5)
    #expect(lost == 50 || lost == 51)
    #expect(!out.contains { (1.0...1.49).contains(Double($0.time) * 1e-9) })
  }

  /// Each device's FIFO is read at once, in batches and at times of its own, and bears the time of the read.
  @Test(arguments: [10, 1], [8, 3, 1])
  func batchesThatBearOneStampAreSpread(rateBatch: Int, forceBatch: Int) {
    var pairing = IMUPairing()
    var out: [Out] = []
    for index in 0..<400 {
      let read = (Double(index / rateBatch * rateBatch + rateBatch - 1)) * 0.01
      let time = Double(index) * 0.01
      pairing.add(rate: .init(time: Timestamp(seconds: read), value: Vector3(time, 0, 0)))
      let forceRead = Double(index / forceBatch * forceBatch + forceBatch - 1) * 0.01 + 0.003
      pairing.add(
        force: .init(time: Timestamp(seconds: forceRead), value: Vector3(time + 0.003, Double(index), 0)))
      #expect(pairing.drain { out.append(Out(time: $0.nanoseconds, rate: $1, force: $2)) } == 0)
    }
    #expect(out.count >= 400 - 20, "none is lost")
    // The first batches are taken as they are: that they are such is not known before.
    for sample in out.dropFirst(20) {
      #expect(abs(sample.force.x - sample.rate.x) < 1e-6, "what was felt at one time")
      let index = Int((sample.rate.x * 100).rounded())
      let read = Double(index / rateBatch * rateBatch + rateBatch - 1) * 0.01
      #expect(abs(Double(sample.time) * 1e-9 - read) < 1e-6, "the stamp is the gyroscope's")
    }
  }

  @Test func silentAccelerometerKeepsMemoryBounded() {
    var pairing = IMUPairing()
    var lost = 0
    for index in 0..<5000 {
      pairing.add(rate: .init(time: Timestamp(nanoseconds: Int64(index) * 10_000_000), value: .zero))
      lost += pairing.drain { _, _, _ in }
    }
    #expect(lost == 5000 - IMUPairing.capacity)
  }
}
