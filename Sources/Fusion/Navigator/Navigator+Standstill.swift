import LinearAlgebra
import Navigation

extension Navigator {
  /// Looks for a standstill, and holds velocity and heading in one.
  mutating func watchStandstill(_ sample: InertialSample, report: (MeasurementVerdict) -> Void) {
    guard !isOdometry else { return }
    (inertial.interval, inertial.time) = (sample.time.seconds(since: inertial.time), sample.time)
    rest.shaking.add(
      sample,
      drivingAt: mounting.isKnown && !isCarried && fixes.motion.isRecent(at: time) ? fixes.motion.speed : nil,
      isStanding: rest.isStanding)
    guard !isDisabled(.stillness), rest.detector.process(sample) else { return }
    let wasStanding = rest.isStanding
    let isSteady = rest.detector.steadyFor >= stillnessDelay
    let isSlow = isKnownSlow
    rest.slowFor = isSlow ? rest.slowFor + StillnessDetector.binLength : 0
    let isKnown = isSteady && isSlow
    rest.isStanding =
      isSteady && !wheelsTurn && (isKnown && !rest.last.isAssumed || seemsToRest) && !isPullingAway
      && !isChangingSpeed && !movesWithoutDriving
    guard rest.isStanding else { return }
    if !isKnown, !hasNotMoved { rest.last.isAssumed = true }
    if rest.isQuiet(for: settings.standstill.firstDelay, excess: settings.carriage.minimumVibrationLogRatio) {
      rest.last.quietAt = time
    }
    if !wasStanding {
      rest.last.watch = ZeroVelocityMonitor()
      // What breaks off a standstill for a moment may be a turntable that starts.
      if time.seconds(since: max(rest.last.stoodAt, rest.last.turnedAt)) > settings.standstill.pullingAwayTime
        || rest.last.hasRolled
      {
        (rest.last.stoodFor, rest.last.turnedFor) = (0, 0)
      }
      rest.last.hasRolled = false
    }
    hold(report: report)
  }

  /// Whether what carries the car goes somewhere, so that a steady IMU says nothing.
  @inline(__always) private var movesWithoutDriving: Bool {
    switch carriage.reason {
    case .wheelsStand, .quiet, .tailFirst, .askew: true
    case .turned, .lifted, nil: false
    }
  }

  /// Steady time in s that makes a standstill: short where the speed is known to be next to nothing.
  @inline(__always) private var stillnessDelay: Double {
    let isSure =
      speedSigma < settings.standstill.speed
      && filter.state.velocity.horizontalNorm < settings.standstill.speed
    return isSure ? StillnessDetector.binLength : settings.standstill.delay
  }

  /// Whether the force is steady, but another than a moment ago at rest: the car gathers speed evenly.
  @inline(__always) private var isPullingAway: Bool {
    // A moment of even braking is no standstill to compare with.
    guard !rest.isStanding, rest.last.stoodFor > 2,
      time.seconds(since: rest.last.stoodAt) < settings.standstill.pullingAwayTime
    else {
      return false
    }
    return (rest.detector.meanForce - rest.last.force).norm > rest.last.forceLimit
  }

  /// Whether what is felt is no rest, but even braking or gathering of speed: as the attitude has it, and for
  /// no longer than a car so slow can brake. One that has just become slow may have braked evenly for longer.
  @inline(__always) private var isChangingSpeed: Bool {
    let steadyFor = rest.detector.steadyFor
    let lasted = rest.slowFor > 0 ? min(rest.slowFor, steadyFor) : steadyFor
    guard !rest.isStanding, lasted < settings.standstill.longestSlowBraking else { return false }
    let force = filter.state.navFromBody * (rest.detector.meanForce - filter.state.accelBias)
    let tilt = filter.covariance[StateBlock.attitude, StateBlock.attitude].diagonal
    let sigma = filter.strapdown.gravity * max(tilt.x, tilt.y).squareRoot()
    // A navigator that still looks for its heading is tilted by what it took the last turn for.
    let limit = settings.standstill.restForce + 3 * sigma
    return force.horizontalNorm
      > (mounting.isKnown ? min(limit, settings.standstill.largestRestForce) : limit)
  }

  /// Zero velocity, and zero rate but for the Earth's and the gyroscope's bias: on a turntable only the first
  /// holds, in a lift not for the vertical.
  private mutating func hold(report: (MeasurementVerdict) -> Void) {
    let turning = turningRate
    let isTurned = turning > 0
    if isTurned { rest.last.turnedFor += StillnessDetector.binLength }
    let sigma = settings.standstill.sigma + (isTurned ? turning * settings.carriage.turntableRadius : 0)
    var velocity = Standstill.velocity(filter.state, noise: sigma * sigma)
    let isLifted = carriage.reason == .lifted && abs(filter.state.velocity.z) > verticalGate
    if isLifted { velocity = velocity.keeping(first: 2) }
    report(.init(time, .stillness, filter.apply(velocity), isLifted ? 2 : 3))
    filter.unaided.boundSpeed(rest.last.isAssumed ? max(sigma, settings.standstill.creepSigma) : sigma)
    if rest.last.isAssumed { allowForCreeping() }
    if isTurned {
      if !isCarried { carriage.begin(.turned) }
      rest.last.turnedAt = time
    }
    // A plate runs out slowly. Its last rate, taken for the bias, would turn the heading
    // back by all the time before.
    if time.seconds(since: rest.last.turnedAt) < 1.5 { return }
    if !isLifted {
      rest.last.stoodAt = time
      rest.last.stoodFor += StillnessDetector.binLength
      rest.last.rate +=
        (rest.detector.meanRate - rest.last.rate)
        * min(1, StillnessDetector.binLength / min(rest.last.stoodFor, 10))
      rest.last.force = rest.detector.steadyMeans?.force ?? rest.detector.meanForce
      rest.last.forceLimit = rest.detector.forceLimit
    }
    learnRestingNoise()
    var atMean = filter.state
    atMean.angularRate = filter.state.corrected(angularRate: rest.detector.meanRate)
    let error = max(rest.detector.rateError, settings.standstill.rateSigma)
    let earth = filter.strapdown.rates(velocity: .zero).earth
    _ = filter.apply(
      Standstill.angularRate(atMean, earthRate: earth, noise: error * error), degreesOfFreedom: 4)
  }

  /// Learns the IMU's noise from a bin at rest.
  @inline(never) private mutating func learnRestingNoise() {
    if isDisabled(.learnedNoise) { return }
    inertial.restingNoise.add(rate: rest.detector.meanRate, force: rest.detector.meanForce, at: time)
    inertial.restingNoise.apply(to: &noise, base: settings.processNoise)
  }

  /// What is as quiet as a car at rest may creep, evenly: the place grows uncertain with the time at rest.
  @inline(never) private mutating func allowForCreeping() {
    let variance = settings.standstill.creepSigma * settings.standstill.creepSigma
    let grown = 2 * variance * rest.last.stoodFor * StillnessDetector.binLength
    filter.inflate(StateBlock.velocity, variances: Vector3(variance, variance, 0))
    filter.inflate(StateBlock.position, variances: Vector3(grown, grown, 0))
  }

  /// Rate in rad/s at which the standing car is being turned: what has come on top of the rate at rest since
  /// it stopped. A rate that was there from the start is bias.
  @inline(__always) private var turningRate: Double {
    guard !isDisabled(.carriage), rest.last.stoodFor >= settings.carriage.standBeforeTurning,
      rest.last.turnedFor < settings.carriage.longestLift
    else { return 0 }
    let last = max(rest.last.stoodAt, rest.last.turnedAt)
    guard time.seconds(since: last) < settings.standstill.pullingAwayTime else { return 0 }
    let down = filter.state.navFromBody.inverse * Vector3(0, 0, 1)
    let rate = abs((rest.detector.meanRate - rest.last.rate).dot(down))
    return rate > settings.carriage.turningRate + 3 * rest.detector.rateError ? rate : 0
  }

  /// Compares a standstill with the receiver's velocity, and lets go where that moves.
  mutating func checkStandstill(_ velocity: Vector3, of fix: GNSSFix) {
    guard rest.isStanding, !isDisabled(.carriage), isFelt(velocity.horizontalNorm) else { return }
    guard rest.last.watch.moves(velocity, sigma: drivenVelocitySigma(fix), at: fix.time) else { return }
    rest.isStanding = false
    rest.detector = StillnessDetector()
    let variance = velocity.horizontalNorm * velocity.horizontalNorm
    filter.inflate(StateBlock.velocity, variances: Vector3(repeating: variance))
  }

  /// Vertical speed that a standing car may seem to have, m/s.
  @inline(__always) private var verticalGate: Double {
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity].z.z
    return min(settings.standstill.speed + 2 * variance.squareRoot(), 3 * settings.standstill.speed)
  }

  /// Where the speed is not known yet: whether the IMU has long been steady and the fixes
  /// have stayed where they were.
  @inline(__always) private var hasNotMoved: Bool {
    guard rest.detector.steadyFor >= settings.standstill.firstDelay, fixes.motion.isRecent(at: time) else {
      return false
    }
    let motion = fixes.motion
    guard !motion.isLeaving else { return false }
    // The first fixes after a gap say next to nothing yet: a speed that is known outweighs them.
    guard motion.sigma < settings.standstill.speedSigma || couldRest else { return false }
    return motion.settledSigma < settings.standstill.speedSigma && motion.speed < 0.2 + 2 * motion.sigma
  }

  /// Whether the speed is none within what it is known by.
  @inline(__always) private var couldRest: Bool {
    filter.state.velocity.horizontalNorm
      < settings.standstill.speed + settings.standstill.quietGate * speedSigma
  }

  /// Where the speed is not known to be next to nothing: whether the car stands by fixes that stay where they
  /// were, or by its quiet where no fix that is believed says that it moves. Nothing else bounds the speed in
  /// an outage. (Apart: inlined, it costs every standstill 3,600 instructions. Nothing changes; but what is
  /// not `mutating` is copied as a whole for each call.)
  @inline(never) private var seemsToRest: Bool {
    mutating get {
      let sigma = speedSigma
      if sigma >= settings.standstill.speedSigma || rest.last.isAssumed, hasNotMoved { return true }
      let moves =
        fixes.motion.isRecent(at: time) && !hypotheses.isContested && !fixes.motion.isAtRest
      return !moves && couldRest
        && (rest.isQuiet(
          for: settings.standstill.firstDelay, excess: settings.carriage.minimumVibrationLogRatio)
          || rest.isSteadierThanDriving(
            for: settings.standstill.firstDelay, rate: settings.standstill.evenDrivingRate))
    }
  }

  /// Standard deviation of the horizontal velocity, m/s: the larger of the two.
  @inline(__always) private var speedSigma: Double {
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity]
    return max(variance.x.x, variance.y.y).squareRoot()
  }

  /// Whether a wheel speed that is believed says that the car goes.
  @inline(__always) private var wheelsTurn: Bool {
    guard let wheel = wheels.last, wheels.watch.isTrusted else { return false }
    return time.seconds(since: wheel.time) < 0.5 && abs(wheel.speed) > 0.3
  }

  /// Whether the speed is known, and next to nothing.
  @inline(__always) private var isKnownSlow: Bool {
    let sigma = speedSigma
    return sigma < settings.standstill.speedSigma
      && filter.state.velocity.horizontalNorm
        < min(settings.standstill.speed + 2 * sigma, 3 * settings.standstill.speed)
  }
}
