import LinearAlgebra
import Navigation

/// What is white from sample to sample of an IMU adds up to a random walk: shaking that a slow one cannot
/// follow, and the noise of an accelerometer that has come loose or breaks.
///
/// Learned from second differences, 6 σ² of what is white: of samples `dt` apart that grows as a density of
/// σ² dt. Those that come fast enough follow the shaking, and its integral stays small: of them only that
/// counts which is beyond any sound car's, and shows alike in single samples and in means of several.
package struct AliasedNoise: Sendable {
  /// Samples closer than this follow the shaking of a car; ones this far apart do not, s. (By 0.03 and 0.09
  /// an IMU of 40 Hz followed all: its P95 after 30 s without fixes was 16.1 m, and is 11.1 m.)
  /// [chosen: a body shakes at up to 25 Hz]
  private static let followed = 0.02, blind = 0.025
  /// Most that samples which follow the shaking of a sound car show of the force, m/s/√s.
  /// [chosen: a third more than is measured on the 21 drives whose IMU follows, up to 0.112]
  private static let sound = 0.15
  /// Samples of a mean. [chosen: of 100 Hz 0.04 s, over which shaking at 25 Hz is nothing]
  private static let several = 4
  /// Samples that are passed over after each run of three means.
  /// [measured: taken all, they cost 2 % of a sample's instructions]
  private static let passedSamples = 36
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
  // Of samples that follow: densities as single ones and means show them, what is averaged, and the samples
  // that are yet to be passed over.
  private var single = 0.0, meaned = 0.0
  private var sum = Vector3.zero, lastMean = Vector3.zero, meanBeforeLast = Vector3.zero
  private var summed = 0, elapsed = 0.0, followedFor = 0.0
  private var passing = 0

  package init() {}

  /// Takes the next sample.
  @inline(__always) package mutating func add(_ sample: InertialSample) {
    let dt = sample.time.seconds(since: lastTime)
    lastTime = sample.time
    if dt > 0, dt <= Self.followed, passing > 0 {
      passing -= 1
    } else if dt > 0, dt < Self.longestGap {
      take(sample, dt: dt)
    } else {
      count = 0
      beginMeans()
    }
  }

  @inline(never) private mutating func take(_ sample: InertialSample, dt: Double) {
    let isSlow = dt > Self.followed
    if isSlow, count >= 2 { learn(sample, last, beforeLast, dt: dt) }
    if dt < Self.blind { follow(sample, dt: dt) } else { beginMeans() }
    (beforeLast, last) = (last, sample)
    // A gap in what comes fast makes nothing slow.
    count = isSlow ? min(count + 1, 2) : 0
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

  /// Takes a sample that follows the shaking.
  private mutating func follow(_ sample: InertialSample, dt: Double) {
    sum += sample.specificForce
    summed += 1
    elapsed += dt
    guard summed.isMultiple(of: Self.several) else { return }
    let mean = sum * (1 / Double(Self.several))
    if summed == 3 * Self.several {
      let force = sample.specificForce - last.specificForce * 2 + beforeLast.specificForce
      learn(single: force, means: mean - lastMean * 2 + meanBeforeLast, dt: elapsed / Double(summed))
      beginMeans()
      passing = Self.passedSamples
    } else {
      (meanBeforeLast, lastMean, sum) = (lastMean, mean, .zero)
    }
  }

  /// Takes second differences of single samples `dt` apart, and of means.
  private mutating func learn(single force: Vector3, means: Vector3, dt: Double) {
    let spoken = dt * Double(3 * Self.several + Self.passedSamples)
    followedFor = min(followedFor + spoken, Self.memory)
    let gain = spoken / followedFor
    single += (force.squaredNorm * (dt / 18) - single) * gain
    meaned += (means.squaredNorm * (dt * Double(Self.several) / 18) - meaned) * gain
  }

  private mutating func beginMeans() { (sum, summed, elapsed, passing) = (.zero, 0, 0, 0) }

  /// Adds it to the noise of an IMU whose axis `down` points along gravity.
  @inline(__always) func add(to noise: inout ProcessNoise, down: Vector3) {
    (noise.aliasedGyro, noise.aliasedAccel) = densities(down: down)
  }

  /// Densities of the angle in NED, rad²/s, and of the velocity, (m/s)²/s, of such an IMU.
  @inline(__always) func densities(down: Vector3) -> (gyro: Vector3, accel: Double) {
    let vertical = turning(down: down)
    let horizontal = max(0, gyro.x + gyro.y + gyro.z - vertical) / 2
    return (Vector3(horizontal, horizontal, vertical), pushing)
  }

  /// Density of the angle about gravity, rad²/s.
  @inline(__always) package func turning(down: Vector3) -> Double { gyro.dot(down.scaled(by: down)) }

  /// Density of the velocity along each axis, (m/s)²/s.
  @inline(__always) package var pushing: Double {
    max(accel, min(single, meaned) - Self.sound * Self.sound)
  }
}

extension InertialSample {
  fileprivate static let none = InertialSample(
    time: Timestamp(nanoseconds: 0), angularRate: .zero, specificForce: .zero)
}
