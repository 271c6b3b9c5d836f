import Fusion
import Simulation

/// A drive through a town, something done to the car, and a drive on.
struct CarriedRide {
  let ride: Ride
  /// When it begins and ends, s.
  let from: Double
  let to: Double

  /// What came of it.
  struct Outcome {
    var before: Calibration?
    var after: Calibration?
    /// Largest error of position in m and of heading in degrees meanwhile, and heading at its end.
    var position = 0.0
    var heading = 0.0
    var lastHeading = 0.0
    /// Heading a minute later, degrees, or at the end.
    var laterHeading = 0.0
    /// Share of the time in the mode `carried`.
    var carried = 0.0
    /// Share of the time with the truth inside the 95 % radius.
    var covered = 0.0
    /// By how much the height is wrong at the end, m.
    var height = 0.0
    var reasons: Set<CarriedReason> = []

    /// Change of the mounting, degrees.
    var mountingChange: Double {
      guard let a = before?.vehicleFromBody, let b = after?.vehicleFromBody else { return .infinity }
      return Angle.degrees(radians: (a * b.inverse).rotationVector.norm)
    }
    /// Change of the gyroscope bias, degrees per second.
    var biasChange: Double {
      guard let a = before?.gyroBias.value, let b = after?.gyroBias.value else { return .infinity }
      return Angle.degrees(radians: (a - b).norm)
    }
    var odometerChange: Double {
      abs((after?.odometerScale.value ?? .infinity) - (before?.odometerScale.value ?? 0))
    }
    var axleChange: Double {
      abs((after?.axleDistance.value ?? .infinity) - (before?.axleDistance.value ?? 0))
    }
  }

  init(_ event: [RoadElement], hasWheel: Bool, seed: UInt64 = 1001) {
    var scenario = Scenario(name: "carried", start: Scenario.town.start, heading: 0.7, road: [])
    scenario.imu = IMUModel(part: .lsm6dso)
    scenario.imu.vehicleFromIMU = Quaternion(roll: 0.05, pitch: 0.2, yaw: -1.3)
    if hasWheel { scenario.wheel = WheelModel() }
    let lap = [
      RoadElement(.straight(length: 300), speed: 14),
      RoadElement(.turn(angle: .pi / 2, radius: 12), speed: 14),
      RoadElement(.straight(length: 200), speed: 14),
      RoadElement(.turn(angle: -.pi / 2, radius: 15), speed: 14),
      RoadElement(.stop(seconds: 8), speed: 14), RoadElement(.straight(length: 400), speed: 20),
      RoadElement(.turn(angle: .pi / 2, radius: 20), speed: 14), RoadElement(.stop(seconds: 5), speed: 14),
    ]
    let lead = [RoadElement(.stop(seconds: 12), speed: 14)] + lap + lap
    scenario.road = lead
    from = Simulator(scenario: scenario, seed: seed).track.duration
    scenario.road += event
    to = Simulator(scenario: scenario, seed: seed).track.duration
    scenario.road += [RoadElement(.stop(seconds: 4), speed: 14)] + lap
    ride = Ride(scenario, seed: seed)
  }

  /// Plays it, asking the engine ten times a second.
  func outcome() -> Outcome {
    var outcome = Outcome()
    var engine = FusionEngine(configuration: FusionConfiguration())
    var (asked, carried, covered) = (0.0, 0.0, 0.0)
    var next = 0.0
    for sample in ride.samples {
      engine.process(sample)
      while let verdict = engine.nextVerdict() {
        if case .carried(let reason) = verdict.outcome, verdict.time.seconds < to {
          outcome.reasons.insert(reason)
        }
      }
      let now = sample.time.seconds
      guard case .inertial = sample, now >= next, let solution = engine.solution(at: sample.time) else {
        continue
      }
      next = now + 0.1
      if now < from { outcome.before = engine.calibration }
      if now >= from, now < to {
        asked += 1
        outcome.position = max(outcome.position, ride.positionError(solution))
        outcome.lastHeading = ride.headingError(solution)
        outcome.heading = max(outcome.heading, outcome.lastHeading)
        outcome.height = abs(
          solution.position.height
            - ride.truth(at: sample.time).position(at: ride.scenario.imu.position).height)
        if solution.mode == .carried { carried += 1 }
        if ride.positionError(solution) < solution.horizontalAccuracy95 { covered += 1 }
        outcome.after = engine.calibration
      }
      if now >= to, now < to + 60 { outcome.laterHeading = ride.headingError(solution) }
    }
    outcome.carried = carried / asked
    outcome.covered = covered / asked
    return outcome
  }
}
