import LinearAlgebra
import Navigation

/// The guard, beside whatever else there is.
extension FusionState {
  /// Moves the guard on every fifth of a second.
  @inline(__always) mutating func guideIfDue(at time: Timestamp) {
    guard let from = planar?.time, time.seconds(since: from) >= StillnessDetector.binLength - 1e-3 else {
      return
    }
    guide(to: time)
  }

  @inline(never) mutating func guide(to time: Timestamp) {
    let isHeard = inertialTime.map { time.seconds(since: $0) < settings.gaps.inertial } ?? false
    if let from = planar?.time {
      let elapsed = time.seconds(since: from)
      verticalRate.watch(elapsed: elapsed)
      if isHeard { watchEvenDriving(elapsed: elapsed) }
    }
    let isSteady = isHeard && verticalRate.steadyFor > settings.standstill.firstDelay
    let felt = verticalRate.take()
    if let planar {
      let turned = felt.angle - planar.turnBias * felt.covered
      lagShape.turn(turned, elapsed: time.seconds(since: planar.time), lag: velocityLag.value)
      if isHeard { wheelDistance.turn(by: turned) } else { wheelDistance.interrupt() }
    }
    let turn = isHeard ? felt : carTurn(to: time)
    let acceleration = isHeard ? verticalRate.acceleration + verticalRate.unfelt : nil
    let down = verticalRate.down ?? .zero
    let aliased = isHeard ? aliasedNoise.turning(down: down) : 0
    planar?.propagate(to: time, turn: turn, turnVariance: aliased, acceleration: acceleration)
    if isHeard {
      if isNavigating { aliasedNoise.add(to: &navigator.noise, down: down) }
      bank?.shake(aliasedNoise, down: down)
    }
    planar?.keepToHeading()
    planar?.keepPlace(isSteady: isSteady)
    // The means of an IMU that is noisy are steady where it is not itself: by them the guard learns a bias
    // that it does not know. One that knows it would take a car that creeps for one that stands.
    if isSteady {
      rest(at: time, rate: verticalRate.steadyRate)
    } else if isHeard, planar?.knownRateBias == nil, meansSteadyFor > settings.standstill.firstDelay,
      let means = steadyMeans
    {
      rest(at: time, rate: verticalRate.about(means.rate))
    }
  }

  /// Learns for how long the car drives evenly, and tells the navigator how usual that is which it feels now.
  private mutating func watchEvenDriving(elapsed: Double) {
    evenDriving.observe(
      steadyFor: meansSteadyFor, isDriving: planar?.isDriving ?? false, elapsed: elapsed)
    if isNavigating { navigator.rest.evenDriving = evenDriving }
  }

  /// For how long the means of rate and force have been steady, s.
  @inline(__always) private var meansSteadyFor: Double {
    isNavigating ? navigator.rest.detector.steadyFor : stillness.steadyFor
  }

  /// The means of that time.
  @inline(__always) private var steadyMeans: (rate: Vector3, force: Vector3)? {
    isNavigating ? navigator.rest.detector.steadyMeans : stillness.steadyMeans
  }

  /// Lets the guard rest, with its rate about gravity, rad/s, and keeps what the gyroscope says of a car that
  /// does.
  @inline(never) private mutating func rest(at time: Timestamp, rate: Double) {
    guard planar?.rest(rate: rate) == true, !isNavigating || !navigator.isCarried,
      meansSteadyFor > settings.standstill.firstDelay, let means = steadyMeans
    else { return }
    restingRate.note(means.rate, at: time)
  }

  /// Angle by the car's own yaw rate where no IMU is heard.
  @inline(__always) private func carTurn(to time: Timestamp) -> (angle: Double, covered: Double)? {
    guard let from = planar?.time, let rate = lastWheel?.yawRate, let heard = lastWheel?.time,
      time.seconds(since: heard) < settings.gaps.odometry
    else { return nil }
    let elapsed = time.seconds(since: from)
    return (rate * elapsed, elapsed)
  }

  /// Compares the navigator with the guard, which assumes less: one that moves otherwise than it
  /// for long has gone astray.
  mutating func separate(at fix: GNSSFix, elapsed: Double) {
    guard isNavigating, !isOdometry, let motion = planar?.motion else { return }
    learnBias()
    navigator.witness(motion, elapsed: elapsed)
    // What is carried moves as the guard does, and its nose says nothing of that.
    switch navigator.carriage.reason {
    case .wheelsStand, .quiet, .tailFirst, .turned, .lifted: return
    case .askew, nil: break
    }
    navigator.receiver.bound(velocityScale: motion.velocityScale)
    // A receiver that goes as was not felt takes the guard along.
    if navigator.fixes.areAstray { return }
    guard separation.observe(navigator, motion, elapsed: elapsed), let planar else { return }
    separation = SolutionSeparation()
    recoveries += 1
    keepHistory()
    if navigator.adopt(planar) { return vibration.interrupt() }
    transition(
      to: .aligning, bank: newBank(continuing: navigator.withoutAttitude(at: planar)),
      reason: .attitudeLost)
  }

  /// Tells the guard what it cannot know of the gyroscope: the bias across gravity, and how the bias drifts.
  private mutating func learnBias() {
    verticalRate.biasAcross = navigator.gyroBiasAcross
    planar?.biasRate = navigator.noise.gyroBiasRate.dot(navigator.down)
    planar?.biasWalk = max(PlanarNavigator.biasWalk, navigator.noise.gyroBias)
  }

  mutating func guide(by fix: GNSSFix) {
    guard let from = planar?.time, fix.time.seconds(since: from) <= settings.gaps.longest else {
      planar = PlanarNavigator(fix: fix, receiver: newReceiver(), settings: settings)
      heedLag()
      _ = verticalRate.take()
      return
    }
    guide(to: fix.time)
    planar?.update(fix)
  }
}
