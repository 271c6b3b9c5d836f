import Navigation
import Simulation
import Testing

@Suite struct InertialErrorTests {
  private static let rest = Vector3(0, 0, -9.8)

  /// Readings of a true value of 0, 100 a second.
  private func readings(_ model: TriadModel, seed: UInt64, count: Int, step: Double = 0.01) -> [Vector3] {
    var triad = TriadSimulator(model, seed: seed, stream: "test")
    return (0..<count).map { _ in
      triad.read(.zero, specificForce: Self.rest, warming: 0, noiseFactor: 1, step: step)
    }
  }

  @Test(arguments: IMUPart.allCases) func whiteNoiseShowsInTheAllanDeviation(part: IMUPart) {
    for model in [part.triads.gyroscope, part.triads.accelerometer] {
      var white = TriadModel()
      white.noise = model.noise
      let values = readings(white, seed: 2, count: 40_000)
      // Means over 0.5 s: Allan deviation N/√τ, from 799 differences on three axes, good to 1.5 %.
      let means = stride(from: 0, to: values.count, by: 50).map { i in
        values[i..<(i + 50)].reduce(.zero, +) / 50
      }
      var differences = Statistics()
      for (a, b) in zip(means, means.dropFirst()) { differences.add(b - a) }
      let deviation = differences.rms / 2.0.squareRoot()
      if model.noise == 0 {
        #expect(deviation == 0)
      } else {
        #expect(abs(deviation / (model.noise / 0.5.squareRoot()) - 1) < 0.06)
      }
    }
  }

  @Test func biasInstabilityIsAGaussMarkovProcess() {
    var model = TriadModel()
    model.instability = 0.01
    model.instabilityTime = 20
    var (now, product) = (Statistics(), Statistics())
    for seed in 1...40 {
      let values = readings(model, seed: UInt64(seed), count: 2_000, step: 1)
      for (a, b) in zip(values, values.dropFirst(20)) {
        now.add(a)
        product.add(a.x * b.x + a.y * b.y + a.z * b.z)
      }
    }
    // About 40 · 3 · 2000 / 40 independent values: 1 % on the deviation.
    #expect(abs(now.rms / 0.01 - 1) < 0.04)
    #expect(abs(product.mean / 3 / 1e-4 - 0.3679) < 0.06)
  }

  @Test func biasesAreDrawnOnceForADrive() {
    var model = TriadModel()
    model.bias = 0.3
    var draws = Statistics()
    for seed in 1...300 {
      let values = readings(model, seed: UInt64(seed), count: 3)
      #expect(values[0] == values[2])
      draws.add(values[0])
    }
    #expect(abs(draws.rms / 0.3 - 1) < 0.1 && abs(draws.mean) < 0.04)
  }

  @Test func randomWalkGrowsWithTheRootOfTime() {
    var model = TriadModel()
    model.randomWalk = 0.02
    var ends = Statistics()
    for seed in 1...300 {
      let values = readings(model, seed: UInt64(seed), count: 101, step: 1)
      ends.add(values[100] - values[0])
    }
    #expect(abs(ends.rms / 0.2 - 1) < 0.1)
  }

  @Test func scaleMisalignmentTemperatureAndGSensitivityAreLinear() {
    var model = TriadModel()
    model.scale = 0.01
    model.misalignment = 0.005
    model.temperatureCoefficient = 0.002
    model.gSensitivity = 0.0003
    var (diagonal, cross, warm, force) = (Statistics(), Statistics(), Statistics(), Statistics())
    for seed in 1...300 {
      func read(_ value: Vector3, _ specificForce: Vector3, _ warming: Double) -> Vector3 {
        var triad = TriadSimulator(model, seed: UInt64(seed), stream: "test")
        return triad.read(value, specificForce: specificForce, warming: warming, noiseFactor: 1, step: 0.01)
      }
      let x = read(Vector3(2, 0, 0), .zero, 0)
      diagonal.add(x.x / 2 - 1)
      cross.add(x.y / 2)
      cross.add(x.z / 2)
      warm.add(read(.zero, .zero, 10) / 10)
      force.add(read(.zero, Vector3(0, 10, 0), 0) / 10)
    }
    #expect(abs(diagonal.rms / 0.01 - 1) < 0.16 && abs(cross.rms / 0.005 - 1) < 0.12)
    #expect(abs(warm.rms / 0.002 - 1) < 0.1 && abs(force.rms / 0.0003 - 1) < 0.1)
  }

  @Test func outputIsRoundedToTheQuantum() {
    var model = TriadModel()
    model.noise = 0.01
    model.quantum = 0.25
    for value in readings(model, seed: 1, count: 100) {
      for x in [value.x, value.y, value.z] { #expect((x / 0.25).rounded() == x / 0.25) }
    }
  }

  @Test func shakingDoesNotTurnTheCar() {
    var track = Simulator(scenario: .town).track
    var vibration = VibrationSimulator(VibrationModel(), rate: 100, seed: 4)
    var turned = Vector3.zero
    var (driving, idle) = (Statistics(), Statistics())
    for step in 0..<Int(track.duration * 100) {
      let state = track.state(at: Timestamp(seconds: Double(step) / 100))
      let shaking = vibration.next(state)
      turned += shaking.rate * 0.01
      if !state.engineRuns { #expect(shaking.force == .zero && shaking.rate == .zero) }
      if state.speed > 12 { driving.add(shaking.force.y) }
      if state.speed == 0, state.engineRuns { idle.add(shaking.force.y) }
    }
    #expect(turned.norm < 0.005)
    #expect(abs(driving.rms / 0.4 - 1) < 0.05 && abs(idle.rms / 0.1 - 1) < 0.05)
  }

  @Test func wheelsShowAsLinesOverDistance() {
    var model = VibrationModel()
    (model.idleForce, model.drivingForce, model.engineForce) = (0, 0, 0)
    (model.idleRate, model.ratePerSpeed) = (0, 0)
    (model.wheelSpread, model.wheelFading, model.wheelPhaseDrift) = (0, 0, 0)
    var track = Simulator(scenario: .town).track
    var vibration = VibrationSimulator(model, rate: 100, seed: 4)
    func power(_ turnsPerMetre: Double, _ values: [(distance: Double, value: Double)]) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for value in values {
        let q = Quaternion(rotationVector: Vector3(0, 0, 2 * .pi * turnsPerMetre * value.distance))
        let unit = q * Vector3(1, 0, 0)
        real += value.value * unit.x
        imaginary += value.value * unit.y
      }
      return (real * real + imaginary * imaginary) / Double(values.count)
    }
    var (force, rate): ([(distance: Double, value: Double)], [(distance: Double, value: Double)]) = ([], [])
    for step in 0..<Int(track.duration * 100) {
      let state = track.state(at: Timestamp(seconds: Double(step) / 100))
      let shaking = vibration.next(state)
      guard state.speed > 5 else { continue }
      force.append((state.distance, shaking.force.z))
      rate.append((state.distance, shaking.rate.x))
    }
    for values in [force, rate] {
      let beside = power(1.37 * model.wheelTurnsPerMetre, values)
      #expect(power(model.wheelTurnsPerMetre, values) > 100 * beside)
      #expect(power(2 * model.wheelTurnsPerMetre, values) > 20 * beside)
    }
  }

  @Test func mountingTurnsTheSamples() {
    let scenario = Scenarios.perfect
    let simulator = Simulator(scenario: scenario)
    var track = simulator.track
    for case .inertial(let sample) in simulator.run().samples.prefix(5000) {
      let state = track.state(at: sample.time)
      let force = scenario.imu.vehicleFromIMU * sample.specificForce
      #expect((force - state.specificForce(at: scenario.imu.position)).norm < 1e-12)
      #expect((scenario.imu.vehicleFromIMU * sample.angularRate - state.angularRate).norm < 1e-14)
    }
  }
}
