import Drives
import Navigation

/// Makes the drive of a scenario and a seed: the same two give the same drive, bit for bit on one platform.
///
/// Platforms may differ in the last bit of sine, exponential and logarithm.
public struct Simulator: Sendable {
  /// What is driven.
  public let scenario: Scenario
  /// What all random numbers come from.
  public let seed: UInt64

  /// A simulator; without a seed it takes the scenario's own.
  public init(scenario: Scenario, seed: UInt64? = nil) {
    self.scenario = scenario
    self.seed = seed ?? scenario.seed
  }

  /// The true motion, at any time.
  public var track: TruthTrack {
    let road = Road(elements: scenario.road, heading: scenario.heading, driver: scenario.driver)
    var random = RandomSource(seed: seed, stream: "driver")
    let plan = SpeedPlan(road: road, driver: scenario.driver, random: &random)
    return TruthTrack(start: scenario.start, road: road, plan: plan, vehicle: scenario.vehicle)
  }

  /// The whole drive.
  public func run() -> SimulatedDrive {
    let track = track
    var inertial = InertialSimulator(scenario.imu, track: track, seed: seed)
    var receiver = ReceiverSimulator(scenario.receiver, track: track, seed: seed)
    var samples: [SensorSample] = inertial.run().map { .inertial($0) }
    if let model = scenario.wheel {
      var wheel = WheelSimulator(model, track: track, seed: seed)
      samples = Self.merged(samples, wheel.run().map { .wheel($0) })
    }
    if let model = scenario.barometer {
      var barometer = BarometerSimulator(model, at: scenario.imu.position, track: track, seed: seed)
      samples = Self.merged(samples, barometer.run().map { .pressure($0) })
    }
    let fixes = receiver.run()
    samples = Self.merged(samples, fixes.map { .gnss($0) })
    var sky = SkySimulator(track: track, seed: seed)
    return SimulatedDrive(
      description: description, samples: samples, truth: truth(track),
      sky: sky.run(beside: fixes, rate: scenario.receiver.rate))
  }

  /// Times from 0 to `duration`, `rate` of them a second.
  static func times(rate: Double, duration: Double) -> some Sequence<Timestamp> {
    (0...Int((duration * rate).rounded(.down))).lazy.map { Timestamp(seconds: Double($0) / rate) }
  }

  /// Two lists in order of arrival as one; of those that arrive at once, the first list's comes first.
  private static func merged(_ a: [SensorSample], _ b: [SensorSample]) -> [SensorSample] {
    var result: [SensorSample] = []
    result.reserveCapacity(a.count + b.count)
    var i = 0
    for sample in b {
      while i < a.count, a[i].arrival <= sample.arrival {
        result.append(a[i])
        i += 1
      }
      result.append(sample)
    }
    return result + a[i...]
  }

  private func truth(_ track: TruthTrack) -> [TruthSample] {
    var track = track
    let antenna = scenario.receiver.antenna
    return Self.times(rate: 10, duration: track.duration).map { time in
      let state = track.state(at: time)
      return TruthSample(
        time: time, position: state.position(at: antenna), velocityNED: state.velocityNED(at: antenna),
        roll: state.navFromVehicle.roll, pitch: state.navFromVehicle.pitch,
        yaw: Angle.positive(state.navFromVehicle.yaw))
    }
  }

  private static func roundedToMicrometres(_ v: Vector3) -> Vector3 {
    func rounded(_ x: Double) -> Double { (x * 1e6).rounded() / 1e6 }
    return Vector3(rounded(v.x), rounded(v.y), rounded(v.z))
  }

  private var description: DriveDescription {
    var description = DriveDescription(name: scenario.name, kind: .simulated)
    let receiver = scenario.receiver
    description.place = "nowhere: a made-up road"
    description.source = "reckon simulate, scenario \(scenario.name), seed \(seed)"
    description.licence = "the same as this project's"
    description.redistributable = true
    description.imu = DriveDescription.IMU(
      model: "\(scenario.imu.part.rawValue), simulated", rateHz: scenario.imu.rate,
      frame: "FRD of the IMU's own; the mounting has to be found by the engine")
    description.antennaLeverArm = Self.roundedToMicrometres(receiver.antenna - scenario.imu.position)
    description.gnss =
      "\(receiver.preset.rawValue), simulated, \(receiver.rate) Hz, "
      + (receiver.hasVelocity ? "with velocity, " : "no velocity, ")
      + "stated accuracy \(receiver.statedAccuracy.rawValue)"
    description.wheel = scenario.wheel.map { "simulated, \($0.rate) Hz" }
    description.barometer = scenario.barometer.map { "simulated, \($0.rate) Hz" }
    description.truth = DriveDescription.Truth(
      reference: "antenna", horizontalSigmaMetres: 0, yaw: "exact", independentOfGNSS: true)
    if !scenario.summary.isEmpty { description.notes.append(scenario.summary) }
    description.notes.append(
      "roll, pitch and yaw in truth.csv are those of the vehicle (forward, right, down), not of the IMU")
    return description
  }
}
