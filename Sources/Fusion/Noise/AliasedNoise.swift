import LinearAlgebra
import Navigation

/// What is white from sample to sample of an IMU adds up to a random walk: shaking that a slow one cannot
/// follow, and the noise of an accelerometer that has come loose or breaks.
///
/// Learned from second differences, 6 σ² of what is white: of samples `dt` apart that grows as a density of
/// σ² dt. Those that come fast enough follow the shaking, and its integral stays small: of them only that
/// counts which is beyond any sound car's, and shows alike in single samples and in means of several.
///
/// Gyroscope and accelerometer each for itself: one that is slower than the stream repeats its values to the
/// last digit, as where a driver is polled faster than it measures, and `dt` is the time between changes.
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

  private var rate = Sensor(), force = Sensor()
  private var lastTime = Timestamp(nanoseconds: .min / 2)
  private var last = InertialSample.none, beforeLast = InertialSample.none
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
    rate.add(sample.angularRate, at: sample.time)
    force.add(sample.specificForce, at: sample.time)
    if dt > 0, dt <= Self.followed, passing > 0 {
      passing -= 1
    } else if dt > 0, dt < Self.longestGap {
      take(sample, dt: dt)
    } else {
      beginMeans()
    }
  }

  @inline(never) private mutating func take(_ sample: InertialSample, dt: Double) {
    if dt < Self.blind { follow(sample, dt: dt) } else { beginMeans() }
    (beforeLast, last) = (last, sample)
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
    let horizontal = max(0, rate.sum - vertical) / 2
    return (Vector3(horizontal, horizontal, vertical), pushing)
  }

  /// Density of the angle about gravity, rad²/s.
  @inline(__always) package func turning(down: Vector3) -> Double { rate.density.dot(down.scaled(by: down)) }

  /// Density of the velocity along each axis, (m/s)²/s.
  @inline(__always) package var pushing: Double {
    max(force.sum / 3, min(single, meaned) - Self.sound * Self.sound)
  }
}

extension AliasedNoise {
  /// What is white of one sensor whose samples come too far apart to follow the shaking.
  private struct Sensor {
    /// Density of its integral along each body axis, of its own unit squared times seconds.
    private(set) var density = Vector3.zero
    private var last = Vector3.zero, beforeLast = Vector3.zero
    private var time = Timestamp(nanoseconds: .min / 2)
    private var count = 0
    private var heardFor = 0.0

    /// Densities of the axes together.
    @inline(__always) var sum: Double { density.x + density.y + density.z }

    /// Takes the next sample: one that is equal to the last on all axes is that one, held.
    @inline(__always) mutating func add(_ value: Vector3, at time: Timestamp) {
      guard value != last else { return }
      let dt = time.seconds(since: self.time)
      if dt > AliasedNoise.followed, dt < AliasedNoise.longestGap {
        if count >= 2 { learn(value, dt: dt) }
        count = min(count + 1, 2)
        beforeLast = last
      } else {
        // A gap in what comes fast makes nothing slow.
        count = 0
      }
      (last, self.time) = (value, time)
    }

    @inline(never) private mutating func learn(_ value: Vector3, dt: Double) {
      heardFor = min(heardFor + dt, AliasedNoise.memory)
      let share = min(1, (dt - AliasedNoise.followed) / (AliasedNoise.blind - AliasedNoise.followed))
      let change = value - last * 2 + beforeLast
      density += (change.scaled(by: change) * (share * dt / 6) - density) * (dt / heardFor)
    }
  }
}

extension InertialSample {
  fileprivate static let none = InertialSample(
    time: Timestamp(nanoseconds: 0), angularRate: .zero, specificForce: .zero)
}
