import Fusion
import Simulation

/// A simulated drive with its truth, to play to an engine.
struct Ride {
  let scenario: Scenario
  /// In order of arrival.
  var samples: [SensorSample]
  /// The true motion from every whole second on: a track only goes forward.
  private let tracks: [TruthTrack]

  init(_ scenario: Scenario, seed: UInt64 = 1) {
    self.scenario = scenario
    let simulator = Simulator(scenario: scenario, seed: seed)
    samples = simulator.run().samples
    var track = simulator.track
    tracks = (0...Int(track.duration)).map { second in
      _ = track.state(at: Timestamp(seconds: Double(second)))
      return track
    }
  }

  /// About 50 s: three at rest, then two turns at town speed.
  static var short: Scenario {
    var scenario = Scenario.town
    scenario.name = "short"
    scenario.road = [
      RoadElement(.stop(seconds: 3), speed: 14), RoadElement(.straight(length: 120), speed: 14),
      RoadElement(.turn(angle: .pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
      RoadElement(.turn(angle: -.pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
    ]
    return scenario
  }

  /// Twice through the town, with fixes `rate` times a second that err by `sigma` m, each for itself.
  static func sharp(sigma: Double, rate: Double, hasVelocity: Bool) -> Ride {
    var scenario = town(times: 2, sigma: sigma, rate: rate)
    scenario.receiver.hasVelocity = hasVelocity
    return Ride(scenario, seed: 18)
  }

  /// The same three times, with wheels, `wheelRate` times a second where that is given.
  static func wheeled(sigma: Double, rate: Double, wheelRate: Double? = nil, seed: UInt64) -> Ride {
    var scenario = town(times: 3, sigma: sigma, rate: rate)
    scenario.wheel = WheelModel()
    if let wheelRate { scenario.wheel?.rate = wheelRate }
    return Ride(scenario, seed: seed)
  }

  private static func town(times: Int, sigma: Double, rate: Double) -> Scenario {
    var scenario = Scenario.town
    scenario.road = (0..<times).flatMap { _ in scenario.road }
    scenario.receiver = Simulation.ReceiverModel(preset: .white)
    scenario.receiver.rate = rate
    scenario.receiver.uniform = .white(horizontal: sigma, vertical: 2 * sigma, velocity: 0.1)
    return scenario
  }

  var duration: Double { tracks[0].duration }

  func truth(at time: Timestamp) -> VehicleState {
    var track = tracks[max(0, min(tracks.count - 1, Int(time.seconds)))]
    return track.state(at: time)
  }

  /// From the truth at the IMU to a solution, in NED, m.
  func positionOffset(_ solution: NavigationSolution) -> Vector3 {
    solution.position.ned(from: truth(at: solution.time).position(at: scenario.imu.position))
  }

  /// Metres between a solution and the truth at the IMU, horizontally.
  func positionError(_ solution: NavigationSolution) -> Double { positionOffset(solution).horizontalNorm }

  /// Heading less the true one in degrees.
  func headingError(_ solution: NavigationSolution) -> Double {
    let error = Angle.wrapped(solution.heading - truth(at: solution.time).navFromVehicle.yaw)
    return abs(Angle.degrees(radians: error))
  }

  /// Angle between the vehicle's down and the true one in degrees.
  func tiltError(_ solution: NavigationSolution) -> Double {
    let down = Vector3(0, 0, 1)
    let cosine = (solution.navFromVehicle.inverse * down).dot(
      truth(at: solution.time).navFromVehicle.inverse * down)
    return Angle.degrees(radians: (max(0, 1 - cosine) * 2).squareRoot())
  }

  /// An engine that has taken all of the samples.
  func played(_ check: (FusionEngine, SensorSample) -> Void = { _, _ in }) -> FusionEngine {
    var engine = FusionEngine()
    for sample in samples {
      engine.process(sample)
      check(engine, sample)
    }
    return engine
  }

  /// The same ride with each sample changed, or left out.
  func changed(_ change: (SensorSample) -> SensorSample?) -> Ride {
    var ride = self
    ride.samples = samples.compactMap(change)
    return ride
  }

  /// The same ride with each fix changed, or left out.
  func withFixes(_ change: (GNSSFix) -> GNSSFix?) -> Ride {
    changed { sample in
      guard case .gnss(let fix) = sample else { return sample }
      return change(fix).map { .gnss($0) }
    }
  }

  /// The ride with speed and yaw rate ten times a second from the start, and the IMU where `hasIMU` says.
  func withYawRate(_ hasIMU: (Double) -> Bool) -> Ride {
    var ride = changed { sample in
      switch sample {
      case .inertial(let s): hasIMU(s.time.seconds) ? sample : nil
      case .wheel, .pressure: nil
      case .gnss: sample
      }
    }
    for i in 0..<Int(duration * 10) {
      let time = Timestamp(seconds: Double(i) / 10)
      let truth = truth(at: time)
      let speed = (truth.navFromVehicle.inverse * truth.velocityNED).x
      ride.samples.append(
        .wheel(WheelSample(time: time, speed: speed, yawRate: truth.angularRate.z)))
    }
    ride.samples = ride.samples.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
    return ride
  }

  /// The same samples in order of their own time plus a delay each.
  func delayed(_ delay: (SensorSample) -> Double) -> Ride {
    var ride = self
    let keyed = samples.map { ($0, $0.time.advanced(bySeconds: delay($0))) }
    ride.samples = keyed.enumerated().sorted {
      ($0.element.1, $0.offset) < ($1.element.1, $1.offset)
    }.map(\.element.0)
    return ride
  }
}

extension NavigationSolution {
  /// Whether every number is finite, and every covariance positive definite.
  var isSound: Bool {
    positionCovariance.isFinite && velocityCovariance.isFinite && attitudeCovariance.isFinite
      && position.isValid && velocityNED.isFinite && navFromVehicle.vector.isFinite && angularRate.isFinite
      && positionCovariance.cholesky != nil && velocityCovariance.cholesky != nil
      && attitudeCovariance.cholesky != nil
  }
}

extension FusionEngine {
  /// Takes all verdicts that have not been read.
  mutating func allVerdicts() -> [MeasurementVerdict] {
    var verdicts: [MeasurementVerdict] = []
    while let verdict = nextVerdict() { verdicts.append(verdict) }
    return verdicts
  }
}
