import Fusion
import Simulation

/// One car on two drives with a pause between them: the first to learn on, the second to start again.
struct TwoDrives {
  static let shared = TwoDrives()

  let ride: Ride
  /// What was saved while the car stood.
  let saved: SavedState
  /// From here on the second engine gets samples; the car drives off `rest` seconds later.
  let pause: Timestamp
  let rest: Double
  var end: Timestamp { Timestamp(seconds: ride.duration) }

  private init() {
    var scenario = Ride.short
    scenario.imu.vehicleFromIMU = Quaternion(roll: 0.1, pitch: -0.15, yaw: 0.6)
    let streets = Array(scenario.road.dropFirst())
    scenario.road += [RoadElement(.stop(seconds: 20), speed: 14)] + streets
    ride = Ride(scenario, seed: 3)
    // The long stop in the middle.
    var still: [Double] = []
    for tenth in 100..<Int(ride.duration * 10) {
      let time = Double(tenth) / 10
      let v = ride.truth(at: Timestamp(seconds: time)).velocityNED
      if v.norm < 0.01 { still.append(time) } else if still.count > 100 { break } else { still = [] }
    }
    rest = 8
    pause = Timestamp(seconds: (still.last ?? 0) - rest)
    var engine = FusionEngine()
    for sample in ride.samples where sample.arrival < pause { engine.process(sample) }
    guard let state = engine.savedState else { preconditionFailure("the first drive taught nothing") }
    saved = state
  }

  /// The second drive.
  var second: Ride {
    var second = ride
    second.samples = ride.samples.filter { $0.time >= pause }
    return second
  }
}

extension Ride {
  /// An engine that started from `saved` and has taken all of the samples.
  func played(
    from saved: SavedState?, _ check: (FusionEngine, SensorSample) -> Void = { _, _ in }
  ) -> FusionEngine {
    var engine = FusionEngine(savedState: saved)
    for sample in samples {
      engine.process(sample)
      check(engine, sample)
    }
    return engine
  }

  /// The same ride with the IMU turned in its place.
  func withIMU(turned turn: Quaternion) -> Ride {
    changed { sample in
      guard case .inertial(var s) = sample else { return sample }
      s.angularRate = turn * s.angularRate
      s.specificForce = turn * s.specificForce
      return .inertial(s)
    }
  }

  /// From when on the heading was always known to within 5°.
  func headingRightFrom(saved: SavedState?) -> Double {
    var since: Double?
    _ = played(from: saved) { engine, sample in
      guard case .inertial = sample, let now = engine.solution(at: sample.time) else { return }
      if now.isAligned, headingError(now) < 5 { since = since ?? sample.time.seconds } else { since = nil }
    }
    return since ?? .infinity
  }
}
