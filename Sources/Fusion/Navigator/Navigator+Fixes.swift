import LinearAlgebra
import Navigation

extension Navigator {
  /// Takes a fix that holds at the navigator's time: velocity first, it survives
  /// canyons better than position.
  mutating func update(_ fix: GNSSFix, report: (MeasurementVerdict) -> Void) {
    var foresight = Foresight()
    update(fix, foreseeing: &foresight, report: report)
    fixes.lastHeard = fix.time
    filter.unaided.weigh()
  }

  private typealias Foresight = ErrorStateFilter<Recorder>.Foresight

  /// The same with memory for what is foreseen: apart, or the compiler would make it elsewhere and copy it.
  @inline(never) private mutating func update(
    _ fix: GNSSFix, foreseeing foresight: inout Foresight, report: (MeasurementVerdict) -> Void
  ) {
    var finding = fixes.extrapolation.examine(fix, speed: certainSpeed)
    if isDisabled(.extrapolationCheck) { finding = .init() }
    let errors = advanceGNSSPositionBias(to: fix)
    let velocity = isDisabled(.gnssVelocity) || finding.velocity ? nil : fix.velocityNED
    if finding.velocity { report(.init(fix.time, .gnssVelocity, .extrapolated)) }
    let hasVelocity = velocity != nil
    let lag = knownLag
    let measured = GNSSVelocity.measurement(
      filter.state, velocity: velocity ?? .zero, noise: receiver.velocityNoise(fix, lag: lag), knownLag: lag)
    if let velocity { watchLeap(velocity, of: fix, innovation: measured.innovation) }
    watchPlaces(of: fix, errors)
    let isAstray = fixes.leap.isAstray
    if !finding.position, !finding.velocity, !fixes.areAstray { watchCarriage(fix) }
    if let velocity, !isAstray { checkStandstill(velocity, of: fix) }
    let isForeseen = hasVelocity && filter.foresee(measured, &foresight)
    let isBorneOut = isForeseen && foresight.normalizedInnovationSquared < Self.velocityGate
    guard !finding.position else {
      if hasVelocity, !isAstray {
        update(velocity: measured, isForeseen: isForeseen, &foresight, of: fix, report: report)
      }
      report(.init(fix.time, .gnssPosition, .extrapolated))
      return
    }
    if isBorneOut { filter.unaided.dropRunaways() }
    var (decision, unaided) = judge(fix, errors, isVelocityBorneOut: hasVelocity ? isBorneOut : nil)
    // Who is moved to where the fixes are goes as they do.
    if case .move(let offset, nil) = decision, unaided == nil, isForeseen, !isBorneOut {
      decision = .move(
        offset: offset, rate: Vector3(measured.innovation.x, measured.innovation.y, 0))
    }
    let separation = unaided.map { filter.unaided.separation(of: $0) }
    if hasVelocity, !isAstray, decision.isUsed || isBorneOut {
      update(velocity: measured, isForeseen: isForeseen, &foresight, of: fix, report: report)
    } else if hasVelocity {
      report(.init(fix.time, .gnssVelocity, .outlier))
    }
    updatePosition(of: fix, errors, foreseeing: &foresight, decision: decision, report: report)
    if case .move = decision, let separation { recall(separation) }
    if !hypotheses.isContested { filter.renewUnaided(at: fix.time) }
    if decision.isUsed { learnNoise(at: fix.time) }
    doubtDelay()
  }

  /// Looks whether the receiver's velocity goes on as the car's is felt to.
  private mutating func watchLeap(_ velocity: Vector3, of fix: GNSSFix, innovation: Vector3) {
    guard mounting.isKnown, !isOdometry else { return }
    let state = filter.state
    fixes.leap.add(
      .init(
        measured: velocity, reckoned: inertial.velocityChange, acceleration: state.acceleration,
        delay: state.velocityDelay, sigma: receiver.velocitySigma(fix)),
      innovation: innovation, at: fix.time)
  }

  /// Looks whether its places do.
  private mutating func watchPlaces(of fix: GNSSFix, _ errors: FixErrors) {
    guard mounting.isKnown, !isOdometry else { return }
    let state = filter.state
    fixes.placeLeap.add(
      fix.position, variance: errors.white.x, velocity: state.velocity, reckoned: inertial.velocityChange,
      acceleration: state.acceleration, at: fix.time)
  }

  /// What to do with a fix, and the index of the unaided solution that tells where it is.
  private mutating func judge(
    _ fix: GNSSFix, _ errors: FixErrors, isVelocityBorneOut: Bool?
  ) -> (PositionHypotheses.Decision, Int?) {
    let curvature = filter.curvature()
    let innovation = GNSSPosition.innovation(filter.state, position: fix.position, by: curvature)
    let isAskew = carriage.reason == .askew
    let best =
      mounting.isKnown && !isDisabled(.unaidedSolutions)
      ? filter.unaided.best(at: innovation, noise: errors.horizontal) : nil
    var sighted = SightedFix(
      innovation + filter.state.gnssPositionBias, innovation: innovation, at: fix.time, own: fixSpread,
      white: errors.white.x + fixes.astrayVariance(at: fix.time, innovation: innovation),
      velocitySigma: levelSpeedSigma, isVelocityBorneOut: isVelocityBorneOut,
      isInertial: mounting.isKnown && !isAskew && (!rest.isStanding || isRestBorneOut))
    sighted.evidence = best?.evidence ?? 0
    sighted.isStanding = rest.isStanding
    sighted.isAskew = isAskew
    // A height that betrays the fixes betrays the guard that is where they are.
    sighted.isGuardThere = witness.guardAgreement.isFirm && heightVariance(fix, white: errors.white.z) == 0
    let isForeseen = sighted.evidence > UnaidedSolutions.leastEvidence
    return (hypotheses.judge(sighted), isForeseen ? best?.index : nil)
  }

  /// Whether fixes or its quiet have borne out the standstill: since then nothing was felt that could
  /// have set the car in motion.
  var isRestBorneOut: Bool {
    time.seconds(since: max(rest.last.borneOutAt, rest.last.quietAt)) < settings.standstill.restMemory
  }

  /// The least speed that the car has for certain, m/s: what one fix beside the others has made
  /// of a standing car is none.
  private var certainSpeed: Double { max(0, filter.state.velocity.horizontalNorm - 2 * levelSpeedSigma) }

  /// Standard deviation of the level velocity along the axis that is known worse, m/s.
  @inline(__always) private var levelSpeedSigma: Double {
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity].diagonal
    return max(variance.x, variance.y, 0).squareRoot()
  }

  private mutating func update(
    velocity measurement: Measurement<some Relation>, isForeseen: Bool,
    _ foresight: inout Foresight, of fix: GNSSFix, report: (MeasurementVerdict) -> Void
  ) {
    let update =
      isForeseen
      ? filter.apply(
        measurement, foreseen: &foresight,
        degreesOfFreedom: isDisabled(.robustWeights) ? nil : settings.fixes.velocityDegreesOfFreedom,
        isAiding: true) : nil
    if let update {
      explain(update)
      agree(update, over: fix.time.seconds(since: fixes.last))
      if !isDisabled(.learnedNoise) {
        receiver.hear(
          vertical: measurement.dimension == 3 && !rest.isStanding ? measurement.innovation.z : nil, of: fix)
        receiver.adaptVelocity(update, dimension: measurement.dimension, lag: knownLag)
      }
    }
    report(.init(fix.time, .gnssVelocity, update, measurement.dimension))
  }

  /// Normalized innovation squared up to which a velocity bears out the filter's. [chosen: 5 sigma]
  private static var velocityGate: Double { 25 }

  private mutating func updatePosition(
    of fix: GNSSFix, _ errors: FixErrors, foreseeing foresight: inout Foresight,
    decision: PositionHypotheses.Decision, report: (MeasurementVerdict) -> Void
  ) {
    let curvature = filter.curvature()
    let astray = fixes.astrayVariance(
      at: fix.time,
      innovation: GNSSPosition.innovation(filter.state, position: fix.position, by: curvature))
    let excess = receiver.noise(ofLasting: heightVariance(fix, white: errors.white.z) + astray)
    let noise = Matrix3(diagonal: errors.white + Vector3(excess, excess, 0))
    var measurement = GNSSPosition.measurement(
      filter.state, position: fix.position, noise: noise, by: curvature)
    let distance = measurement.innovation + filter.state.gnssPositionBias
    let isHeightOff = measurement.dimension == 3 && isHeightOff(measurement)
    // A leap of the height is no motion of a car, and must not spoil what the fix says of the place.
    let isUsed: Bool
    switch decision {
    case .use, .weigh: isUsed = true
    case .exclude, .move: isUsed = false
    }
    if isHeightOff
      || measurement.dimension == 3 && isUsed
        && correctBarometer(distance.z, white: measurement.noise.z.z, by: fix)
    {
      measurement = measurement.keeping(first: 2)
    }
    let elapsed = fix.time.seconds(since: fixes.last)
    switch decision {
    case .use, .weigh:
      fixes.last = fix.time
      apply(
        measurement, foreseeing: &foresight, of: fix, errors, distance: distance, isHeightOff: isHeightOff,
        elapsed: elapsed, report: report)
    case .exclude:
      let examined = filter.examine(measurement, degreesOfFreedom: settings.fixes.positionDegreesOfFreedom)
      if let examined { explain(examined) }
      report(.init(fix.time, .gnssPosition, .outlier))
    case .move(let offset, let rate):
      let examined = filter.examine(measurement, degreesOfFreedom: settings.fixes.positionDegreesOfFreedom)
      if let examined { explain(examined) }
      fixes.last = fix.time
      let height = filter.state.position.height
      move(by: offset, at: fix, rate: rate)
      keepBarometricHeight(height)
      report(.init(fix.time, .gnssPosition, examined, measurement.dimension))
    }
  }

  private mutating func apply(
    _ measurement: Measurement<some Relation>, foreseeing foresight: inout Foresight, of fix: GNSSFix,
    _ errors: FixErrors, distance: Vector3, isHeightOff: Bool, elapsed: Double,
    report: (MeasurementVerdict) -> Void
  ) {
    let share = fixShare(errors)
    let before = filter.state.position
    defer { fixes.reckoned.note(fix, at: filter.state.position) }
    let update = filter.apply(
      measurement, foreseeing: &foresight,
      degreesOfFreedom: isDisabled(.robustWeights) ? nil : settings.fixes.positionDegreesOfFreedom,
      isAiding: true)
    fixes.heightDoubt.add(
      isHeightOff ? (distance - filter.state.position.ned(from: before)).z : 0, isOff: isHeightOff,
      elapsed: elapsed)
    if fixes.heightDoubt.isCertain {
      forgetHeight(at: fix)
    } else if let update {
      explain(update)
      if fix.velocityNED == nil { agree(update, over: elapsed) }
      if !isDisabled(.learnedNoise), !fixes.areAstray {
        let growth = receiver.learn(
          fix, errors, error: isHeightOff ? Vector3(distance.x, distance.y, 0) : distance, share: share,
          track: track(at: fix, from: before))
        noise.trackShare = receiver.trackShare
        if growth > 1 { doubtStart(growth) }
      }
    }
    report(.init(fix.time, .gnssPosition, update, measurement.dimension))
  }

  /// How a fix lies to the way that was reckoned to the position `before` it.
  private mutating func track(at fix: GNSSFix, from before: GeodeticPosition) -> TrackAtFix {
    let position = filter.covariance[StateBlock.position, StateBlock.position].diagonal
    return TrackAtFix(
      step: fixes.reckoned.step(to: fix, from: before),
      positionVariance: (position.x + position.y) / 2,
      velocityVariance: filter.covariance[StateBlock.velocity, StateBlock.velocity].diagonal,
      isMoving: filter.state.velocity.horizontalNorm > 1)
  }

  /// Covariance of the position with the lasting error of the fixes, m².
  @inline(__always) var fixSpread: Matrix3 {
    let shared = filter.covariance[StateBlock.position, StateBlock.gnssPositionBias]
    return filter.covariance[StateBlock.position, StateBlock.position]
      + filter.covariance[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias] + shared
      + shared.transpose
  }

  /// Whether a height lies further off than any error that is believed possible.
  @inline(__always) private func isHeightOff(_ measurement: Measurement<some Relation>) -> Bool {
    let p = filter.covariance[StateBlock.position, StateBlock.position].z.z
    let shared = filter.covariance[StateBlock.position, StateBlock.gnssPositionBias].z.z
    let e = filter.covariance[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias].z.z
    let variance = max(0, p + 2 * shared + e) + measurement.noise.z.z
    return abs(measurement.innovation.z) > max(settings.fixes.heightLeap, 6 * variance.squareRoot())
  }

  /// Part of the spread between a fix and the position that is the fix's own, 0 to 1.
  @inline(__always) private func fixShare(_ errors: FixErrors) -> Double {
    let own = errors.horizontal
    let position = filter.covariance[StateBlock.position, StateBlock.position].diagonal
    return own / (own + (position.x + position.y) / 2)
  }

  /// What an earlier fix put into the lasting error goes as the stated accuracy says, not
  /// at the pace of multipath.
  private mutating func forgetWorse(than lasting: Vector3) {
    let believed = filter.covariance[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias].diagonal
    guard let factors = ReceiverModel.convergence(believed: believed, lasting: lasting) else { return }
    filter.decayGNSSPositionBias(by: factors)
  }

  @inline(__always) private mutating func explain(_ update: FilterUpdate) {
    if witness.isAsked { witness.logLikelihood += update.logDensity }
  }

  private mutating func agree(_ update: FilterUpdate, over elapsed: Double) {
    witness.agreement +=
      (update.weight - witness.agreement) * min(1, max(elapsed, 0) / settings.challenge.agreementTime)
  }

  /// Position and heading were found with fixes that turn out worse than they were taken for.
  private mutating func doubtStart(_ growth: Double) {
    filter.inflate(StateBlock.position, by: Vector3(growth, growth, 1))
    filter.inflate(StateBlock.attitude, by: Vector3(1, 1, growth))
  }

  /// Lets the lasting error of the fixes fade since the one before, nominal and covariance alike; returns
  /// what is believed of this one's errors.
  private mutating func advanceGNSSPositionBias(to fix: GNSSFix) -> FixErrors {
    let speed = filter.state.velocity.horizontalNorm
    receiver.hear(fix)
    let fade = receiver.correlation(at: fix.time, speed: speed)
    barometer.fade *= fade
    let errors = receiver.errors(of: fix)
    forgetWorse(than: errors.lasting)
    filter.decayGNSSPositionBias(by: Vector3(repeating: fade), variances: errors.lasting * (1 - fade * fade))
    return errors
  }
}
