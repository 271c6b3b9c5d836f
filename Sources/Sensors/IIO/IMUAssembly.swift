import Navigation
import SensorEvents

/// Makes readings of the raw samples of one or two devices: scales them, brings the two together, and keeps
/// back what cannot be believed.
package struct IMUAssembly: Sendable {
  private let rateScale: TriadScale
  private let forceScale: TriadScale
  private let clock: ClockKind
  private var pairing: IMUPairing?
  private var watch: IMUWatch
  /// One that has seen nothing.
  private let freshWatch: IMUWatch
  /// Of the watches before.
  private var earlierSaturations = 0
  /// Newest times of rates and of forces.
  private var newest = (rate: Timestamp?.none, force: Timestamp?.none)

  /// Gyroscope and accelerometer with times by `clock`, on one device or on two.
  package init(
    gyroscope: DeviceSetup.Sensor, accelerometer: DeviceSetup.Sensor, clock: ClockKind, isOneDevice: Bool
  ) {
    rateScale = gyroscope.scale
    forceScale = accelerometer.scale
    self.clock = clock
    pairing = isOneDevice ? nil : IMUPairing()
    freshWatch = IMUWatch(
      rateLimits: gyroscope.channels.map(\.format.limits),
      forceLimits: accelerometer.channels.map(\.format.limits),
      rateResolution: rateScale.resolution, forceResolution: forceScale.resolution)
    watch = freshWatch
  }

  /// What is wrong with the samples, for people; nil while they can be believed.
  package var fault: String? { watch.fault }
  /// Samples with a value at the end of its range.
  package var saturations: Int { earlierSaturations + watch.saturations }

  /// Takes a sample of both at `time`; gives the reading, if it can be believed.
  package mutating func take(rate: RawTriad, force: RawTriad, at time: Timestamp) -> InertialReading? {
    follow(to: time, from: newest.rate)
    newest.rate = time
    watch.add(rate: rate, at: time.seconds)
    watch.add(force: force, at: time.seconds)
    guard watch.fault == nil else { return nil }
    let (rate, force) = (rateScale.vector(rate), forceScale.vector(force))
    guard rate.isFinite, force.isFinite else { return nil }
    return InertialReading(time: time, clock: clock, angularRate: rate, specificForce: force)
  }

  /// Takes a sample of the gyroscope alone.
  package mutating func take(rate: RawTriad, at time: Timestamp) {
    follow(to: time, from: newest.rate)
    newest.rate = time
    watch.add(rate: rate, at: time.seconds)
    pairing?.add(rate: .init(time: time, value: rateScale.vector(rate)))
  }

  /// Takes a sample of the accelerometer alone.
  package mutating func take(force: RawTriad, at time: Timestamp) {
    follow(to: time, from: newest.force)
    newest.force = time
    watch.add(force: force, at: time.seconds)
    pairing?.add(force: .init(time: time, value: forceScale.vector(force)))
  }

  /// What waits, and how long an axis has not moved, is of no use where a clock was set, nor after a gap.
  private mutating func follow(to time: Timestamp, from last: Timestamp?) {
    let elapsed = last.map { time.seconds(since: $0) } ?? 0
    guard elapsed < 0 || elapsed > SampleSequence.largestMismatch else { return }
    earlierSaturations += watch.saturations
    watch = freshWatch
    pairing?.reset()
  }

  /// The readings whose two halves are there, and how many rates never got a force.
  package mutating func drain() -> (readings: [InertialReading], lost: Int) {
    var readings: [InertialReading] = []
    let isBelieved = watch.fault == nil
    let clock = clock
    let lost =
      pairing?.drain { time, rate, force in
        guard isBelieved, rate.isFinite, force.isFinite else { return }
        readings.append(
          InertialReading(time: time, clock: clock, angularRate: rate, specificForce: force))
      } ?? 0
    return (readings, lost)
  }
}
