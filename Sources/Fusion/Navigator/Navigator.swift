import CLibrary
import LinearAlgebra
import Navigation

/// Navigation once heading is known: strapdown, fixes, wheels and standstill, each at its time.
package struct Navigator<Recorder: StepRecorder>: Sendable {
  // First, because a snapshot does without.
  let settings: FusionConfiguration
  package var filter: ErrorStateFilter<Recorder>
  package var receiver: ReceiverModel
  var noise: ProcessNoise
  var time: Timestamp
  /// Level and turning rates of a car without an IMU stand in for one.
  let isOdometry: Bool
  var mounting = MountingKnowledge()
  var rest = RestKnowledge()
  var inertial = InertialRecord()
  var fixes: FixRecord
  var wheels: WheelRecord
  var carriage = CarriageWatch()
  package internal(set) var barometer = Barometer()
  /// Which place the fixes speak for.
  package internal(set) var hypotheses = PositionHypotheses()
  var witness = Witness()

  package init(
    filter: ErrorStateFilter<Recorder>, receiver: ReceiverModel, settings: FusionConfiguration,
    time: Timestamp,
    isOdometry: Bool
  ) {
    self.filter = filter
    self.receiver = receiver
    self.settings = settings
    self.time = time
    self.isOdometry = isOdometry
    noise = isOdometry ? settings.odometryNoise : settings.processNoise
    fixes = FixRecord(since: time)
    wheels = WheelRecord(since: time)
    if !isOdometry {
      inertial.tiltNoise.apply(to: &noise, base: settings.processNoise)
      noise.verticalAccelBias = inertial.verticalBias.walk
    }
    mounting.isKnown = isOdometry
  }

  /// A navigator that waits for a start, somewhere.
  init(idle settings: FusionConfiguration) {
    let nowhere = GeodeticPosition(latitude: 0, longitude: 0, height: 0)
    self.init(
      filter: ErrorStateFilter(
        state: NavigationState(position: nowhere, velocity: .zero, navFromBody: .identity),
        covariance: ErrorCovariance()),
      receiver: ReceiverModel(), settings: settings, time: Timestamp(nanoseconds: 0), isOdometry: false)
  }

  /// Whether estimate and covariance are still numbers that can be.
  @inline(__always) var isSound: Bool {
    let p = filter.covariance[StateBlock.position, StateBlock.position].diagonal
    return filter.state.isFinite && p.isFinite && min(p.x, p.y, p.z) >= 0
  }

  /// Whether the fixes contradict this navigator for so long that another may know better.
  var isDoubtful: Bool {
    witness.agreement < settings.challenge.leastAgreement
      || receiver.velocityScale > settings.challenge.largestVelocityScale
  }

  func isDisabled(_ model: FusionModel) -> Bool { settings.disabled.contains(model) }

  /// Moves on to `end`, over which the measured rate and force go linearly from one sample to the next.
  mutating func propagate(to end: Timestamp, from a: InertialSample, to b: InertialSample) {
    let dt = end.seconds(since: time)
    guard dt > 0 else { return }
    let start = filter.state.corrected(a)
    let finish = filter.state.corrected(b)
    let velocity = filter.state.velocity
    let place = filter.state.position
    filter.propagate(
      from: start, to: finish, dt: dt, noise: &noise, interval: settings.covarianceInterval)
    // What is left of velocity at rest is noise, and would add up: 1 cm/s to 6 m in ten minutes.
    if rest.isStanding { filter.hold(at: place) }
    inertial.speedChange += filter.state.velocity.norm - velocity.norm
    inertial.velocityChange += filter.state.velocity - velocity
    time = end
    record()
  }

  /// Moves on to `end` over a gap between the IMU's samples, across which rate and force
  /// are taken to go linearly.
  mutating func bridge(
    to end: Timestamp, from a: InertialSample, to b: InertialSample,
    noise: (attitude: Vector3, velocity: Vector3)
  ) {
    let (begin, total) = (time, end.seconds(since: time))
    guard total > 0 else { return }
    let steps = (total / Self.bridgingStep).rounded(.up)
    var from = a
    for step in 1...Int(steps) {
      let part = Double(step) / steps
      let to = InertialSample(
        time: begin.advanced(bySeconds: total * part),
        angularRate: a.angularRate + (b.angularRate - a.angularRate) * part,
        specificForce: a.specificForce + (b.specificForce - a.specificForce) * part)
      propagate(to: step == Int(steps) ? end : to.time, from: from, to: to)
      from = to
    }
    fixes.interruptLeaps()
    filter.inflate(StateBlock.attitude, variances: noise.attitude)
    filter.inflate(StateBlock.velocity, variances: noise.velocity)
  }

  /// Longest step of a bridge, s. [chosen]
  private static var bridgingStep: Double { 0.05 }

  /// Goes on to `end` without an IMU: straight ahead, ever slower, and less and less sure of it.
  mutating func coast(to end: Timestamp) {
    fixes.interruptLeaps()
    rest.isStanding = false
    rest.detector = StillnessDetector()
    var rest = end.seconds(since: time)
    let step = max(0.1, rest / 100)
    let fading = settings.coastingNoise.fading
    while rest > 1e-9 {
      let dt = min(rest, step)
      filter.coast(dt: dt, fade: exp(-dt / fading), noise: settings.coastingNoise)
      rest -= dt
      time = end.advanced(bySeconds: -rest)
      record()
    }
    time = end
  }

  /// Records the estimate, if it is to be recorded now.
  @inline(__always) mutating func record() {
    guard filter.recorder.wantsPoint(at: time) else { return }
    filter.settle()
    filter.recorder.add(recordedPoint)
  }

  /// Yaw of the body's flattest axis, and the variance of the rotation about down.
  @inline(__always) var levelYaw: Double {
    let axis = abs(filter.state.verticalAxis.x) < 0.8 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
    let ahead = filter.state.navFromBody * axis
    return atan2(ahead.y, ahead.x)
  }
  @inline(__always) var levelYawVariance: Double {
    filter.covariance[StateBlock.attitude, StateBlock.attitude].z.z
  }
}
