// The guard's model, in a local plane: position p, velocity v, bias b of the rate about gravity, lasting error e of the
// fixes, scale κ of the wheel speed, lag d of the receiver's velocity. Over a step in which the IMU turned by θ about
// gravity,
//   v ← R(θ − b Δt) v + a Δt,   p ← p + v Δt,   b ← b + noise
// with a as large as the accelerometer's departure from gravity says along v, and small across it. A velocity is
//   z = v − v̇ d + noise
// with v̇ the turning of v, and how its length has changed over the last second.
import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The guard: a navigator of the plane that needs no mounting, no heading and no start.
///
/// It runs from the first fix on, on fixes, the angle turned about gravity, and wheel speed. It is the solution until the
/// heading is known, and what the full filter is judged by after that: it assumes next to nothing, so it is hard to be wrong.
package struct PlanarNavigator: Sendable {
  /// Blocks of its state.
  private enum Block {
    static let position = 0, velocity = 1
    /// Rate bias, rad/s, scale of the wheel speed, and lag of the receiver's velocity, s.
    static let calibration = 2
    static let fixError = 3
  }

  /// Steps are no longer than this, s.
  private static let longestStep = 0.5
  /// Noise of the acceleration along the way of a steady car, m/s/√s, and its growth per m/s² felt. [chosen]
  private static let leastAcceleration = 0.06, accelerationShare = 1.5
  /// The same of a car of which no accelerometer tells. [chosen: half a g for a second or two]
  private static let unfeltAcceleration = 2.5
  /// Noise across the way where the turning is measured, m/s/√s, and per m/s of speed (rad/√s). [chosen]
  private static let slip = 0.15, turnNoise = 0.004
  /// Vertical noise, m/s/√s: roads slope.
  private static let climbNoise = 0.3
  /// The velocity that nothing is heard of fades over this time, s: a car stops some day. [chosen]
  private static let fading = 40.0
  /// Standard deviation of the rate's bias at the start, rad/s, and its random walk, rad/s/√s. [data sheet: 3 °/s]
  private static let biasSigma = 0.05, biasWalk = 5e-5
  /// Standard deviation of the wheel speed's scale. [chosen]
  private static let wheelScaleSigma = 0.05
  /// Speed under which a car whose IMU is steady is taken to stand, m/s, and what a fifth of a second of that says of its
  /// velocity, m/s, and of the rate's bias, rad/s. [chosen]
  private static let restSpeed = 0.7, restSigma = 0.7, restRateSigma = 0.02
  /// Speed from which motion shows the course, m/s.
  private static let courseSpeed = 2.0
  /// Time over which the change of the velocity is taken, s, and the lags that a receiver's velocity may have. [chosen]
  private static let changeTime = 1.0, delays = -0.5...2.5
  /// Fixes go as a car goes for so long, s, with pauses up to this, s, under this speed and this change of it, m/s and m/s², and
  /// so much unlike the navigator, m/s, that it has run away. [chosen]
  private static let followedAfter = 4.0, longestTrackPause = 3.0, fastest = 70.0, hardest = 8.0,
    runaway = 15.0
  /// A lag that makes a difference at the start, s, and what one is off by besides its covariance, s. [chosen]
  private static let clearDelay = 0.2, delayError = 0.1

  package private(set) var time: Timestamp
  package private(set) var position: GeodeticPosition
  /// m/s in NED.
  package private(set) var velocity: Vector3
  private var turnBias = 0.0
  private var wheelScale = 0.0
  private var velocityDelay = 0.0
  /// The velocity of about a second ago, turned as the car has turned since, m/s.
  private var earlierVelocity = Vector3.zero
  /// How fast the car turns to the right, rad/s.
  private var turnRate = 0.0
  private var turnVariance = 0.0
  package private(set) var fixError = Vector3.zero
  private var covariance = Covariance<4>()
  package private(set) var receiver: ReceiverModel
  /// Which place the fixes speak for.
  package private(set) var hypotheses = PositionHypotheses()
  /// Direction of the car's axis along which it last drove, rad, and its standard deviation; π while not known.
  private var heading = 0.0
  private var headingSigma = Double.pi
  private var reckoned = ReckonedStep()
  /// The way of fixes that are left out.
  private struct OtherTrack: Sendable {
    var position: GeodeticPosition, time: Timestamp
    var velocity: Vector3?
    var since: Timestamp
  }
  private var otherTrack: OtherTrack?
  private var lastFix: Timestamp
  private var lastTurn: Timestamp
  private let settings: FusionConfiguration
  /// Logarithm of the density of the newest fix: how well it was foreseen.
  package private(set) var logDensity = 0.0
  /// How often the place was taken anew.
  package private(set) var moves = 0

  /// A navigator about a first fix.
  package init(fix: GNSSFix, receiver: ReceiverModel, settings: FusionConfiguration) {
    self.receiver = receiver
    self.settings = settings
    time = fix.time
    lastFix = fix.time
    lastTurn = fix.time
    position = fix.position
    velocity = .zero
    begin(at: fix)
  }

  /// Takes place and velocity from a fix alone.
  private mutating func begin(at fix: GNSSFix) {
    position = fix.position
    let hasHeight = position.height.isFinite
    if !hasHeight { position.height = 0 }
    velocity = fix.velocityNED ?? .zero
    if !velocity.z.isFinite { velocity.z = 0 }
    fixError = .zero
    let lasting = Matrix3(diagonal: receiver.lastingVariance(fix))
    covariance = Covariance()
    covariance[Block.position, Block.position] = receiver.positionNoise(fix) + lasting
    if !hasHeight {
      let any = settings.unknownHeightSigma * settings.unknownHeightSigma
      covariance.addNoise(Block.position, variances: Vector3(0, 0, any))
    }
    covariance[Block.fixError, Block.fixError] = lasting
    covariance[Block.position, Block.fixError] = -lasting
    covariance[Block.velocity, Block.velocity] =
      fix.velocityNED == nil ? Matrix3(diagonal: Vector3(225, 225, 4)) : receiver.velocityNoise(fix)
    covariance[Block.calibration, Block.calibration] = Matrix3(
      diagonal: Vector3(
        Self.biasSigma * Self.biasSigma, Self.wheelScaleSigma * Self.wheelScaleSigma,
        settings.disabled.contains(.receiverLag)
          ? 0 : settings.velocityDelaySigma * settings.velocityDelaySigma))
    earlierVelocity = velocity
  }

  /// Moves on to `end`.
  ///
  /// - Parameters:
  ///   - turn: angle turned to the right about gravity since the last time, rad, and the time that it covers, s; nil where
  ///     nothing measures it.
  ///   - turnVariance: density of its noise, rad²/s, besides what is assumed of any IMU.
  ///   - acceleration: along the ground as felt, m/s²; nil where nothing measures it.
  package mutating func propagate(
    to end: Timestamp, turn: (angle: Double, covered: Double)?, turnVariance: Double = 0,
    acceleration: Double?
  ) {
    self.turnVariance = turnVariance
    let total = end.seconds(since: time)
    guard total > 0 else { return }
    let isTurnKnown = turn.map { $0.covered > 0.5 * total } ?? false
    let rate = isTurnKnown ? (turn?.angle ?? 0) / max(turn?.covered ?? 1, 1e-9) : 0
    let steps = max(1, min(200, (total / Self.longestStep).rounded(.up)))
    for _ in 0..<Int(steps) {
      step(total / steps, rate: isTurnKnown ? rate : nil, acceleration: acceleration)
    }
    time = end
  }

  private mutating func step(_ dt: Double, rate: Double?, acceleration: Double?) {
    let angle = rate.map { ($0 - turnBias) * dt } ?? 0
    let (s, c) = (sin(angle), cos(angle))
    let isAided = time.seconds(since: lastFix) < 2 * Self.fading
    let fade = rate == nil || !isAided ? exp(-dt / Self.fading) : 1
    let turned = Vector3(c * velocity.x - s * velocity.y, s * velocity.x + c * velocity.y, velocity.z) * fade
    position = position.moved(byNED: (velocity + turned) * (dt / 2))
    // The rows below still hold what was at the start of the step.
    covariance.couple(Block.position, Term(Block.velocity, DiagonalMatrix(scalar: dt)))
    let rotation = Matrix3(rows: Vector3(c, -s, 0), Vector3(s, c, 0), Vector3(0, 0, 1)) * fade
    let byBias = rate == nil ? Vector3.zero : Vector3(turned.y, -turned.x, 0) * dt
    covariance.couple(
      Block.velocity,
      Term(Block.velocity, rotation - .identity)
        + Term(Block.calibration, Matrix3(columns: byBias, .zero, .zero)))
    velocity = turned
    turnRate = dt > 0 ? angle / dt : 0
    let earlier = Vector3(
      c * earlierVelocity.x - s * earlierVelocity.y, s * earlierVelocity.x + c * earlierVelocity.y, velocity.z
    )
    earlierVelocity = earlier + (velocity - earlier) * min(1, dt / Self.changeTime)
    addNoise(dt, isTurnKnown: rate != nil, acceleration: acceleration)
    turnHeading(by: angle, dt: dt, isTurnKnown: rate != nil)
  }

  private mutating func addNoise(_ dt: Double, isTurnKnown: Bool, acceleration: Double?) {
    let speed = velocity.horizontalNorm
    let along =
      acceleration.map { Self.leastAcceleration + Self.accelerationShare * $0 } ?? Self.unfeltAcceleration
    let across =
      isTurnKnown
      ? hypot(Self.slip + Self.turnNoise * speed, speed * turnVariance.squareRoot()) : along
    // Of a car that hardly moves nobody knows which way is along.
    let share = min(1, speed / Self.courseSpeed)
    let acrossVariance = along * along + (across * across - along * along) * share
    let u = speed > 1e-3 ? Vector3(velocity.x / speed, velocity.y / speed, 0) : Vector3(1, 0, 0)
    let n = Vector3(-u.y, u.x, 0)
    let q =
      Matrix3(outer: u, u) * (along * along) + Matrix3(outer: n, n) * acrossVariance
      + Matrix3(diagonal: Vector3(0, 0, Self.climbNoise * Self.climbNoise))
    covariance[Block.velocity, Block.velocity] = covariance[Block.velocity, Block.velocity] + q * dt
    covariance.addNoise(Block.calibration, variances: Vector3(Self.biasWalk * Self.biasWalk * dt, 0, 0))
  }

  /// The car keeps its direction while it stands or creeps.
  private mutating func turnHeading(by angle: Double, dt: Double, isTurnKnown: Bool) {
    heading += angle
    let bias = max(0, covariance[Block.calibration, Block.calibration].x.x).squareRoot()
    headingSigma = min(
      .pi, hypot(headingSigma + (isTurnKnown ? bias + 0.0005 : 0.3) * dt, (turnVariance * dt).squareRoot()))
    let speed = velocity.horizontalNorm
    guard speed > Self.courseSpeed else { return }
    let sigma = hypot(acrossSigma / speed, 0.02)
    if sigma < headingSigma {
      heading = atan2(velocity.y, velocity.x)
      headingSigma = sigma
    }
  }

  /// Standard deviation of the velocity across the way, m/s.
  private var acrossSigma: Double {
    let speed = max(velocity.horizontalNorm, 1e-6)
    let n = Vector3(-velocity.y / speed, velocity.x / speed, 0)
    return max(0, n.dot(covariance[Block.velocity, Block.velocity] * n)).squareRoot()
  }

  /// Whether the direction of motion is known.
  package var isCourseKnown: Bool { headingSigma < 0.35 }

  // MARK: Measurements

  /// Takes a fix that holds at the navigator's time.
  package mutating func update(_ fix: GNSSFix) {
    fadeFixError(to: fix)
    logDensity = 0
    lastFix = fix.time
    let borneOut = takeVelocity(of: fix)
    let distance = offset(to: fix)
    let own = positionCovariance + fixErrorCovariance
    switch hypotheses.judge(
      distance, innovation: distance - fixError, at: fix.time, own: own,
      white: receiver.positionNoise(fix).x.x,
      velocitySigma: max(velocityCovariance.x.x, velocityCovariance.y.y, 0).squareRoot(),
      isVelocityBorneOut: borneOut, isInertial: false)
    {
    case .use, .weigh:
      takePosition(of: fix, distance: distance)
      otherTrack = nil
    case .exclude: follow(fix)
    case .move(let offset, let rate):
      move(by: offset, at: fix, rate: rate)
      otherTrack = nil
    }
    bound(at: fix)
  }

  /// Change of the velocity, level, m/s².
  private var acceleration: Vector3 {
    let along = (velocity - earlierVelocity) / Self.changeTime
    return Vector3(along.x - turnRate * velocity.y, along.y + turnRate * velocity.x, 0)
  }

  private func offset(to fix: GNSSFix) -> Vector3 {
    var measured = fix.position
    if !measured.height.isFinite { measured.height = position.height }
    return measured.ned(from: position)
  }

  /// Whether the receiver's velocity agrees with the navigator's; nil where it states none.
  private mutating func takeVelocity(of fix: GNSSFix) -> Bool? {
    guard var measured = fix.velocityNED, !settings.disabled.contains(.gnssVelocity) else { return nil }
    let hasVertical = measured.z.isFinite
    if !hasVertical { measured.z = velocity.z }
    let change = acceleration
    let update = apply(
      measured - velocity + change * velocityDelay,
      [
        Link(Block.velocity, .identity),
        Link(Block.calibration, Matrix3(columns: .zero, .zero, -change)),
      ],
      noise: receiver.velocityNoise(fix), dimension: hasVertical ? 3 : 2,
      degreesOfFreedom: settings.velocityDegreesOfFreedom)
    guard let update else { return nil }
    if !settings.disabled.contains(.learnedNoise) {
      receiver.adaptVelocity(update, dimension: update.dimension)
    }
    return update.normalizedInnovationSquared < 25
  }

  private mutating func takePosition(of fix: GNSSFix, distance: Vector3) {
    let hasHeight = fix.position.height.isFinite
    let noise = receiver.positionNoise(fix)
    let own = noise.x.x + receiver.lastingVariance(fix).x
    let p = positionCovariance
    let share = own / (own + (p.x.x + p.y.y) / 2)
    let before = position
    defer { reckoned.note(fix, at: position) }
    let update = apply(
      distance - fixError, [Link(Block.position, .identity), Link(Block.fixError, .identity)], noise: noise,
      dimension: hasHeight ? 3 : 2, degreesOfFreedom: settings.positionDegreesOfFreedom)
    guard update != nil, !settings.disabled.contains(.learnedNoise) else { return }
    let growth = receiver.learn(
      fix, error: distance, step: reckoned.step(to: fix, from: before), share: share,
      velocityVariance: velocityCovariance.diagonal, isMoving: velocity.horizontalNorm > 1)
    if growth > 1 { covariance.scale(Block.position, by: Vector3(growth, growth, 1)) }
  }

  /// Takes the place that the fixes speak for, of which `fix` is the newest.
  private mutating func move(by offset: Vector3, at fix: GNSSFix, rate: Vector3?) {
    position = position.moved(byNED: offset)
    if fix.position.height.isFinite { position.height = fix.position.height }
    fixError = .zero
    // What was learned of fixes by their distance from the place that was left is of no use.
    receiver.forget()
    reckoned = ReckonedStep()
    let lasting = Matrix3(diagonal: receiver.lastingVariance(fix))
    covariance.isolate(Block.position, receiver.positionNoise(fix) + lasting)
    covariance.isolate(Block.fixError, lasting)
    covariance[Block.position, Block.fixError] = -lasting
    moves += 1
    guard let rate else { return }
    velocity += rate
    let speed = rate.horizontalNorm
    covariance.isolate(
      Block.velocity, Matrix3(diagonal: Vector3(9 + speed * speed / 4, 9 + speed * speed / 4, 4)))
    headingSigma = .pi
  }

  /// Begins anew where fixes that are left out go as a car goes, and nothing like the navigator: no two of them are of one
  /// place beside its track.
  private mutating func follow(_ fix: GNSSFix) {
    let before = otherTrack
    otherTrack = OtherTrack(position: fix.position, time: fix.time, velocity: nil, since: fix.time)
    guard let before else { return }
    let dt = fix.time.seconds(since: before.time)
    guard dt > 0, dt < Self.longestTrackPause else { return }
    var from = before.position
    if !from.height.isFinite || !fix.position.height.isFinite { from.height = fix.position.height }
    let step = (from.height.isFinite ? fix.position.ned(from: from) : .zero) / dt
    let went = Vector3(step.x, step.y, 0)
    let noise = 3 * (2 * receiver.positionNoise(fix).x.x).squareRoot() / dt
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

  private mutating func fadeFixError(to fix: GNSSFix) {
    let fade = receiver.correlation(at: fix.time, speed: velocity.horizontalNorm)
    let lasting = receiver.lastingVariance(fix)
    let believed = covariance[Block.fixError, Block.fixError].diagonal
    let left =
      (ReceiverModel.convergence(believed: believed, lasting: lasting) ?? Vector3(repeating: 1)) * fade
    fixError = fixError.scaled(by: left)
    covariance.scale(Block.fixError, by: left)
    covariance.addNoise(Block.fixError, variances: lasting * (1 - fade * fade))
  }

  /// Takes a wheel speed that holds at the navigator's time.
  package mutating func update(_ wheel: WheelSample) {
    let speed = velocity.horizontalNorm
    if abs(wheel.speed) < 0.1 {
      // Below some speed many sensors give no pulses.
      let sigma = settings.wheelDeadband
      guard speed < 3 * (sigma + acrossSigma) + 1, !hypotheses.isContested, !hypotheses.isBiased else {
        return
      }
      _ = apply(
        -velocity, [Link(Block.velocity, .identity)], noise: Matrix3(scalar: sigma * sigma), dimension: 2,
        degreesOfFreedom: settings.vehicleDegreesOfFreedom)
      return
    }
    guard speed > 0.5, acrossSigma < 0.5 * speed else { return }
    let u = Vector3(velocity.x / speed, velocity.y / speed, 0)
    let sigma = settings.wheelSigma(speed: speed)
    _ = apply(
      Vector3(abs(wheel.speed) - (1 + wheelScale) * speed, 0, 0),
      [
        Link(Block.velocity, Matrix3(rows: u * (1 + wheelScale), .zero, .zero)),
        Link(Block.calibration, Matrix3(rows: Vector3(0, speed, 0), .zero, .zero)),
      ],
      noise: Matrix3(diagonal: Vector3(4 * sigma * sigma, 1, 1)), dimension: 1,
      degreesOfFreedom: settings.vehicleDegreesOfFreedom)
  }

  /// A car moves along the axis that it was last seen to drive along: what a start from rest knows of its course.
  package mutating func keepToHeading() {
    let speed = velocity.horizontalNorm
    guard headingSigma < 0.3, speed < 1.5 * Self.courseSpeed else { return }
    let n = Vector3(-sin(heading), cos(heading), 0)
    let sigma = 0.15 + speed * headingSigma
    _ = apply(
      Vector3(-n.dot(velocity), 0, 0), [Link(Block.velocity, Matrix3(rows: n, .zero, .zero))],
      noise: Matrix3(diagonal: Vector3(sigma * sigma, 1, 1)), dimension: 1, degreesOfFreedom: 4)
  }

  /// Takes it that a car whose IMU is steady stands, where it is slow enough, and that its rate about gravity is the
  /// gyroscope's bias, rad/s.
  package mutating func rest(rate: Double) {
    let speed = velocity.horizontalNorm
    let p = covariance[Block.velocity, Block.velocity].diagonal
    // What the fixes contradict is not assumed.
    guard speed < Self.restSpeed, max(p.x, p.y) < Self.restSpeed * Self.restSpeed, !hypotheses.isContested,
      !hypotheses.isBiased
    else { return }
    _ = apply(
      -velocity, [Link(Block.velocity, .identity)], noise: Matrix3(scalar: Self.restSigma * Self.restSigma),
      dimension: 2, degreesOfFreedom: 4)
    _ = apply(
      Vector3(rate - turnBias, 0, 0),
      [Link(Block.calibration, Matrix3(rows: Vector3(1, 0, 0), .zero, .zero))],
      noise: Matrix3(diagonal: Vector3(Self.restRateSigma * Self.restRateSigma, 1, 1)), dimension: 1,
      degreesOfFreedom: 4)
  }

  /// Conditions the state on a measurement, whose innovation's first `dimension` components count.
  private mutating func apply<let k: Int>(
    _ innovation: Vector3, _ links: InlineArray<k, Link>, noise: Matrix3, dimension: Int,
    degreesOfFreedom: Double
  ) -> FilterUpdate? {
    var measurement = Measurement<k>(innovation: innovation, links: links, noise: noise, dimension: 3)
    if dimension == 2 { measurement = measurement.keeping(first: 2) }
    guard measurement.innovation.isFinite, measurement.noise.isFinite else { return nil }
    let projection = covariance.project(measurement.links)
    guard let plain = projection.whitening(noise: measurement.noise) else { return nil }
    let q = (plain * measurement.innovation).squaredNorm
    let weight = RobustWeight.studentT(
      normalizedInnovationSquared: q, dimension: dimension, degreesOfFreedom: degreesOfFreedom)
    guard let whitening = projection.whitening(noise: measurement.noise * (1 / weight)) else { return nil }
    let correction = covariance.update(
      projection, whitening: whitening, innovation: measurement.innovation, dimension: 3)
    position = position.moved(byNED: correction[Block.position])
    velocity += correction[Block.velocity]
    turnBias += correction[Block.calibration].x
    wheelScale = max(-0.2, min(0.2, wheelScale + correction[Block.calibration].y))
    velocityDelay += correction[Block.calibration].z
    velocityDelay = min(max(velocityDelay, Self.delays.lowerBound), Self.delays.upperBound)
    fixError += correction[Block.fixError]
    let own = measurement.noise.trace - Double(3 - dimension)
    let update = FilterUpdate(
      normalizedInnovationSquared: q, weight: weight, noiseShare: own / (own + projection.own.trace),
      dimension: dimension, degreesOfFreedom: degreesOfFreedom,
      spread: (projection.own + measurement.noise).determinant)
    logDensity += update.logDensity
    return update
  }

  /// What no car can be ends in a start from the newest fix.
  private mutating func bound(at fix: GNSSFix) {
    let p = covariance[Block.position, Block.position].diagonal
    let isSound =
      velocity.isFinite && position.isValid && position.longitude.isFinite && p.isFinite
      && min(p.x, p.y, p.z) >= 0 && velocity.norm < settings.highestSpeed
    guard !isSound else { return }
    begin(at: fix)
    if velocity.norm >= settings.highestSpeed { velocity = .zero }
    hypotheses.forget()
    moves += 1
  }

  // MARK: What it says

  /// Bias of the rate about gravity, rad/s, and its variance.
  var rateBias: (value: Double, variance: Double) {
    (turnBias, max(0, covariance[Block.calibration, Block.calibration].x.x))
  }

  /// Lag of the receiver's velocity, s, and its variance, where it is large for certain.
  package var clearDelay: (value: Double, variance: Double)? {
    let variance = covariance[Block.calibration, Block.calibration].z.z
    guard velocityDelay > Self.clearDelay + 3 * max(0, variance).squareRoot() else { return nil }
    return (velocityDelay, variance + Self.delayError * Self.delayError)
  }

  package var positionCovariance: Matrix3 { covariance[Block.position, Block.position] }
  package var velocityCovariance: Matrix3 { covariance[Block.velocity, Block.velocity] }
  /// Covariance of the lasting error of the fixes, and of the position with it, m².
  var fixErrorOwn: Matrix3 { covariance[Block.fixError, Block.fixError] }
  var positionFixError: Matrix3 { covariance[Block.position, Block.fixError] }
  /// Standard deviation of the direction of motion, rad.
  package var courseSigma: Double { min(.pi, acrossSigma / max(velocity.horizontalNorm, 1e-6)) }
  private var fixErrorCovariance: Matrix3 {
    let cross = covariance[Block.position, Block.fixError]
    return covariance[Block.fixError, Block.fixError] + cross + cross.transpose
  }

}

extension PlanarNavigator {
  /// What is known, predicted to `time` at constant velocity; course, and heading as far as the car's axis is known.
  package func solution(at time: Timestamp) -> NavigationSolution {
    let ahead = max(-60, min(60, time.seconds(since: self.time)))
    let cross = covariance[Block.position, Block.velocity] * ahead
    let growth = ahead * ahead / 2
    let isKnown = headingSigma < 1
    return NavigationSolution(
      time: time, mode: .aligning, position: position.moved(byNED: velocity * ahead), velocityNED: velocity,
      navFromVehicle: Quaternion(rotationVector: Vector3(0, 0, isKnown ? heading : 0)), angularRate: .zero,
      positionCovariance: settings.modelError.position(
        positionCovariance + velocityCovariance * (ahead * ahead) + cross
          + cross.transpose + Matrix3(scalar: growth * growth)
          + Matrix3(diagonal: receiver.constantVariance + Vector3(1, 1, 0) * hypotheses.variance)),
      velocityCovariance: settings.modelError.velocity(velocityCovariance) + Matrix3(scalar: ahead * ahead),
      attitudeCovariance: Matrix3(
        diagonal: Vector3(0.1, 0.1, isKnown ? headingSigma * headingSigma : .pi * .pi)))
  }
}
