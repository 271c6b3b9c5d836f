import Fusion
import LinearAlgebra
import Navigation

/// A drive made in memory: minutes of standing, pulling away, cruising through curves and braking, on a level
/// plane that does not turn. Good for the cost of every path of the engine, not for its accuracy.
struct SyntheticDrive {
  /// IMU samples a second.
  static let inertialRate = 100
  /// GNSS fixes a second.
  static let fixRate = 5

  /// In order of arrival.
  let samples: [SensorSample]
  /// Length in seconds.
  let duration: Int

  /// The same drive for the same `duration` in whole seconds; every fix arrives `lateness` seconds after its time.
  init(duration: Int, lateness: Double = 0) {
    let step = 1 / Double(Self.inertialRate)
    var noise = Noise(seed: 1)
    var position = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)
    var heading = 0.5
    var samples = [SensorSample]()
    for tick in 1...(duration * Self.inertialRate) {
      let now = Double(tick) * step
      let motion = Motion(at: now - step / 2)
      heading += motion.yawRate * step
      let velocity = Quaternion(roll: 0, pitch: 0, yaw: heading) * Vector3(motion.speed, 0, 0)
      position = position.moved(byNED: velocity * step)
      samples.append(.inertial(motion.inertial(at: Timestamp(seconds: now), noise: &noise)))
      if tick % (Self.inertialRate / Self.fixRate) == 0 {
        var fix = GNSSFix(
          time: Timestamp(seconds: now), received: Timestamp(seconds: now + lateness),
          position: position.moved(byNED: noise.vector(sigma: 1)),
          positionSigma: Vector3(repeating: 1),
          velocityNED: velocity + noise.vector(sigma: 0.1))
        fix.speedSigma = 0.1
        samples.append(.gnss(fix))
      }
    }
    // A sort by arrival that keeps the order of equals.
    self.samples = samples.enumerated()
      .sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }
      .map(\.element)
    self.duration = duration
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
