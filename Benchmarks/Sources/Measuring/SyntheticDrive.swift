import Fusion

/// A drive made in memory, piece by piece and without end: standing, pulling away, cruising through
/// curves and braking, on a level plane that does not turn. Good for the cost of every path of the
/// engine, not for its accuracy.
package struct SyntheticDrive {
  /// IMU samples, GNSS fixes and wheel speeds a second, the last two dividing the
  /// first; 0 leaves a sensor out.
  package struct Rates: Sendable {
    package var inertial = 100
    package var fix = 5
    package var wheel = 0

    package init(inertial: Int = 100, fix: Int = 5, wheel: Int = 0) {
      (self.inertial, self.fix, self.wheel) = (inertial, fix, wheel)
    }
  }

  private let rates: Rates
  /// Seconds from a fix's time to its arrival.
  private let lateness: Double
  /// Turns every IMU sample from now on: somebody has moved the IMU.
  package var turn: Quaternion?
  private var noise = Noise(seed: 1)
  private var position = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)
  private var heading = 0.5
  private var tick = 0
  /// Fixes that have not arrived yet, in order of arrival.
  private var pending: [SensorSample] = []

  package init(_ rates: Rates = Rates(), lateness: Double = 0) {
    self.rates = rates
    self.lateness = lateness
  }

  /// The next `seconds` of samples in order of arrival.
  package mutating func samples(seconds: Int) -> [SensorSample] {
    var samples = [SensorSample]()
    samples.reserveCapacity(seconds * (rates.inertial + rates.fix + rates.wheel))
    for _ in 0..<(seconds * rates.inertial) { step(&samples) }
    return samples
  }

  private mutating func step(_ samples: inout [SensorSample]) {
    tick += 1
    let step = 1 / Double(rates.inertial)
    let now = Double(tick) * step
    let time = Timestamp(seconds: now)
    let motion = Motion(at: now - step / 2)
    heading += motion.yawRate * step
    let velocity = Quaternion(roll: 0, pitch: 0, yaw: heading) * Vector3(motion.speed, 0, 0)
    position = position.moved(byNED: velocity * step)
    var inertial = motion.inertial(at: time, noise: &noise)
    if let turn {
      inertial.angularRate = turn * inertial.angularRate
      inertial.specificForce = turn * inertial.specificForce
    }
    samples.append(.inertial(inertial))
    if isDue(rates.wheel) {
      samples.append(.wheel(WheelSample(time: time, speed: motion.speed + noise.vector(sigma: 0.02).x)))
    }
    if isDue(rates.fix) { pending.append(.gnss(fix(at: now, velocity))) }
    while let first = pending.first, first.arrival <= time { samples.append(pending.removeFirst()) }
  }

  private func isDue(_ rate: Int) -> Bool { rate > 0 && tick % (rates.inertial / rate) == 0 }

  private mutating func fix(at now: Double, _ velocity: Vector3) -> GNSSFix {
    var fix = GNSSFix(
      time: Timestamp(seconds: now), received: Timestamp(seconds: now + lateness),
      position: position.moved(byNED: noise.vector(sigma: 1)), positionSigma: Vector3(repeating: 1),
      velocityNED: velocity + noise.vector(sigma: 0.1))
    fix.speedSigma = 0.1
    return fix
  }
}

/// One minute, over and over: 15 s at rest, 10 s of pulling away, 25 s of cruise in curves, 10 s of braking.
private struct Motion {
  /// Forward, m/s.
  let speed: Double
  /// Forward, m/s².
  let acceleration: Double
  /// To the right, rad/s.
  let yawRate: Double

  static let cruise = 14.0

  init(at time: Double) {
    let phase = time.truncatingRemainder(dividingBy: 60)
    (speed, acceleration) =
      switch phase {
      case ..<15: (0, 0)
      case ..<25: (Self.cruise * (phase - 15) / 10, Self.cruise / 10)
      case ..<50: (Self.cruise, 0)
      default: (Self.cruise * (60 - phase) / 10, -Self.cruise / 10)
      }
    // A triangle wave of ±0.2 rad/s: no curve while standing, both ways while driving.
    let wave = abs((time / 12.5).truncatingRemainder(dividingBy: 1) - 0.5) * 4 - 1
    yawRate = 0.2 * wave * speed / Self.cruise
  }

  /// What an IMU with small biases and white noise makes of it, in FRD axes.
  func inertial(at time: Timestamp, noise: inout Noise) -> InertialSample {
    InertialSample(
      time: time,
      angularRate: Vector3(0.002, -0.001, yawRate + 0.003) + noise.vector(sigma: 0.002),
      specificForce: Vector3(acceleration + 0.05, speed * yawRate - 0.03, -9.81) + noise.vector(sigma: 0.03))
  }
}

/// Repeatable white noise: SplitMix64, and the sum of twelve uniform numbers as a near enough normal one.
private struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func vector(sigma: Double) -> Vector3 { Vector3(normal(), normal(), normal()) * sigma }

  private mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }

  private mutating func uniform() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}
