import CLibrary
import LinearAlgebra
import Navigation

/// What the guard makes of a fix.
extension PlanarNavigator {
  /// The way of fixes that are left out.
  struct OtherTrack: Sendable {
    var position: GeodeticPosition, time: Timestamp
    var velocity: Vector3?
    var since: Timestamp
  }

  /// Takes a fix that holds at the navigator's time.
  package mutating func update(_ fix: GNSSFix) {
    let errors = fadeGNSSPositionBias(to: fix)
    doubtGNSSPositionBias(of: fix, lasting: errors.lasting)
    lastFix = fix.time
    let borneOut = takeVelocity(of: fix)
    let curvature = nearbyCurvature.at(position)
    let distance = offset(to: fix, by: curvature)
    let own = positionCovariance + gnssPositionBiasCovariance
    var sighted = SightedFix(
      distance, innovation: distance - gnssPositionBias, at: fix.time, own: own, white: errors.white.x,
      velocitySigma: max(velocityCovariance.x.x, velocityCovariance.y.y, 0).squareRoot(),
      isVelocityBorneOut: borneOut, isInertial: false)
    if let steadyPlace, !settings.disabled.contains(.unaidedSolutions) {
      sighted.evidence = steadyPlace.evidence(
        for: sighted.innovation, foreseen: foreseen, noise: errors.horizontal)
    }
    let decision = hypotheses.judge(sighted)
    switch decision {
    case .use, .weigh:
      let before = position
      takePosition(of: fix, errors, distance: distance)
      hypotheses.correct(by: position.ned(from: before, by: curvature))
      if case .use = decision { otherTrack = nil } else { follow(fix, white: errors.white.x) }
    case .exclude: follow(fix, white: errors.white.x)
    case .move(let offset, let rate):
      move(by: offset, at: fix, rate: rate)
      if rate == nil { steadyPlace?.isLeft = sighted.evidence < UnaidedSolutions.leastEvidence }
      // A place that is taken again and again, and left again as often, is a velocity that is wrong.
      follow(fix, white: errors.white.x)
    }
    bound(at: fix)
  }

  /// Change of the velocity, level, m/s².
  @inline(__always) var acceleration: Vector3 {
    let along = (velocity - earlierVelocity) / Self.changeTime
    return Vector3(along.x - turnRate * velocity.y, along.y + turnRate * velocity.x, 0)
  }

  @inline(__always) private func offset(to fix: GNSSFix, by curvature: Curvature) -> Vector3 {
    var measured = fix.position
    if !measured.height.isFinite { measured.height = position.height }
    return measured.ned(from: position, by: curvature)
  }

  /// Whether the receiver's velocity agrees with the navigator's; nil where it states none.
  mutating func takeVelocity(of fix: GNSSFix) -> Bool? {
    guard var measured = fix.velocityNED, !settings.disabled.contains(.gnssVelocity) else { return nil }
    let hasVertical = measured.z.isFinite
    if !hasVertical { measured.z = velocity.z }
    let change = acceleration
    var noise =
      receiver.velocityNoise(fix, lag: velocityDelay)
      + Matrix3(outer: change, change) * (velocityDelayVariance * receiver.fixes(in: VelocityLag.window))
    let speed = measured.horizontalNorm
    // What a receiver says of a car that stands has a direction too, and keeps it: a dead band, as of wheels.
    if speed < Self.creepSpeed {
      (measured.x, measured.y) = (0, 0)
      (noise.x.x, noise.y.y) = (max(noise.x.x, speed * speed), max(noise.y.y, speed * speed))
    }
    let update = apply(
      measured - velocity + change * velocityDelay,
      Term(Block.velocity, IdentityMatrix()),
      noise: noise,
      dimension: hasVertical ? 3 : 2,
      degreesOfFreedom: settings.fixes.velocityDegreesOfFreedom)
    guard let update else { return nil }
    if !settings.disabled.contains(.learnedNoise) {
      receiver.adaptVelocity(update, dimension: update.dimension, lag: velocityDelay)
    }
    return update.normalizedInnovationSquared < 25
  }

  private mutating func takePosition(
    of fix: GNSSFix, _ errors: FixErrors, distance: Vector3
  ) {
    let hasHeight = fix.position.height.isFinite
    let own = errors.horizontal
    let p = positionCovariance
    let share = own / (own + (p.x.x + p.y.y) / 2)
    let before = position
    defer { reckoned.note(fix, at: position) }
    let update = apply(
      distance - gnssPositionBias,
      Term(Block.position, IdentityMatrix()) + Term(Block.gnssPositionBias, IdentityMatrix()),
      noise: errors.noise,
      dimension: hasHeight ? 3 : 2, degreesOfFreedom: settings.fixes.positionDegreesOfFreedom)
    guard update != nil, !settings.disabled.contains(.learnedNoise) else { return }
    let track = TrackAtFix(
      step: reckoned.step(to: fix, from: before),
      positionVariance: (positionCovariance.x.x + positionCovariance.y.y) / 2,
      velocityVariance: velocityCovariance.diagonal, isMoving: velocity.horizontalNorm > 1)
    let growth = receiver.learn(fix, errors, error: distance, share: share, track: track)
    if growth > 1 { inflate(Block.position, by: Vector3(growth, growth, 1)) }
  }

  /// Takes the place that the fixes speak for, of which `fix` is the newest.
  mutating func move(by offset: Vector3, at fix: GNSSFix, rate: Vector3?) {
    position = position.moved(byNED: offset)
    if fix.position.height.isFinite { position.height = fix.position.height }
    // What was learned of fixes by their distance from the place that was left is of no use.
    receiver.forget()
    reckoned = ReckonedStep()
    let errors = receiver.errors(of: fix)
    resetPlace(white: errors.noise, lasting: Matrix3(diagonal: errors.lasting))
    moves += 1
    guard let rate else { return }
    velocity += rate
    let speed = rate.horizontalNorm
    reset(
      Block.velocity, covariance: Matrix3(diagonal: Vector3(9 + speed * speed / 4, 9 + speed * speed / 4, 4)))
    headingSigma = .pi
  }

  /// Goes on from where fixes were late by `seconds` to where they are not any more.
  mutating func advance(by seconds: Double) {
    let way = velocity * seconds, turn = acceleration * seconds
    position = position.moved(byNED: way)
    inflate(Block.position, variances: way.scaled(by: way))
    inflate(Block.velocity, variances: turn.scaled(by: turn))
  }

  /// Begins anew where fixes that are left out, or weighed down to nothing, go as a car goes and not as the
  /// navigator: no two of them are of one place beside its track.
  ///
  /// - Parameter white: variance per horizontal axis of what changes from fix to fix, m².
  mutating func follow(_ fix: GNSSFix, white: Double) {
    let before = otherTrack
    // Of fixes that are nearer the noise alone would be a motion.
    if let before, 0..<Self.trackStep ~= fix.time.seconds(since: before.time) { return }
    otherTrack = OtherTrack(position: fix.position, time: fix.time, velocity: nil, since: fix.time)
    guard let before else { return }
    let dt = fix.time.seconds(since: before.time)
    guard dt > 0, dt < Self.longestTrackPause else { return }
    var from = before.position
    if !from.height.isFinite || !fix.position.height.isFinite { from.height = fix.position.height }
    let step = (from.height.isFinite ? fix.position.ned(from: from) : .zero) / dt
    let went = Vector3(step.x, step.y, 0)
    let noise = 3 * (2 * white).squareRoot() / dt
    if let v = before.velocity, (went - v).norm > Self.hardest * dt + noise { return }
    otherTrack?.velocity = went
    otherTrack?.since = before.since
    guard fix.time.seconds(since: before.since) > Self.followedAfter, went.norm < Self.fastest,
      (went - velocity).horizontalNorm > Self.runaway + noise
    else { return }
    begin(at: fix)
    if fix.velocityNED == nil { velocity = went }
    headingSigma = .pi
    hypotheses.forget()
    otherTrack = nil
    moves += 1
  }

  /// A lasting error that is larger than it should be may be the navigator's own: a velocity that is late
  /// leads it astray, and nothing else here shows it.
  private mutating func doubtGNSSPositionBias(of fix: GNSSFix, lasting: Vector3) {
    let excess =
      (gnssPositionBias.x * gnssPositionBias.x + gnssPositionBias.y * gnssPositionBias.y) / 2 - lasting.x
    let elapsed = min(max(fix.time.seconds(since: lastFix), 0), 1)
    guard excess > 0 else { return }
    let doubt = excess * Self.doubtRate * elapsed
    inflate(Block.position, variances: Vector3(doubt, doubt, 0))
  }

  /// Lets the lasting error of the fixes fade since the one before; returns what is
  /// believed of this one's errors.
  mutating func fadeGNSSPositionBias(to fix: GNSSFix) -> FixErrors {
    receiver.hear(fix)
    let fade = receiver.correlation(at: fix.time, speed: velocity.horizontalNorm)
    let errors = receiver.errors(of: fix)
    let believed = covariance[Block.gnssPositionBias, Block.gnssPositionBias].diagonal
    let left =
      (ReceiverModel.convergence(believed: believed, lasting: errors.lasting) ?? Vector3(repeating: 1)) * fade
    decayGNSSPositionBias(by: left, variances: errors.lasting * (1 - fade * fade))
    return errors
  }
}
