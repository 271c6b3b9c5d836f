import LinearAlgebra
import Navigation

/// Everything that the samples so far have led to: a plain value, a pure function of the samples in order of time.
/// A copy of it is a snapshot to go back to.
struct FusionState: Sendable {
  /// What the engine is at.
  enum Phase: Sendable {
    /// No fix yet.
    case waiting
    /// Position from fixes; heading is being found.
    case aligning(HeadingBank)
    /// Heading is known.
    case navigating(Navigator)
  }

  let settings: FusionConfiguration
  private(set) var phase = Phase.waiting
  private var leveling = Leveling()
  private var receiver = ReceiverModel()
  private var lastInertial: InertialSample?
  private var lastFix: GNSSFix?
  private var lastWheel: WheelSample?
  /// When an IMU was last heard of; the car's odometry stands in for one only without.
  private var inertialTime: Timestamp?
  private(set) var isOdometry = false

  init(settings: FusionConfiguration) { self.settings = settings }

  /// Takes the next sample in order of time.
  ///
  /// - Parameter following: the IMU's next sample, where one at or after this sample's time is there already.
  mutating func process(
    _ sample: SensorSample, following: InertialSample?, report: (MeasurementVerdict) -> Void
  ) {
    switch sample {
    case .inertial(let inertial):
      inertialTime = inertial.time
      isOdometry = false
      process(inertial, report: report)
    case .gnss(let fix):
      advance(to: fix.time, towards: following)
      process(fix, report: report)
    case .wheel(let wheel):
      process(wheel, following: following, report: report)
    }
  }

  /// When the state holds; nil before the first sample.
  var time: Timestamp? {
    switch phase {
    case .waiting: lastInertial?.time
    case .aligning(let bank): bank.time
    case .navigating(let navigator): navigator.time
    }
  }

  // MARK: Moving on

  private mutating func process(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    leveling.process(sample, isStanding: isStanding(at: sample.time))
    let from = time
    advance(to: sample.time, towards: sample)
    lastInertial = sample
    guard case .navigating(var navigator) = phase else { return }
    navigator.checkDirection(dt: from.map { sample.time.seconds(since: $0) } ?? 0)
    navigator.constrainIfDue(report: report)
    navigator.watchStandstill(sample, report: report)
    phase = .navigating(navigator)
  }

  /// Moves on to `end`: along the IMU's samples, or without them where they are missing.
  private mutating func advance(to end: Timestamp, towards next: InertialSample?) {
    guard let from = time, end > from else { return }
    let gap = isOdometry ? settings.odometryGap : settings.inertialGap
    guard let last = lastInertial, end.seconds(since: last.time) <= gap, from >= last.time else {
      coast(to: end)
      return
    }
    // With no next sample yet the last one is held.
    var a = last
    var b = last
    if let next, next.time > last.time, next.time.seconds(since: last.time) <= gap {
      a = interpolated(last, next, at: from)
      b = interpolated(last, next, at: end)
    }
    switch phase {
    case .waiting: break
    case .aligning(var bank):
      propagate(&bank, to: end, a, b)
      phase = .aligning(bank)
    case .navigating(var navigator):
      navigator.propagate(to: end, from: a, to: b)
      phase = .navigating(navigator)
    }
  }

  private func interpolated(_ a: InertialSample, _ b: InertialSample, at time: Timestamp) -> InertialSample {
    if time <= a.time { return a }
    if time >= b.time { return b }
    let t = time.seconds(since: a.time) / b.time.seconds(since: a.time)
    return InertialSample(
      time: time, angularRate: a.angularRate + (b.angularRate - a.angularRate) * t,
      specificForce: a.specificForce + (b.specificForce - a.specificForce) * t)
  }

  private func propagate(_ bank: inout HeadingBank, to end: Timestamp, _ a: InertialSample, _ b: InertialSample) {
    let level = isOdometry ? Matrix3.identity : leveling.levelFromBody
    let bias = isOdometry ? Vector3.zero : leveling.gyroBias
    var force = level * ((a.specificForce + b.specificForce) * 0.5)
    // Gravity's own size is taken from the mean force: an accelerometer's bias along it is of no interest here.
    force.z += leveling.gravity
    let rate = (level * ((a.angularRate + b.angularRate) * 0.5 - bias)).z
    bank.propagate(to: end, force: force, rate: rate)
  }

  private mutating func coast(to end: Timestamp) {
    switch phase {
    case .waiting: break
    case .aligning(var bank):
      let noise = HeadingBank.Noise(force: settings.coastingNoise.accel, rate: 0.3, bias: 1e-4)
      bank.propagate(to: end, force: .zero, rate: 0, noise: noise)
      phase = .aligning(bank)
    case .navigating(var navigator):
      guard end.seconds(since: navigator.time) <= settings.longestCoast else {
        restart()
        return
      }
      navigator.coast(to: end)
      phase = .navigating(navigator)
    }
  }

  /// After a long gap nothing holds but what was learned of the sensors.
  private mutating func restart() {
    phase = .waiting
    lastInertial = nil
    lastFix = nil
    leveling = Leveling()
  }

  /// What the fixes and the wheels say of standing; nil where they say nothing.
  private func isStanding(at time: Timestamp) -> Bool? {
    if let wheel = lastWheel, time.seconds(since: wheel.time) < 0.5 { return abs(wheel.speed) < 0.05 }
    guard let fix = lastFix, time.seconds(since: fix.time) < 1.5, let velocity = fix.velocityNED else { return nil }
    return velocity.horizontalNorm < 0.3
  }

  // MARK: Measurements

  private mutating func process(_ fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    lastFix = fix
    switch phase {
    case .waiting:
      _ = receiver.correlation(at: fix.time, speed: 0)
      phase = .aligning(HeadingBank(fix: fix, receiver: receiver, gyroBiasSigma: leveling.gyroBiasSigma))
    case .aligning(var bank):
      bank.update(fix, receiver: &receiver)
      phase = .aligning(bank)
      startNavigatingIfReady(bank)
    case .navigating(var navigator):
      navigator.update(fix, report: report)
      phase = .navigating(navigator)
    }
  }

  private mutating func process(
    _ wheel: WheelSample, following: InertialSample?, report: (MeasurementVerdict) -> Void
  ) {
    defer { lastWheel = wheel }
    if let standIn = standIn(for: wheel) {
      isOdometry = true
      advance(to: wheel.time, towards: standIn)
      lastInertial = standIn
    } else {
      advance(to: wheel.time, towards: following)
    }
    switch phase {
    case .waiting: break
    case .aligning(var bank):
      guard isOdometry else { return }
      bank.update(forwardSpeed: wheel.speed, sigma: 0.2)
      phase = .aligning(bank)
      startNavigatingIfReady(bank)
    case .navigating(var navigator):
      navigator.update(wheel, report: report)
      phase = .navigating(navigator)
    }
  }

  /// Rate and force of a level car by its own speed and yaw rate, where no IMU is heard of.
  private func standIn(for wheel: WheelSample) -> InertialSample? {
    guard let yawRate = wheel.yawRate else { return nil }
    if let inertialTime, wheel.time.seconds(since: inertialTime) < 1 { return nil }
    var acceleration = 0.0
    if let last = lastWheel {
      let dt = wheel.time.seconds(since: last.time)
      if dt > 0.01, dt < 1 { acceleration = max(-10, min(10, (wheel.speed - last.speed) / dt)) }
    }
    return InertialSample(
      time: wheel.time, angularRate: Vector3(0, 0, yawRate),
      specificForce: Vector3(acceleration, wheel.speed * yawRate, -9.81))
  }

  // MARK: Start

  private mutating func startNavigatingIfReady(_ bank: HeadingBank) {
    let mixture = bank.solution
    guard mixture.yawSigma < settings.alignmentSigma, lastInertial != nil else { return }
    let start = NavigationStart(
      winner: bank.winner, yawSigma: mixture.yawSigma, origin: bank.origin, leveling: leveling,
      settings: settings, isOdometry: isOdometry)
    phase = .navigating(
      Navigator(
        filter: start.filter, receiver: receiver, settings: settings, time: bank.time, isOdometry: isOdometry))
  }
}
