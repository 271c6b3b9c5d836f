import LinearAlgebra
import Navigation

/// Everything that the samples so far have led to: a plain value, a pure function of the samples in order of
/// time. A copy of it is a snapshot to go back to.
struct FusionState<Recorder: StepRecorder>: Sendable {
  let settings: FusionConfiguration
  /// Finds the heading until it is known; after that, other headings that challenge the navigator's.
  var bank: HeadingFilterBank<Recorder>?
  /// Memory for banks that none uses.
  var bankMemory = BankPool<Recorder>()
  /// Finds the heading of a car that has no IMU.
  var match: TrackMatch?
  // From here on nothing refers to anything outside: SnapshotRing relies on it.
  /// Navigates once the heading is known. Not an optional: its 17 kB are read and changed where they lie.
  var navigator: Navigator<Recorder>
  /// The guard: runs from the first fix on, and is the solution until the heading is known.
  var planar: PlanarNavigator?
  var verticalRate = VerticalRate()
  var aliasedNoise = AliasedNoise()
  var separation = SolutionSeparation()
  /// How far it has come; ``transition(to:bank:reason:)`` changes it.
  var phase = Phase.waiting
  /// The saved state that it was started from, and what became of it.
  var warm: WarmStart?
  /// Steadiness of rate and force before there are navigators to watch it.
  var stillness = StillnessDetector()
  var lastInertial: InertialSample?
  var lastWheel: WheelSample?
  var firstWheel: Timestamp?
  var haveWheelsTurned = false
  /// When an IMU was last heard of; the car's odometry stands in for one only without.
  var inertialTime: Timestamp?
  var isOdometry = false
  /// How often another heading has taken over.
  var recoveries = 0
  private var inertialSpikes = InertialSpikes()
  /// Whether the IMU does what the fixes do.
  private(set) var imuIntegrity = IMUIntegrityMonitor()
  /// Whether the receiver's velocity does what its positions do.
  private var velocityCheck = VelocityCheck()
  /// Whether the car's yaw rate turns as the fixes do.
  var yawRateMonitor = YawRateMonitor()
  /// What of the fixes was not measured.
  var extrapolation = ExtrapolationCheck(), heldCourse = HeldCourse()
  private var deadVertical = DeadVertical()
  private var stuckReceiver = StuckReceiver()
  var heldWheelSpeed = HeldWheelSpeed()
  var wheelSpeedLag = WheelSpeedLag(), wheelDistance = WheelDistanceMonitor()
  /// For how long the car drove while the bank sought its heading, s, and the last fix of that. Not in the
  /// bank: each sample of the IMU copies what lies in that beside its navigators.
  /// [chosen: not at all at first]
  var soughtFor = 0.0, lastSought: Timestamp?
  /// How late the receiver's velocity is.
  private(set) var velocityLag = VelocityLag()
  /// How late the fixes are stamped.
  var fixTimeOffset = FixTimeOffset()
  /// Whether the velocity is late or smoothed.
  var lagShape = LagShape()
  /// The gyroscope's rate when the car last stood: a heading that is sought anew knows it.
  var restingRate = RestingRate()
  /// For how long the car drives evenly: it outlasts the navigators, each of which has a copy to ask.
  var evenDriving = EvenDriving()
  /// What was recorded of navigators that have been given up.
  var past = Recorder()
  /// What the wheels shake into the IMU; it stays known where the heading is lost. Last, because a
  /// snapshot does without its end.
  var vibration = WheelVibration()

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
    let following = following.map(inertialSpikes.heeded)
    switch sample {
    case .inertial(let inertial): take(inertial, report: report)
    case .gnss(var fix):
      concludeFix()
      advance(to: fix.time, towards: isInertialUsed ? following : nil)
      if stuckReceiver.add(fix), !settings.disabled.contains(.extrapolationCheck) {
        return skip(stuck: fix, report: report)
      }
      let wasBelieved = velocityCheck.isTrusted
      velocityCheck.add(fix)
      deadVertical.leaveOut(of: &fix)
      if !velocityCheck.isAlive, fix.velocityNED != nil {
        fix.velocityNED = nil
        if planar?.isDriving == true { report(.init(fix.time, .gnssVelocity, .contradicted)) }
      }
      if !velocityCheck.isTrusted, fix.velocityNED != nil {
        fix.velocityNED = nil
        report(.init(fix.time, .gnssVelocity, .contradicted))
        // All that is known was made of it, and so was what the IMU was blamed for.
        if wasBelieved {
          imuIntegrity = IMUIntegrityMonitor()
          vibration = WheelVibration()
          guide(by: fix)
          return transition(to: .aligning, bank: newBank(fix), reason: .contradicted)
        }
      }
      leaveHeldCourse(of: &fix, report: report)
      let measured = withoutRepeatedVelocity(fix)
      if !settings.disabled.contains(.receiverLag), velocityLag.add(measured) { heedLag() }
      guide(by: measured)
      heedTime(of: measured)
      if areWheelsRefused(by: measured) { return leaveWheels(at: measured) }
      let positionSigma =
        measured.velocityNED == nil ? planar?.receiver.errors(of: fix).white.x.squareRoot() ?? 0 : 0
      if isYawRateRefuted(by: measured, positionSigma: positionSigma) { return leaveYawRate(at: measured) }
      let wasTrusted = imuIntegrity.isTrusted
      imuIntegrity.add(
        measured, isDoubtful: isNavigating && (navigator.fixes.areAstray || navigator.areFixesAway),
        velocityNED: isNavigating ? navigator.filter.state.velocity : nil, positionSigma: positionSigma,
        rateBias: planar?.knownRateBias ?? 0, biasAcross: verticalRate.biasAcross,
        lag: velocityLag.most)
      if wasTrusted, !isInertialUsed { distrustInertial(at: fix) } else { process(fix, report: report) }
    case .wheel(let wheel):
      process(wheel, following: following, report: report)
    case .pressure(let pressure):
      guard isNavigating, !settings.disabled.contains(.barometer) else { return }
      // No height changes in the time between two IMU samples by what a barometer can tell.
      if pressure.time.seconds(since: navigator.time) > settings.barometer.slack {
        advance(to: pressure.time, towards: isInertialUsed ? following : nil)
      }
      if isNavigating { navigator.update(pressure, report: report) }
    }
  }

  /// Takes the next sample where it is the IMU's.
  mutating func take(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    let inertial = inertialSpikes.take(sample)
    let wasTrusted = imuIntegrity.isTrusted
    imuIntegrity.add(inertial)
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
    if isNavigating, navigator.mounting.isSpinning, !settings.disabled.contains(.inertialCheck) {
      imuIntegrity.convict(at: inertial.time)
      return distrustInertial()
    }
    let v = isNavigating ? navigator.filter.state.velocity : .zero
    if v.dot(v) > settings.highestSpeed * settings.highestSpeed,
      !settings.disabled.contains(.inertialCheck)
    {
      imuIntegrity.flagOverspeed()
      distrustInertial()
    }
  }

  /// When the state holds; nil before the first sample.
  var time: Timestamp? {
    isNavigating ? navigator.time : bank?.time ?? lastInertial?.time
  }

  /// Whether the IMU's samples are used: as long as nothing speaks against them.
  var isInertialUsed: Bool { imuIntegrity.isTrusted || settings.disabled.contains(.inertialCheck) }

  // MARK: Moving on

  private mutating func process(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    if bank?.isJudgementDue(at: sample.time) == true { concludeFix() }
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
    if lastWheel != nil { wheelSpeedLag.note(navigator.inertial.speedChange, at: sample.time) }
    navigator.constrainIfDue(report: report)
    navigator.watchStandstill(sample, report: report)
    if !settings.disabled.contains(.wheelVibration) {
      vibration.process(sample, &navigator, report: report)
    }
  }

  /// Moves on to `end`: along the IMU's samples, or without them where they are missing.
  mutating func advance(to end: Timestamp, towards next: InertialSample?) {
    guard let from = time, end > from else { return }
    let gap = isOdometry ? settings.gaps.odometry : settings.gaps.inertial
    guard let last = lastInertial, from >= last.time else { return coast(to: end) }
    if end.seconds(since: last.time) > gap {
      if isOdometry || !bridge(to: end, from: from, last: last, next: next) { coast(to: end) }
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

  /// Moves on over a gap in the IMU's samples that is short: along the line between those about it, or as the
  /// last one says. False where it is too long.
  private mutating func bridge(
    to end: Timestamp, from: Timestamp, last: InertialSample, next: InertialSample?
  ) -> Bool {
    let next = next.flatMap { $0.time.seconds(since: last.time) <= settings.gaps.longestBridge ? $0 : nil }
    guard next != nil || end.seconds(since: last.time) <= settings.gaps.longestBridge else { return false }
    let a = next.map { Self.interpolated(last, $0, at: from) } ?? last
    let b = next.map { Self.interpolated(last, $0, at: end) } ?? last
    let noise = settings.bridgingNoise.over(
      from.seconds(since: last.time), end.seconds(since: last.time),
      of: next?.time.seconds(since: last.time))
    if isNavigating { navigator.bridge(to: end, from: a, to: b, noise: noise) }
    bank?.bridge(to: end, from: a, to: b, noise: noise)
    return true
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
    if let time, end.seconds(since: time) > settings.gaps.longest {
      planar = nil
      return transition(to: .waiting, reason: .silence)
    }
    // Fixes hold the position without an IMU, and let no attitude be learned: what is made
    // of it in turns is wrong.
    let heard = isOdometry ? navigator.time : min(navigator.time, inertialTime ?? navigator.time)
    if isNavigating, end.seconds(since: heard) > settings.gaps.longestCoast {
      // The heading has to be found anew; position and velocity go on, ever less sure.
      transition(to: .aligning, bank: newBank(continuing: navigator), reason: .attitudeLost)
    }
    bank?.coast(to: end)
    if isNavigating { navigator.coast(to: end) }
  }

  /// The IMU is broken, and with it all that was made of it: from here on there are
  /// the fixes, and the wheels.
  private mutating func distrustInertial(at fix: GNSSFix? = nil) {
    transition(to: fix == nil ? .waiting : .aligning, bank: fix.map { newBank($0) }, reason: .inertialBroken)
    inertialTime = nil
    firstWheel = nil
  }

  // MARK: Measurements

  private mutating func process(_ fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    if isNavigating { navigator.witness.isAsked = bank != nil || isOnTrial }
    if isNavigating, isOnTrial {
      processOnTrial(fix, report: report)
    } else if isNavigating {
      let before = navigator.fixes.reanchored
      let elapsed = fix.time.seconds(since: navigator.fixes.lastHeard)
      navigator.update(fix, report: report)
      recoveries += navigator.fixes.reanchored - before
      guard navigator.isSound else {
        // Nothing is known to lead here. If something does, a fresh start is better than
        // a solution of no numbers.
        return transition(to: .aligning, bank: newBank(fix), reason: .contradicted)
      }
      separate(at: fix, elapsed: elapsed)
      if isNavigating { challenge(by: fix) }
    } else if bank != nil {
      if isFirstPlaceWrong(by: fix) {
        replaceBank(with: newBank(fix))
      } else {
        seek(with: fix, lag: clearLag)
      }
    } else {
      replaceBank(with: newBank(fix))
      headByMotion()
    }
  }
}
