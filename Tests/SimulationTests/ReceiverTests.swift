import CLibrary
import Navigation
import Simulation
import Testing

@Suite struct ReceiverTests {
  /// A straight road in one kind of surroundings, with a receiver without smoothing,
  /// and few inertial samples.
  private func road(_ environment: RadioEnvironment, kilometres: Double = 20) -> Scenario {
    var scenario = Scenario(
      name: "straight", start: Scenarios.start, heading: 1,
      road: [RoadElement(.straight(length: 1000 * kilometres), speed: 10, environment: environment)])
    scenario.imu.rate = 10
    scenario.driver.speedVariation = 0
    scenario.receiver.positionSmoothing = 0
    scenario.receiver.velocitySmoothing = 0
    return scenario
  }

  private struct Observation {
    var fix: GNSSFix
    var state: VehicleState
    var error: Vector3
    var velocityError: Vector3
  }

  private func observations(_ scenario: Scenario, seed: UInt64) -> [Observation] {
    let simulator = Simulator(scenario: scenario, seed: seed)
    var track = simulator.track
    let antenna = scenario.receiver.antenna
    return simulator.run().samples.compactMap { sample in
      guard case .gnss(let fix) = sample else { return nil }
      let state = track.state(at: fix.time)
      let velocity = fix.velocityNED ?? .zero
      return Observation(
        fix: fix, state: state, error: fix.position.ned(from: state.position(at: antenna)),
        velocityError: velocity - state.velocityNED(at: antenna))
    }
  }

  @Test(arguments: [RadioEnvironment.open, .suburban]) func errorsHaveTheStatedSpread(
    environment: RadioEnvironment
  ) {
    let model = ReceptionModel.usual(in: environment)
    var (horizontal, vertical, velocity) = (Statistics(), Statistics(), Statistics())
    for seed in 1...10 {
      for observation in observations(road(environment), seed: UInt64(seed)) {
        horizontal.add(observation.error.x)
        horizontal.add(observation.error.y)
        vertical.add(observation.error.z)
        if observation.state.speed > 9 { velocity.add(observation.velocityError) }
      }
    }
    // 10 · 2000 s at correlations of 30 to 60 s: at least 300 independent values an axis.
    #expect(abs(horizontal.rms / model.horizontalSigma - 1) < 0.12)
    #expect(abs(vertical.rms / model.verticalSigma - 1) < 0.16)
    #expect(abs(velocity.rms / model.velocitySigma - 1) < 0.02)
  }

  @Test func canyonLooksLikeMeasuredCanyons() {
    var (errors, ratios, velocities) = ([Double](), [Double](), [Double]())
    for seed in 1...8 {
      for observation in observations(road(.canyon, kilometres: 10), seed: UInt64(seed)) {
        errors.append(observation.error.horizontalNorm)
        ratios.append(observation.error.horizontalNorm / (observation.fix.positionSigma?.x ?? .nan))
        if observation.state.speed > 9 { velocities.append(observation.velocityError.x) }
      }
    }
    func quantile(_ values: [Double], _ p: Double) -> Double {
      values.sorted()[Int(Double(values.count) * p)]
    }
    // Berlin, Huber-weighted: 17, 51 and 69 m at 50, 95 and 99 %; Hong Kong: 10 and 53 m at 50 and 95 %.
    #expect((10...17).contains(quantile(errors, 0.5)), "P50 \(quantile(errors, 0.5))")
    #expect((35...60).contains(quantile(errors, 0.95)), "P95 \(quantile(errors, 0.95))")
    #expect((4.5...7).contains(quantile(ratios, 0.5)), "true over stated \(quantile(ratios, 0.5))")
    // Student's t with 4 degrees of freedom scaled to σ = 1: quartile 0.741/√2, 99.5 % at 4.604/√2.
    #expect(abs(quantile(velocities, 0.75) - 0.524) < 0.03)
    #expect(abs(quantile(velocities, 0.995) - 3.256) < 0.35)
  }

  @Test func correlationFollowsTheMixture() {
    var model = ReceptionModel.usual(in: .canyon)
    model.jumpsPerMinute = 0
    let lags = [10, 50, 100, 200]  // of 0.1 s
    var products = lags.map { _ in Statistics() }
    for seed in 1...40 {
      var errors = PositionErrorSimulator(seed: UInt64(seed))
      let values = (0..<6000).map { _ in errors.advance(distance: 1, seconds: 0.1, model) }
      for (i, lag) in lags.enumerated() {
        for (a, b) in zip(values, values.dropFirst(lag)) { products[i].add(a.x * b.x + a.y * b.y) }
      }
    }
    for (lag, product) in zip(lags, products) {
      let t = Double(lag) / 10
      let expected = 0.25 * exp(-t / 3) + 0.6 * exp(-t / 15)
      #expect(abs(product.mean / 2 / 144 - expected) < 0.06, "lag \(t) s")
    }
  }

  @Test func correlatedErrorsStandStillWithTheCar() {
    var errors = PositionErrorSimulator(seed: 3)
    let model = ReceptionModel.usual(in: .canyon)
    for _ in 0..<500 { _ = errors.advance(distance: 1, seconds: 0.1, model) }
    let before = errors.advance(distance: 1, seconds: 0.1, model)
    for _ in 0..<1000 { #expect(errors.advance(distance: 0, seconds: 0.1, model) == before) }
    // Nor does it go back: a car rolls back by millimetres as it stops.
    #expect(errors.advance(distance: -0.004, seconds: 0.1, model) == before)
    #expect(errors.advance(distance: 1, seconds: 0.1, model) != before)
  }

  @Test func atALightOnlyTheWhitePartMoves() {
    var scenario = road(.canyon, kilometres: 1)
    scenario.road.append(RoadElement(.stop(seconds: 400), speed: 10, environment: .canyon))
    var differences = Statistics()
    for seed in 1...5 {
      let standing = observations(scenario, seed: UInt64(seed)).filter {
        $0.fix.time.seconds > 150 && $0.state.speed == 0
      }
      for (a, b) in zip(standing, standing.dropFirst()) {
        differences.add(b.error.x - a.error.x)
        differences.add(b.error.y - a.error.y)
      }
      let courses = Set(standing.compactMap { $0.fix.velocityNED.map { ($0.y / $0.x * 1e9).rounded() } })
      #expect(courses.count == 1, "the course must be frozen")
    }
    #expect(differences.count > 5000)
    #expect(abs(differences.rms / (12 * (2 * 0.15).squareRoot()) - 1) < 0.05)
  }

  @Test func fixesArriveLateAndInOrder() {
    var scenario = Scenario.town
    scenario.receiver = ReceiverModel(preset: .phone)
    var last = Timestamp(nanoseconds: .min)
    var delays = Statistics()
    for sample in Simulator(scenario: scenario, seed: 2).run().samples {
      #expect(sample.arrival >= last && sample.arrival >= sample.time)
      last = sample.arrival
      if case .gnss(let fix) = sample, let received = fix.received {
        let delay = received.seconds(since: fix.time)
        #expect((0.15 - 1e-9...0.22 + 1e-9).contains(delay))
        delays.add(delay)
      }
    }
    #expect(delays.count > 150 && abs(delays.mean - 0.185) < 0.006)
  }

  @Test func lagOfValidityShowsAlongTheTrack() {
    var scenario = road(.open, kilometres: 1)
    scenario.receiver = ReceiverModel(preset: .white)
    scenario.receiver.uniform = .white(horizontal: 0, vertical: 0, velocity: 0)
    scenario.receiver.validityLag = 0.06
    scenario.vehicle = .rigid
    var checked = 0
    for observation in observations(scenario, seed: 1)
    where (100...900).contains(observation.state.distance) {
      let along = observation.error.dot(observation.state.velocityNED) / 10
      #expect(abs(along + 0.6) < 1e-6)
      checked += 1
    }
    #expect(checked >= 80)
  }

  @Test func canyonsHaveOutagesOfTheStatedLength() {
    var lengths: [Double] = []
    for seed in 1...30 {
      let times = observations(road(.canyon, kilometres: 10), seed: UInt64(seed)).map(\.fix.time.seconds)
      for (a, b) in zip(times, times.dropFirst()) where b - a > 0.3 { lengths.append(b - a) }
    }
    // About 15 in every drive; gaps under 0.2 s are not seen and some outages overlap, which
    // shifts the median a little.
    #expect(lengths.count > 200)
    #expect((6.5...11).contains(lengths.sorted()[lengths.count / 2]))
  }

  @Test func tunnelsAreDarkButForAnExtrapolationAtTheEntry() {
    var scenario = road(.open, kilometres: 1)
    scenario.road += [
      RoadElement(.turn(angle: .pi / 2, radius: 60), speed: 10, environment: .tunnel),
      RoadElement(.straight(length: 600), speed: 10, environment: .tunnel),
      RoadElement(.straight(length: 300), speed: 10, environment: .open),
    ]
    for seed in 1...5 {
      var (inside, after) = (0, 0)
      var entry: Timestamp?
      for observation in observations(scenario, seed: UInt64(seed)) {
        guard observation.state.distance > 1000 else { continue }
        let distance = observation.state.distance - 1000
        entry = entry ?? observation.fix.time
        if distance < 690 {
          inside += 1
          #expect(observation.fix.time.seconds(since: entry ?? observation.fix.time) <= 10)
          // The receiver goes straight on where the tunnel turns.
          let offCourse = observation.fix.velocityNED.map { abs(Angle.wrapped(atan2($0.y, $0.x) - 1)) }
          #expect((offCourse ?? 1) < 0.05)
        } else if distance > 750 {
          after += 1
        }
      }
      #expect(inside >= 9 && inside <= 51 && after > 50)
    }
  }
}
