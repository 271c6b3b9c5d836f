import Drives
import Navigation
import Simulation
import Testing

@Suite struct IdealTests {
  /// Inertial errors of the ideal drive in the IMU's axes.
  private func errors(seed: UInt64) -> [(rate: Vector3, force: Vector3)] {
    let simulator = Simulator(scenario: .ideal, seed: seed)
    var track = simulator.track
    return simulator.run().samples.compactMap { sample in
      guard case .inertial(let s) = sample else { return nil }
      let state = track.state(at: s.time)
      return (
        s.angularRate - state.angularRate,
        s.specificForce - state.specificForce(at: simulator.scenario.imu.position)
      )
    }
  }

  @Test func idealNoiseIsWhiteWithTheStatedDensity() {
    let model = Scenario.ideal.imu
    let errors = errors(seed: 3)
    var (rate, force) = (Statistics(), Statistics())
    for (a, b) in zip(errors, errors.dropFirst()) {
      rate.add(b.rate - a.rate)
      force.add(b.force - a.force)
    }
    // Differences of neighbours remove the bias and double the variance; 50,000 of them are good to 1 %.
    #expect(rate.count > 40_000)
    #expect(abs(rate.sigma / (model.gyroscope.noise * (2 * 100).squareRoot()) - 1) < 0.02)
    #expect(abs(force.sigma / (model.accelerometer.noise * (2 * 100).squareRoot()) - 1) < 0.02)
  }

  @Test func idealBiasesAreDrawnAndWalkAsStated() {
    let model = Scenario.ideal.imu
    var (rate, force, rateWalk, forceWalk) = (Statistics(), Statistics(), Statistics(), Statistics())
    var seconds = 0.0
    for seed in 1...30 {
      let errors = errors(seed: UInt64(seed))
      func mean(_ part: ArraySlice<(rate: Vector3, force: Vector3)>) -> (Vector3, Vector3) {
        let sum = part.reduce((Vector3.zero, Vector3.zero)) { ($0.0 + $1.rate, $0.1 + $1.force) }
        return (sum.0 / Double(part.count), sum.1 / Double(part.count))
      }
      let (first, last) = (mean(errors.prefix(500)), mean(errors.suffix(500)))
      rate.add(first.0)
      force.add(first.1)
      rateWalk.add(last.0 - first.0)
      forceWalk.add(last.1 - first.1)
      seconds = Double(errors.count - 500) / 100
    }
    // 90 draws are good to 7.5 %; bounds at 3.5 of these.
    #expect(abs(rate.rms / model.gyroscope.bias - 1) < 0.26)
    #expect(abs(force.rms / model.accelerometer.bias - 1) < 0.26)
    // A mean over 5 s still has white noise of N² / 5 s in each of the two.
    func expected(_ m: TriadModel) -> Double {
      (m.randomWalk * m.randomWalk * seconds + 2 * m.noise * m.noise / 5).squareRoot()
    }
    #expect(abs(rateWalk.rms / expected(model.gyroscope) - 1) < 0.26)
    #expect(abs(forceWalk.rms / expected(model.accelerometer) - 1) < 0.26)
  }

  @Test func idealFixesAreWhiteAndHonest() {
    let simulator = Simulator(scenario: .ideal, seed: 5)
    var track = simulator.track
    let antenna = simulator.scenario.receiver.antenna
    var (horizontal, vertical, velocity, neighbours) = (
      Statistics(), Statistics(), Statistics(), Statistics()
    )
    var last: Vector3?
    for case .gnss(let fix) in simulator.run().samples {
      let state = track.state(at: fix.time)
      let error = fix.position.ned(from: state.position(at: antenna))
      horizontal.add(error.x)
      horizontal.add(error.y)
      vertical.add(error.z)
      if let v = fix.velocityNED { velocity.add(v - state.velocityNED(at: antenna)) }
      if let last { neighbours.add(last.x * error.x + last.y * error.y) }
      last = error
      #expect(fix.positionSigma == Vector3(1.5, 1.5, 2.5) && fix.speedSigma == 0.05)
      #expect(fix.received == nil)
    }
    #expect(horizontal.count > 300)
    #expect(abs(horizontal.rms / 1.5 - 1) < 0.15 && abs(vertical.rms / 2.5 - 1) < 0.2)
    #expect(abs(velocity.rms / 0.05 - 1) < 0.12)
    #expect(abs(neighbours.mean) < 3.5 * 2.25 * (2 / neighbours.count).squareRoot())
  }
}
