import LinearAlgebra
import Navigation

/// What a slow IMU makes of shaking: single samples of a rate that changes faster than they come
/// add up to a random walk.
///
/// Learned from second differences, 6 σ² of what is white from sample to sample: of samples `dt`
/// apart that grows as a density of σ² dt. Those that come fast enough follow the shaking, and
/// its integral stays small.
package struct AliasedNoise: Sendable {
  /// Samples closer than this follow the shaking of a car; ones this far apart do not, s. (By 0.03 and 0.09
  /// an IMU of 40 Hz followed all: its P95 after 30 s without fixes was 16.1 m, and is 11.1 m.)
  /// [chosen: a body shakes at up to 25 Hz]
  private static let followed = 0.02, blind = 0.025
  /// Time over which it is averaged, s: a pothole, and what follows it.
  /// [measured on 25 drives: P95 after 30 s without fixes is 0.7 % larger with 0.5]
  private static let memory = 3.0
  /// Longest time between two samples, s. [chosen]
  private static let longestGap = 0.5

  /// Densities of the angle about each body axis, rad²/s, and of the velocity along one, (m/s)²/s.
  private var gyro = Vector3.zero, accel = 0.0
  private var lastTime = Timestamp(nanoseconds: .min / 2)
  private var last = InertialSample.none, beforeLast = InertialSample.none
  private var count = 0
  private var heardFor = 0.0

  package init() {}

  /// Takes the next sample.
  @inline(__always) package mutating func add(_ sample: InertialSample) {
    let dt = sample.time.seconds(since: lastTime)
    lastTime = sample.time
    if dt > Self.followed, dt < Self.longestGap { take(sample, dt: dt) } else { count = 0 }
  }

  @inline(never) private mutating func take(_ sample: InertialSample, dt: Double) {
    if count >= 2 { learn(sample, last, beforeLast, dt: dt) }
    (beforeLast, last) = (last, sample)
    count = min(count + 1, 2)
  }

  private mutating func learn(
    _ a: InertialSample, _ b: InertialSample, _ c: InertialSample, dt: Double
  ) {
    heardFor = min(heardFor + dt, Self.memory)
    let gain = dt / heardFor
    let share = min(1, (dt - Self.followed) / (Self.blind - Self.followed))
    let rate = a.angularRate - b.angularRate * 2 + c.angularRate
    let force = a.specificForce - b.specificForce * 2 + c.specificForce
    gyro += (rate.scaled(by: rate) * (share * dt / 6) - gyro) * gain
    accel += (force.squaredNorm * (share * dt / 18) - accel) * gain
  }

  /// Adds it to the noise of an IMU whose axis `down` points along gravity.
  @inline(__always) func add(to noise: inout ProcessNoise, down: Vector3) {
    (noise.aliasedGyro, noise.aliasedAccel) = densities(down: down)
  }

  /// Densities of the angle in NED, rad²/s, and of the velocity, (m/s)²/s, of such an IMU.
  @inline(__always) func densities(down: Vector3) -> (gyro: Vector3, accel: Double) {
    let vertical = turning(down: down)
    let horizontal = max(0, gyro.x + gyro.y + gyro.z - vertical) / 2
    return (Vector3(horizontal, horizontal, vertical), accel)
  }

  /// Density of the angle about gravity, rad²/s.
  @inline(__always) package func turning(down: Vector3) -> Double { gyro.dot(down.scaled(by: down)) }
}

extension InertialSample {
  fileprivate static let none = InertialSample(
    time: Timestamp(nanoseconds: 0), angularRate: .zero, specificForce: .zero)
}
