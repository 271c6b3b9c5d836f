import LinearAlgebra
import Navigation

/// A car that is carried moves as no car drives: what wheels, nose and standstill say
/// of it does not hold then.
extension Navigator {
  /// Whether the car moves without driving.
  var isCarried: Bool { carriage.reason != nil }

  @inline(__always) private var hasWheel: Bool {
    wheels.watch.isTrusted && (wheels.last.map { time.seconds(since: $0.time) < 0.5 } ?? false)
  }
  @inline(__always) private var wheelsStand: Bool { hasWheel && wheels.watch.standsFor > 1 }

  /// Whether the mounting has stood the test of a minute of driving.
  @inline(__always) var isMountingProven: Bool {
    mounting.isKnown && carriage.mountingValidatedTime > settings.vehicle.mountingProof
      && filter.covariance[StateBlock.mountingAndOdometer, StateBlock.mountingAndOdometer].y.y < 0.001
  }

  /// Whether the newest fixes have left a place that is borne out while the mounting is proven: it is they
  /// that are in doubt then.
  @inline(__always) var areFixesAway: Bool {
    isMountingProven && hypotheses.areFixesAway
  }

  /// Lets the scale of the wheels be learned anew where the fixes show that it is another.
  private mutating func watchOdometerScale(elapsed: Double) {
    guard let wheel = wheels.recent(at: time), wheels.watch.isTrusted, mounting.isKnown, !isCarried,
      !hypotheses.isContested, !isDisabled(.wheelCheck)
    else { return }
    let learned = filter.covariance[StateBlock.mountingAndOdometer, StateBlock.mountingAndOdometer].z.z
    let off = wheels.scale.add(
      speed: fixes.motion.speed, sigma: fixes.motion.sigma,
      wheels: abs(wheel.speed) / (1 + filter.state.odometerScale), scaleSigma: max(0, learned).squareRoot(),
      acceleration: filter.state.acceleration.dot(filter.state.velocity) / max(fixes.motion.speed, 1),
      elapsed: elapsed)
    guard let off else { return }
    filter.inflate(StateBlock.mountingAndOdometer, variances: Vector3(0, 0, off * off))
    // The way since is off by as much.
    let astray = off * fixes.motion.speed * OdometerScaleMonitor.memory
    filter.inflate(StateBlock.position, variances: Vector3(astray * astray, astray * astray, 0))
  }

  /// Compares what a fix says of the speed with what wheels and IMU say.
  mutating func watchCarriage(_ fix: GNSSFix) {
    let elapsed = DwellTimer.counted(fixes.motion.time.map { fix.time.seconds(since: $0) } ?? 0)
    // Of no account where the receiver states a velocity.
    let errors = fix.velocityNED == nil ? receiver.errors(of: fix) : FixErrors(white: .zero, lasting: .zero)
    fixes.motion.add(fix, velocitySigma: drivenVelocitySigma(fix), errors: errors)
    if fixes.motion.isAtRest || !hypotheses.isContested { rest.last.isAssumed = false }
    if rest.isStanding, fixes.motion.isAtRest { rest.last.borneOutAt = fix.time }
    guard !isOdometry else { return }
    if !rest.isStanding, !wheelsStand, !isCarried {
      // Down at once, up by a factor in a minute: a motion that is not believed passes for noise.
      rest.drivenVelocityScale = min(receiver.velocityScale, rest.drivenVelocityScale * (1 + elapsed / 60))
    }
    if let velocity = fix.velocityNED, wheels.recent(at: time) != nil, !isCarried, !isDisabled(.wheelCheck) {
      wheels.watch.compare(
        speed: velocity.horizontalNorm, sigma: receiver.velocitySigma(fix), elapsed: elapsed)
    }
    watchOdometerScale(elapsed: elapsed)
    guard !isDisabled(.carriage) else { return }
    if isCarried {
      goOnCarried(elapsed)
    } else if isSideways(fix, elapsed: elapsed) {
      if !forgetMountingIfKnocked() { beginCarried(.askew, at: fix) }
    } else {
      let suspicion = suspicion
      // Standing wheels say more than a smooth road.
      let patience =
        settings.carriage.patience * (fixes.motion.isMeasured ? 1 : 5) * (suspicion == .quiet ? 3 : 1)
      if let suspicion, carriage.suspect(suspicion, elapsed: elapsed, patience: patience) {
        beginCarried(suspicion, at: fix)
      } else if suspicion == nil {
        _ = carriage.suspect(nil, elapsed: elapsed, patience: patience)
      }
    }
  }

  /// Standard deviation of a fix's velocity per axis, m/s, as it was while the car drove.
  @inline(__always) func drivenVelocitySigma(_ fix: GNSSFix) -> Double {
    receiver.velocitySigma(fix) * min(1, rest.drivenVelocityScale / receiver.velocityScale)
  }

  /// Whether the receiver's velocity has gone across the car for two seconds, whatever the constraint makes
  /// of it, by more than the car turns while that is late.
  private mutating func isSideways(_ fix: GNSSFix, elapsed: Double) -> Bool {
    guard let v = fix.velocityNED, isMountingProven else { return false }
    let nose = navFromVehicle * Vector3(1, 0, 0)
    let across = abs(v.x * nose.y - v.y * nose.x) / max(nose.horizontalNorm, 0.1)
    let sigma = drivenVelocitySigma(fix)
    let isAcross = across > 0.6 + 4 * sigma + (0.3 + turnMeanwhile) * v.horizontalNorm
    carriage.across.update(isAcross, elapsed: elapsed)
    return carriage.across.seconds > settings.carriage.patience
  }

  /// Angle by which the car turns at most while the receiver's velocity is late, by one sigma, rad.
  private var turnMeanwhile: Double {
    let state = filter.state
    let variance = filter.covariance[StateBlock.delaysAndGyroScale, StateBlock.delaysAndGyroScale].y.y
    let lag = max(0, state.velocityDelay) + max(0, variance).squareRoot()
    return abs((state.navFromBody * state.smoothRate).z) * lag
  }

  /// What the fixes' speed makes of a car that thinks it stands.
  @inline(__always) private var suspicion: CarriedReason? {
    let floor = fixes.motion.isMeasured ? 0.5 : 1.5
    guard fixes.motion.speed > floor + 4 * fixes.motion.sigma, isFelt(fixes.motion.speed) else { return nil }
    let excess = rest.shaking.excess(at: fixes.motion.speed)
    // A dead sensor says the same of a car that is shaken as it is on the road.
    if wheelsStand {
      return excess.map { $0 > settings.carriage.minimumVibrationLogRatio } ?? false ? nil : .wheelsStand
    }
    guard !hasWheel, mounting.isKnown, let excess, excess < settings.carriage.minimumVibrationLogRatio,
      rest.shaking.isAsAtRest
    else { return nil }
    return .quiet
  }

  /// Whether a car that stood can go as fast by now without its IMU having felt more than stillness allows: a
  /// ship feels it too when it gathers speed.
  func isFelt(_ speed: Double) -> Bool {
    // One that does not stand still has felt something.
    guard rest.isStanding else { return true }
    return speed < settings.standstill.speedSigma
      + settings.standstill.unfeltAcceleration * max(0, time.seconds(since: rest.last.borneOutAt))
  }

  private mutating func goOnCarried(_ elapsed: Double) {
    let isAtRest = fixes.motion.isAtRest
    switch carriage.reason {
    case .wheelsStand:
      carriage.goOn(isOver: isAtRest || hasWheel && !wheelsStand, elapsed: elapsed, patience: 2)
    case .quiet:
      let isShaken =
        rest.shaking.excess(at: fixes.motion.speed).map {
          $0 > settings.carriage.minimumVibrationLogRatio + 0.3
        } ?? false
      carriage.goOn(isOver: isAtRest || hasWheel && !wheelsStand || isShaken, elapsed: elapsed, patience: 2)
    case .tailFirst:
      let isForward = vehicleVelocity.x > 1.5
      carriage.goOn(isOver: isAtRest || isForward, elapsed: elapsed, patience: 2)
      if isCarried, carriage.duration > settings.carriage.longestTailFirst { flipMounting() }
    case .askew:
      let isOver = filter.state.velocity.norm > 2 ? skew < 0.05 : isAtRest
      carriage.goOn(isOver: isOver, elapsed: elapsed, patience: 3)
      let isShaken =
        rest.shaking.excess(at: fixes.motion.speed).map {
          $0 > settings.carriage.minimumVibrationLogRatio / 2
        } ?? false
      let hadStood =
        time.seconds(since: rest.last.stoodAt) - carriage.duration < settings.carriage.hitchTime
      let longest = hadStood ? settings.carriage.longestAskew : settings.carriage.longestAskewUnderWay
      if isCarried, carriage.duration > longest, isShaken, !wheelsStand {
        // On a road, under its own wheels: the IMU has been turned in the car.
        forgetMounting()
      }
    case .turned, .lifted, nil: break
    }
  }

  private mutating func beginCarried(_ reason: CarriedReason, at fix: GNSSFix) {
    carriage.begin(reason)
    rest.isStanding = false
    hypotheses.doubt()
    carriage.across = DwellTimer()
    // Until now it was held at rest: velocity is the fixes', and what the hold has put into position, lasting
    // error, tilt and bias is made uncertain again.
    let v = fixes.motion.velocity
    let variance = 0.04 + fixes.motion.sigma * fixes.motion.sigma
    filter.reset(
      StateBlock.velocity, value: Vector3(v.x, v.y, filter.state.velocity.z),
      covariance: Matrix3(diagonal: Vector3(variance, variance, 0.04)))
    let held = fixes.motion.speed * settings.carriage.hold
    filter.inflate(StateBlock.position, variances: Vector3(held * held, held * held, 1))
    filter.reset(
      StateBlock.gnssPositionBias, value: .zero,
      covariance: Matrix3(diagonal: receiver.correlatedVariance(fix)))
    filter.inflate(StateBlock.attitude, variances: Vector3(repeating: 1e-4))
    filter.inflate(StateBlock.accelBias, variances: Vector3(repeating: 1e-3))
  }

  /// The attitude is lost: what was seen of the car's nose by it says nothing any more, and the mounting has
  /// to stand its test again.
  mutating func forgetCarriage() {
    carriage = CarriageWatch()
  }

  // MARK: What the constraint of the rear axle sees

  /// Velocity in vehicle axes, m/s.
  var vehicleVelocity: Vector3 {
    @inline(__always) get {
      filter.state.vehicleFromBody * (filter.state.navFromBody.inverse * filter.state.velocity)
    }
  }

  /// Angles between the motion and what tyres and springs allow, across and up, rad.
  @inline(__always) private func skews(_ vehicle: VehicleVelocity) -> (across: Double, up: Double) {
    let (right, down) = vehicle.slip
    let speed = max(filter.state.velocity.norm, 0.1)
    return (abs(right) / speed, abs(down) / speed)
  }
  @inline(__always) private var skew: Double {
    let (across, up) = skews(VehicleVelocity(filter.state))
    return (across * across + up * up).squareRoot()
  }

  /// Whether the motion leaves the nose: across only where the guard's course does too.
  @inline(__always) private func goesAskew(across: Double, up: Double) -> Bool {
    let borne = carriage.courseOff > settings.carriage.largestSkew / 2 ? across : 0
    return borne * borne + up * up > settings.carriage.largestSkew * settings.carriage.largestSkew
  }

  /// Looks whether the car can be driving at all, before the constraint takes it for granted, by its velocity
  /// as tyres and springs have it; `interval` in seconds since the last time.
  mutating func checkDriving(_ vehicle: VehicleVelocity, interval: Double) {
    guard !isOdometry, !isDisabled(.carriage) else { return }
    let u = vehicleVelocity
    let speed = filter.state.velocity.norm
    if abs(u.x) > settings.vehicle.rollingSpeed { rest.last.hasRolled = true }
    switch carriage.reason {
    case nil:
      let (across, up) = speed > 2 ? skews(vehicle) : (0, 0)
      let isAskew = isMountingProven && speed > 2 && goesAskew(across: across, up: up)
      carriage.askew.update(isAskew, elapsed: interval)
      if carriage.askew.seconds > 1 {
        if forgetMountingIfKnocked() { return }
        carriage.askew = DwellTimer()
        if isUnheard {
          doubtWay(across: u)
        } else {
          carriage.begin(.askew)
          hypotheses.doubt()
        }
      }
      if !isCarried, let reason = impossible(u) { carriage.begin(reason) }
      let isStraight = (across * across + up * up).squareRoot() < 0.1
      if !isCarried, u.x > 3, isStraight, fixes.motion.isRecent(at: time) {
        carriage.mountingValidatedTime += interval
      }
    case .turned, .lifted: endTurning(interval: interval)
    case .askew, .tailFirst: if isUnheard { carriage.end() }
    case .wheelsStand, .quiet: break
    }
  }

  /// Whether there has been no fix for so long that where tyres would take the car is nearer to the truth
  /// than what rate and force alone make of its way.
  private var isUnheard: Bool {
    fixes.motion.time.map { time.seconds(since: $0) > settings.carriage.longestUnheard } ?? true
  }

  /// What goes askew long after the last fix is the navigator: its velocity is off by what it has across the
  /// nose, and an attitude that has led there by more than is believed. The constraint brings it back.
  private mutating func doubtWay(across u: Vector3) {
    let square = u.y * u.y + u.z * u.z
    filter.inflate(StateBlock.velocity, variances: Vector3(repeating: square))
    filter.inflate(StateBlock.attitude, variances: Vector3(repeating: Self.strayTilt * Self.strayTilt))
  }

  /// What an attitude may have come to be off by within a second, rad.
  /// [measured on 180 simulated variants with a broken IMU: 0, 0.1, 0.2 misleading for 128, 38, 43 s; 204 s
  /// where such a car counts as carried]
  private static var strayTilt: Double { 0.1 }

  /// Ends a time on a turntable or in a lift as soon as the car drives, stands, or moves as cars do.
  mutating func endTurning(interval: Double) {
    guard carriage.reason == .turned || carriage.reason == .lifted else { return }
    let isDriving = hasWheel ? !wheelsStand : filter.state.velocity.norm > 0.5
    let isOver = rest.isStanding || isDriving || impossible(vehicleVelocity) == nil
    carriage.goOn(isOver: isOver, elapsed: interval, patience: isDriving ? 0 : 1)
    if carriage.duration > settings.carriage.longestLift { carriage.end() }
  }

  /// A car whose wheels stood just now cannot turn without rolling, nor climb without going ahead.
  @inline(__always) private func impossible(_ u: Vector3) -> CarriedReason? {
    guard isCarried || time.seconds(since: rest.last.stoodAt) < 4, !hasWheel || wheelsStand else {
      return nil
    }
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    let sigma = max(variance.x.x, variance.y.y, variance.z.z).squareRoot()
    guard sigma < settings.standstill.speedSigma else { return nil }
    let ahead = abs(u.x) + 2 * sigma
    let turning = abs((filter.state.navFromBody * filter.state.smoothRate).z)
    if turning > settings.carriage.clearTurn, turning * settings.carriage.smallestRadius > ahead {
      return .turned
    }
    return abs(filter.state.velocity.z) > 0.05 + ahead ? .lifted : nil
  }
}
