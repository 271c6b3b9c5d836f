import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Navigation once heading is known: strapdown, fixes, wheels and standstill, each at its time.
package struct Navigator<Recorder: StepRecorder>: Sendable {
  package var filter: ErrorStateFilter<Recorder>
  package var receiver: ReceiverModel
  package internal(set) var isMountingKnown = false
  package internal(set) var isStandingStill = false
  /// Whether the mounting is that of an earlier drive.
  var isMountingRecalled = false
  /// What an earlier drive knew of the car, until the mounting is known.
  var remembered: RememberedCar?
  let settings: FusionConfiguration
  var noise: ProcessNoise
  var time: Timestamp
  var stillness = StillnessDetector()
  var lastFix: Timestamp
  /// When the newest fix held, used or not.
  var lastHeardFix: Timestamp
  var lastConstraint: Timestamp
  var lastWheel: WheelSample?
  /// Level and turning rates of a car without an IMU stand in for one.
  let isOdometry: Bool
  var backward = DwellTimer()
  /// How fast the body has pitched of late, rad/s.
  var pitching = 0.0
  /// Time of the newest IMU sample, and from the one before to it, s.
  var inertialTime = Timestamp(nanoseconds: .min / 2), inertialInterval = Double.infinity
  /// Sum of what rate and force alone have added to the speed, m/s: it leaps by no correction.
  var inertialSpeedChange = 0.0
  var motion = FixMotion()
  /// Whether the guard moved as this did at the newest fix.
  var movesAsGuard = true
  var shaking = Shaking()
  var tiltNoise = TiltNoise()
  var wheelWatch = WheelWatch()
  var carriage = CarriageWatch()
  /// The receiver's true over stated velocity error when the car last drove.
  var drivenVelocityScale = 1.0
  var standstill = LastStandstill()
  var extrapolation = ExtrapolationCheck()
  var heightDoubt = HeightDoubt()
  package internal(set) var barometer = Barometer()
  /// Which place the fixes speak for.
  package internal(set) var hypotheses = PositionHypotheses()
  /// How often the position was taken anew from fixes that lay far from it.
  var reanchored = 0
  /// Where fix and position were, to compare the ways to the next fix.
  var reckoned = ReckonedStep()
  /// When course and velocity were last taken from the guard.
  var adoptedAt = Timestamp(nanoseconds: .min / 2)
  /// Mean weight of the fixes over about the last ten seconds: low where they and the navigator do not agree.
  var agreement = 1.0
  /// Sum of the logarithms of the innovations' densities: how well this navigator explains what was measured.
  var logLikelihood = 0.0

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
    if !isOdometry { tiltNoise.apply(to: &noise, base: settings.processNoise) }
    lastFix = time
    lastHeardFix = time
    lastConstraint = time
    isMountingKnown = isOdometry
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
    agreement < settings.leastAgreement || receiver.velocityScale > settings.largestVelocityScale
  }

  func isDisabled(_ model: FusionModel) -> Bool { settings.disabled.contains(model) }

  /// Moves on to `end`, over which the measured rate and force go linearly from one sample to the next.
  mutating func propagate(to end: Timestamp, from a: InertialSample, to b: InertialSample) {
    let dt = end.seconds(since: time)
    guard dt > 0 else { return }
    let start = filter.state.corrected(a)
    let finish = filter.state.corrected(b)
    let speed = filter.state.velocity.norm
    let place = filter.state.position
    filter.propagate(
      from: start, to: finish, dt: dt, noise: noise, interval: settings.covarianceInterval)
    // What is left of velocity at rest is noise, and would add up: 1 cm/s to 6 m in ten minutes.
    if isStandingStill { filter.hold(at: place) }
    inertialSpeedChange += filter.state.velocity.norm - speed
    time = end
    record()
  }

  /// Moves on to `end` over a gap between the IMU's samples, across which rate and force are taken to go linearly.
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
    filter.inflate(StateBlock.attitude, variances: noise.attitude)
    filter.inflate(StateBlock.velocity, variances: noise.velocity)
  }

  /// Longest step of a bridge, s. [chosen]
  private static var bridgingStep: Double { 0.05 }

  /// Goes on to `end` without an IMU: straight ahead, ever slower, and less and less sure of it.
  mutating func coast(to end: Timestamp) {
    isStandingStill = false
    stillness = StillnessDetector()
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
  var levelYaw: Double {
    let axis = abs(filter.state.verticalAxis.x) < 0.8 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
    let ahead = filter.state.navFromBody * axis
    return atan2(ahead.y, ahead.x)
  }
  var levelYawVariance: Double { filter.covariance[StateBlock.attitude, StateBlock.attitude].z.z }
}
