import LinearAlgebra
import Navigation

/// Everything that the samples so far have led to: a plain value, a pure function of the samples in order of time.
/// A copy of it is a snapshot to go back to.
struct FusionState<Recorder: StepRecorder>: Sendable {
  let settings: FusionConfiguration
  /// The guard: runs from the first fix on, and is the solution until the heading is known.
  private(set) var planar: PlanarNavigator?
  private var verticalRate = VerticalRate()
  private var aliasedNoise = AliasedNoise()
  private var separation = SolutionSeparation()
  /// Finds the heading from the first fix on, until it is known.
  var bank: HeadingBank<Recorder>?
  /// Finds the heading of a car that has no IMU.
  private(set) var match: TrackMatch?
  /// Whether the heading is known, and the navigator at work.
  var isNavigating = false
  /// Navigates once the heading is known. Not an optional: its 10 kB are read and changed where they lie.
  var navigator: Navigator<Recorder>
  /// The saved state that it was started from, and what became of it.
  var warm: WarmStart?
  /// Steadiness of rate and force before there are navigators to watch it.
  private(set) var stillness = StillnessDetector()
  /// What the wheels shake into the IMU; it stays known where the heading is lost.
  var vibration = WheelVibration()
  private(set) var lastInertial: InertialSample?
  private(set) var lastWheel: WheelSample?
  private var firstWheel: Timestamp?
  /// When an IMU was last heard of; the car's odometry stands in for one only without.
  private var inertialTime: Timestamp?
  private(set) var isOdometry = false
  /// How often another heading has taken over.
  private(set) var recoveries = 0
  /// Whether the IMU does what the fixes do.
  private(set) var inertialCheck = InertialCheck()
  /// Whether the receiver's velocity does what its positions do.
  private var velocityCheck = VelocityCheck()
  /// What was recorded of navigators that have been given up.
  private(set) var past = Recorder()

  init(settings: FusionConfiguration, saved: SavedState? = nil) {
    self.settings = settings
    warm = saved.map(WarmStart.init)
    navigator = Navigator(idle: settings)
  }

  /// Takes the next sample in order of time.
  ///
  /// - Parameter following: the IMU's next sample, where one at or after this sample's time is there already.
  mutating func process(
    _ sample: SensorSample, following: InertialSample?, report: (MeasurementVerdict) -> Void
  ) {
    switch sample {
    case .inertial(let inertial):
      let wasTrusted = inertialCheck.isTrusted
      inertialCheck.add(inertial)
      guard isInertialUsed else {
        if wasTrusted { distrustInertial() }
        return
      }
      if isOdometry { leaveOdometry() }
      inertialTime = inertial.time
      verticalRate.add(inertial)
      aliasedNoise.add(inertial)
      guideIfDue(at: inertial.time)
      process(inertial, report: report)
      let v = isNavigating ? navigator.filter.state.velocity : .zero
      if v.dot(v) > settings.highestSpeed * settings.highestSpeed,
        !settings.disabled.contains(.inertialCheck)
      {
        inertialCheck.outrun()
        distrustInertial()
      }
    case .gnss(var fix):
      advance(to: fix.time, towards: isInertialUsed ? following : nil)
      let wasBelieved = velocityCheck.isTrusted
      velocityCheck.add(fix)
      if !velocityCheck.isTrusted, fix.velocityNED != nil {
        fix.velocityNED = nil
        report(.init(fix.time, .gnssVelocity, .contradicted))
        // All that is known was made of it.
        if wasBelieved {
          vibration = WheelVibration()
          guide(by: fix)
          return startAnew(at: fix)
        }
      }
      guide(by: fix)
      let wasTrusted = inertialCheck.isTrusted
      inertialCheck.add(
        fix, velocityNED: isNavigating ? navigator.filter.state.velocity : nil,
        positionSigma: planar?.receiver.positionNoise(fix).x.x.squareRoot() ?? 0)
      if wasTrusted, !isInertialUsed { distrustInertial(at: fix) } else { process(fix, report: report) }
    case .wheel(let wheel):
      process(wheel, following: following, report: report)
    }
  }

  // MARK: The guard

  /// Moves the guard on every fifth of a second.
  @inline(__always) private mutating func guideIfDue(at time: Timestamp) {
    guard let from = planar?.time, time.seconds(since: from) >= StillnessDetector.binLength - 1e-3 else {
      return
    }
    guide(to: time)
  }

  @inline(never) private mutating func guide(to time: Timestamp) {
    let isHeard = inertialTime.map { time.seconds(since: $0) < settings.inertialGap } ?? false
    if let from = planar?.time { verticalRate.watch(elapsed: time.seconds(since: from)) }
    let isSteady = isHeard && verticalRate.steadyFor > settings.firstStillnessDelay
    let felt = verticalRate.take()
    let turn = isHeard ? felt : carTurn(to: time)
    let acceleration = isHeard ? verticalRate.acceleration : nil
    let down = verticalRate.down ?? .zero
    let aliased = isHeard ? aliasedNoise.turning(down: down) : 0
    planar?.propagate(to: time, turn: turn, turnVariance: aliased, acceleration: acceleration)
    if isHeard {
      if isNavigating { aliasedNoise.add(to: &navigator.noise, down: down) }
      bank?.shake(aliasedNoise, down: down)
    }
    planar?.keepToHeading()
    if isSteady { planar?.rest(rate: verticalRate.steadyRate) }
  }

  /// Angle by the car's own yaw rate where no IMU is heard.
  private func carTurn(to time: Timestamp) -> (angle: Double, covered: Double)? {
    guard let from = planar?.time, let rate = lastWheel?.yawRate, let heard = lastWheel?.time,
      time.seconds(since: heard) < settings.odometryGap
    else { return nil }
    let elapsed = time.seconds(since: from)
    return (rate * elapsed, elapsed)
  }

  /// Compares the navigator with the guard, which assumes less: one that moves otherwise than it for long has gone astray.
  private mutating func separate(at fix: GNSSFix, elapsed: Double) {
    guard isNavigating, !isOdometry, let planar else { return }
    navigator.witness(planar)
    // What is carried moves as the guard does, and its nose says nothing of that.
    switch navigator.carriage.reason {
    case .wheelsStand, .quiet, .tailFirst, .turned, .lifted: return
    case .askew, nil: break
    }
    navigator.receiver.bound(by: planar.receiver)
    guard separation.observe(navigator, planar, elapsed: elapsed) else { return }
    separation = SolutionSeparation()
    recoveries += 1
    keepHistory()
    if navigator.adopt(planar) { return vibration.interrupt() }
    isNavigating = false
    bank = HeadingBank(continuing: navigator.withoutAttitude(at: planar))
    lastInertial = nil
    stillness = StillnessDetector()
  }

  private mutating func guide(by fix: GNSSFix) {
    if planar.map({ fix.time.seconds(since: $0.time) > settings.longestGap }) ?? true {
      planar = PlanarNavigator(fix: fix, receiver: newReceiver(), settings: settings)
      _ = verticalRate.take()
      return
    }
    guide(to: fix.time)
    planar?.update(fix)
  }

  /// When the state holds; nil before the first sample.
  var time: Timestamp? {
    isNavigating ? navigator.time : bank?.time ?? lastInertial?.time
  }

  /// Whether the IMU's samples are used: as long as nothing speaks against them.
  var isInertialUsed: Bool { inertialCheck.isTrusted || settings.disabled.contains(.inertialCheck) }

  // MARK: Moving on

  private mutating func process(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    let from = time
    advance(to: sample.time, towards: sample)
    lastInertial = sample
    if bank != nil || isWaitingForRest {
      if stillness.process(sample) {
        considerSavedState(at: sample.time)
        orientBank()
      }
      bank?.watchStandstill(sample)
    }
    guard isNavigating else { return }
    navigator.checkDirection(dt: from.map { sample.time.seconds(since: $0) } ?? 0)
    navigator.constrainIfDue(report: report)
    navigator.watchStandstill(sample, report: report)
    if !settings.disabled.contains(.wheelVibration) {
      vibration.process(sample, &navigator, report: report)
    }
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
      a = Self.interpolated(last, next, at: from)
      b = Self.interpolated(last, next, at: end)
    }
    if isNavigating { navigator.propagate(to: end, from: a, to: b) }
    bank?.propagate(to: end, from: a, to: b)
  }

  private static func interpolated(_ a: InertialSample, _ b: InertialSample, at time: Timestamp)
    -> InertialSample
  {
    if time <= a.time { return a }
    if time >= b.time { return b }
    let t = time.seconds(since: a.time) / b.time.seconds(since: a.time)
    return InertialSample(
      time: time, angularRate: a.angularRate + (b.angularRate - a.angularRate) * t,
      specificForce: a.specificForce + (b.specificForce - a.specificForce) * t)
  }

  private mutating func coast(to end: Timestamp) {
    if let time, end.seconds(since: time) > settings.longestGap {
      keepHistory()
      isNavigating = false
      bank = nil
      match = nil
      lastInertial = nil
      stillness = StillnessDetector()
      if isOnTrial { warm?.report.stage = .watching }
      planar = nil
      return
    }
    // Fixes hold the position without an IMU, and let no attitude be learned: what is made of it in turns is wrong.
    let heard = isOdometry ? navigator.time : min(navigator.time, inertialTime ?? navigator.time)
    if isNavigating, end.seconds(since: heard) > settings.longestCoast { restart() }
    bank?.coast(to: end)
    if isNavigating { navigator.coast(to: end) }
  }

  /// After a long gap the heading has to be found anew; position and velocity go on, ever less sure.
  private mutating func restart() {
    isNavigating = false
    bank = HeadingBank(continuing: navigator)
    match = nil
    lastInertial = nil
    stillness = StillnessDetector()
    if isOnTrial { warm?.report.stage = .watching }
  }

  /// The IMU is broken, and with it all that was made of it: from here on there are the fixes, and the wheels.
  private mutating func distrustInertial(at fix: GNSSFix? = nil) {
    keepHistory()
    isNavigating = false
    bank = fix.map(newBank)
    match = nil
    lastInertial = nil
    inertialTime = nil
    firstWheel = nil
    stillness = StillnessDetector()
    vibration.interrupt()
    if isOnTrial { warm?.report.stage = .watching }
    recoveries += 1
  }

  // MARK: Measurements

  private mutating func process(_ fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    if isNavigating, isOnTrial {
      processOnTrial(fix, report: report)
    } else if isNavigating {
      let before = navigator.reanchored
      let elapsed = fix.time.seconds(since: navigator.lastHeardFix)
      navigator.update(fix, report: report)
      recoveries += navigator.reanchored - before
      guard navigator.isSound else {
        // Nothing is known to lead here. If something does, a fresh start is better than a solution of no numbers.
        return startAnew(at: fix)
      }
      separate(at: fix, elapsed: elapsed)
      if isNavigating { challenge(by: fix) }
    } else if bank != nil {
      if let planar { bank?.recallDelay(planar) }
      bank?.update(fix)
      if bank?.isDoubtful == true {
        keepHistory()
        bank = newBank(fix)
      }
      if isOdometry { matchTrack(with: fix) } else { startNavigatingIfReady() }
      headByMotion()
    } else {
      bank = newBank(fix)
      headByMotion()
    }
  }

  private mutating func startAnew(at fix: GNSSFix) {
    keepHistory()
    isNavigating = false
    bank = newBank(fix)
    match = nil
    recoveries += 1
  }

  func newBank(_ fix: GNSSFix) -> HeadingBank<Recorder> {
    var receiver = newReceiver()
    _ = receiver.correlation(at: fix.time, speed: 0)
    return HeadingBank(fix: fix, receiver: receiver, settings: settings)
  }

  func newReceiver() -> ReceiverModel {
    var receiver = ReceiverModel()
    receiver.parameters.hasLastingError = !settings.disabled.contains(.lastingError)
    if let saved = savedHere { receiver.recall(saved) }
    return receiver
  }

  /// Gives other headings a chance where the fixes contradict the navigator: a bank starts beside it, on the same
  /// samples, and takes over if it explains the same fixes better. (The IMU was moved, or the start was wrong.)
  private mutating func challenge(by fix: GNSSFix) {
    // Fixes of another place say nothing of the heading.
    if navigator.isCarried || navigator.hypotheses.isContested {
      bank = nil
      return
    }
    guard bank != nil else {
      guard navigator.isDoubtful else { return }
      navigator.logLikelihood = 0
      bank = newBank(fix)
      return
    }
    decideChallenge(by: fix)
  }

  /// Apart, because it copies the bank.
  @inline(never) private mutating func decideChallenge(by fix: GNSSFix) {
    bank?.update(fix)
    guard let bank else { return }
    let isKnown = bank.isOriented && bank.yawSigma < settings.alignmentSigma
    if isKnown, bank.evidence > navigator.logLikelihood + settings.winningMargin {
      keepHistory()
      navigator = bank.winner
      vibration.interrupt()
      recoveries += 1
      self.bank = nil
    } else if fix.time.seconds(since: bank.start) > settings.challengeTime {
      self.bank = nil
    }
  }

  /// Drops what was recorded before `time` and is not needed to go back to it.
  mutating func forgetHistory(before time: Timestamp) {
    past.forget(before: time)
    if isNavigating { navigator.filter.recorder.forget(before: time) }
  }

  /// Keeps what was recorded of the navigator in use, which is about to be given up.
  mutating func keepHistory() {
    if let recorder = isNavigating ? navigator.filter.recorder : bank?.winner.filter.recorder {
      past.keep(recorder)
    }
  }

  private mutating func process(
    _ wheel: WheelSample, following: InertialSample?, report: (MeasurementVerdict) -> Void
  ) {
    defer { lastWheel = wheel }
    firstWheel = firstWheel ?? wheel.time
    if let standIn = standIn(for: wheel) {
      if !isOdometry { enterOdometry(at: wheel.time) }
      advance(to: wheel.time, towards: standIn)
      lastInertial = standIn
    } else {
      advance(to: wheel.time, towards: isInertialUsed ? following : nil)
    }
    if planar != nil {
      guide(to: wheel.time)
      // A sensor that the navigator has found stuck is none for the guard.
      let isStuck = isNavigating && !isOdometry && !navigator.wheelWatch.isTrusted
      if !settings.disabled.contains(.wheelSpeed), !isStuck { planar?.update(wheel) }
    }
    if isNavigating { navigator.update(wheel, report: report) }
    if bank != nil || isOdometry { search(with: wheel) }
  }

  /// What a wheel sample says while the heading is sought.
  @inline(never) private mutating func search(with wheel: WheelSample) {
    guard isOdometry else {
      bank?.note(wheel)
      return
    }
    if isNavigating {
      if bank?.isOriented == false { bank?.orient { $0.odometry(yaw: $1, yawSigma: $2) } }
      bank?.update(wheel)
    } else {
      match?.advance(wheel)
      if match != nil { past.reckon(wheel) }
    }
  }

  /// With no IMU the heading comes from the fixes' positions alone, whose error is not known at the start: it takes a
  /// baseline.
  private mutating func matchTrack(with fix: GNSSFix) {
    guard let bank else { return }
    if match == nil {
      match = TrackMatch(origin: fix.position)
      past.beginTrack()
    }
    match?.add(fix)
    guard let match, let result = match.result, match.travelled > settings.odometryBaseline,
      result.headingVariance < settings.alignmentSigma * settings.alignmentSigma
    else { return }
    navigator = bank.winner.odometry(result, newest: fix)
    let point = navigator.recordedPoint
    navigator.filter.recorder.lay(past, result, point)
    isNavigating = true
    self.bank = nil
    self.match = nil
  }

  /// The car's own speed and yaw rate take the place of an IMU that has gone, or never came.
  private mutating func enterOdometry(at time: Timestamp) {
    isOdometry = true
    lastInertial = nil
    guard isNavigating else { return }
    if isOnTrial {
      warm?.report.stage = .watching
      bank = nil
    }
    // Up to here the IMU's heading holds, or what there is of it.
    navigator.coast(to: time)
    navigator = navigator.asOdometry
  }

  /// An IMU has come, in a mounting that has yet to be found; position and velocity go on.
  private mutating func leaveOdometry() {
    isOdometry = false
    if let last = isNavigating ? navigator : bank?.winner {
      bank = HeadingBank(continuing: last.withoutIMU(isOdometry: false))
    }
    isNavigating = false
    match = nil
    lastInertial = nil
    stillness = StillnessDetector()
  }

  /// Rate and force of a level car by its own speed and yaw rate, where no IMU is heard of.
  private func standIn(for wheel: WheelSample) -> InertialSample? {
    guard let yawRate = wheel.yawRate else { return nil }
    guard let heard = inertialTime ?? firstWheel, wheel.time.seconds(since: heard) > settings.inertialGap
    else {
      return nil
    }
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

  /// Once the mean force over a fifth of a second is known, down is: the directions can be tried.
  private mutating func orientBank() {
    guard let bank, !bank.isOriented else { return }
    guard let force = stillness.steadyMeans?.force, force.norm > 5, force.norm < 15 else { return }
    let tilt = stillness.steadyFor >= 0.5 ? settings.tiltSigmaSteady : settings.tiltSigmaMoving
    let warm = self.warm
    self.bank?.orient {
      $0.oriented(yaw: $1, yawSigma: $2, force: force, tiltSigma: tilt, recalling: warm)
    }
  }

  mutating func startNavigatingIfReady() {
    guard let bank, bank.yawSigma < settings.alignmentSigma else { return }
    navigator = bank.winner
    vibration.interrupt()
    isNavigating = true
    self.bank = nil
    if warm != nil { warm?.report.stage = .cold }
  }
}
