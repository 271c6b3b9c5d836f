// The guard's model, in a local plane: position p, velocity v, bias b of the rate about gravity, lasting
// error e of the fixes, scale κ of the wheel speed. Over a step in which the IMU turned by θ about gravity,
//   v ← R(θ − b Δt) v + a Δt,   p ← p + v Δt,   b ← b + noise
// with a as large as the accelerometer's departure from gravity says along v, and small
// across it. A velocity is
//   z = v − v̇ d + noise
// with v̇ the turning of v, and how its length has changed over the last second, and d the receiver's lag.
import CLibrary
import LinearAlgebra
import Navigation

/// The guard: a navigator of the plane that needs no mounting, no heading and no start.
///
/// It runs from the first fix on, on fixes, the angle turned about gravity, and wheel speed. It is the
/// solution until the heading is known, and what the full filter is judged by after that: it assumes next to
/// nothing, so it is hard to be wrong.
package struct PlanarNavigator: Sendable {
  /// Blocks of its state.
  enum Block {
    static let position = 0, velocity = 1
    /// Rate bias, rad/s, scale of the wheel speed, and nothing.
    static let calibration = 2
    static let gnssPositionBias = 3
  }

  /// Steps are no longer than this, s. [chosen: turns of a car are straight enough over it]
  static let longestStep = 0.5
  /// Noise of the acceleration along the way of a steady car, m/s/√s, and its
  /// growth per m/s² felt. [chosen]
  static let leastAcceleration = 0.06, accelerationShare = 1.5
  /// The same of a car of which no accelerometer tells. [chosen: half a g for a second or two]
  static let unfeltAcceleration = 2.5
  /// Noise across the way where the turning is measured, m/s/√s, and per m/s of speed (rad/√s). [chosen]
  static let slip = 0.15, turnNoise = 0.004
  /// Vertical noise, m/s/√s. [chosen: roads slope]
  static let climbNoise = 0.3
  /// The velocity that nothing is heard of fades over this time, s: a car stops some day. [chosen]
  static let fading = 40.0
  /// Standard deviation of the rate's bias at the start, rad/s, and its walk, rad/s/√s. [data sheet: 3 °/s]
  static let biasSigma = 0.05, biasWalk = 5e-5
  /// Standard deviation under which it is known, rad/s: 0.1 rad in a turn of ten seconds. [chosen]
  static let knownBiasSigma = 0.01
  /// Standard deviation of the wheel speed's scale. [chosen]
  static let wheelScaleSigma = 0.05
  /// Speed under which a car whose IMU is steady is taken to stand, m/s, and what a fifth of a second of that
  /// says of its velocity, m/s, and of the rate's bias, rad/s. [chosen]
  static let restSpeed = 0.7, restSigma = 0.7, restRateSigma = 0.02
  /// Standard deviations of the speed along the way that it has to be faster than for wheels to tell of it.
  /// [chosen: one start from rest in a thousand goes the other way]
  static let clearSense = 3.0
  /// Speed above which a car drives, m/s, as long as fixes told so within so many seconds. [chosen]
  static let drivingSpeed = 1.0, recent = 1.5
  /// A receiver's speed below this may be that of a standing car, m/s: six cars parked for an hour by
  /// `reckon simulate` (suburban, preset `module`) had median errors of up to 10.6 m without it.
  /// [measured on six simulated cars: with 0.1, 0.2, 0.3 up to 10.5, 6.7, 6.7 m]
  static let creepSpeed = 0.2
  /// Speed from which motion shows the course, m/s. [chosen]
  static let courseSpeed = 2.0
  /// Time over which the change of the velocity is taken, s. [chosen: about the receiver's lag]
  static let changeTime = 1.0
  /// Fixes go as a car goes for so long, s, with pauses up to this, s, under this speed and this change of
  /// it, m/s and m/s², and so much unlike the navigator, m/s, that it has run away. [chosen]
  static let followedAfter = 4.0, longestTrackPause = 6.0, fastest = 70.0, hardest = 8.0, runaway = 6.0
  /// From fix to fix of such a track pass at least so many seconds. [chosen: stamps are rounded]
  static let trackStep = 0.999
  /// Part of a lasting error's excess that the position's variance takes over, 1/s. [measured by stress]
  static let doubtRate = 0.2

  package internal(set) var time: Timestamp
  package internal(set) var position: GeodeticPosition
  /// m/s in NED.
  package internal(set) var velocity: Vector3
  var turnBias = 0.0
  /// How fast that drifts, rad/s², and its random walk, rad/s/√s. [chosen: none is known, and the least]
  var biasRate = 0.0, biasWalk = PlanarNavigator.biasWalk
  var wheelScale = 0.0
  /// Lag of the receiver's velocity, s, and its variance, s², as `VelocityLag` finds them.
  package var velocityDelay = 0.0, velocityDelayVariance = 0.0
  /// The velocity of about a second ago, turned as the car has turned since, m/s.
  var earlierVelocity = Vector3.zero
  /// How fast the car turns to the right, rad/s.
  var turnRate = 0.0
  var turnVariance = 0.0
  package internal(set) var gnssPositionBias = Vector3.zero
  /// Changed from elsewhere by the named ways below only.
  private(set) var covariance = Covariance<4>()
  package internal(set) var receiver: ReceiverModel
  /// Which place the fixes speak for.
  package internal(set) var hypotheses = PositionHypotheses()
  /// Direction of the car's axis along which it last drove, rad, and its standard
  /// deviation; π while not known.
  var heading = 0.0
  var headingSigma = Double.pi
  var reckoned = ReckonedStep()
  var otherTrack: OtherTrack?
  /// Where it was when the IMU became steady; nil while it is not.
  var steadyPlace: SteadyPlace?
  var lastFix: Timestamp
  var lastTurn: Timestamp
  var nearbyCurvature = NearbyCurvature()
  let settings: GuardSettings
  /// How often the place was taken anew, and when last.
  package internal(set) var moves = 0 { didSet { movedAt = time } }
  package private(set) var movedAt: Timestamp?

  /// A navigator about a first fix.
  package init(fix: GNSSFix, receiver: ReceiverModel, settings: FusionConfiguration) {
    self.receiver = receiver
    self.settings = GuardSettings(settings)
    time = fix.time
    lastFix = fix.time
    lastTurn = fix.time
    position = fix.position
    velocity = .zero
    begin(at: fix)
  }

  /// Takes place and velocity from a fix alone.
  mutating func begin(at fix: GNSSFix) {
    position = fix.position
    let hasHeight = position.height.isFinite
    if !hasHeight { position.height = 0 }
    velocity = fix.velocityNED ?? .zero
    if !velocity.z.isFinite { velocity.z = 0 }
    gnssPositionBias = .zero
    let lasting = Matrix3(diagonal: receiver.correlatedVariance(fix))
    covariance = Covariance()
    covariance[Block.position, Block.position] = receiver.positionNoise(fix) + lasting
    if !hasHeight {
      let any = settings.unknownHeightSigma * settings.unknownHeightSigma
      covariance.addNoise(Block.position, variances: Vector3(0, 0, any))
    }
    covariance[Block.gnssPositionBias, Block.gnssPositionBias] = lasting
    covariance[Block.position, Block.gnssPositionBias] = -lasting
    covariance[Block.velocity, Block.velocity] =
      fix.velocityNED == nil ? Matrix3(diagonal: Vector3(225, 225, 4)) : receiver.velocityNoise(fix)
    covariance[Block.calibration, Block.calibration] = Matrix3(
      diagonal: Vector3(
        Self.biasSigma * Self.biasSigma, Self.wheelScaleSigma * Self.wheelScaleSigma, 0))
    earlierVelocity = velocity
  }

  /// Moves on to `end`.
  ///
  /// - Parameters:
  ///   - turn: angle turned to the right about gravity since the last time, rad, and the time that it covers,
  ///     s; nil where nothing measures it.
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

  mutating func step(_ dt: Double, rate: Double?, acceleration: Double?) {
    turnBias += biasRate * dt
    biasRate -= biasRate * min(1, dt / GyroBiasDrift.fading)
    let angle = rate.map { ($0 - turnBias) * dt } ?? 0
    let (s, c) = (sin(angle), cos(angle))
    let isAided = time.seconds(since: lastFix) < 2 * Self.fading
    let fade = rate == nil || !isAided ? exp(-dt / Self.fading) : 1
    let turned = Vector3(c * velocity.x - s * velocity.y, s * velocity.x + c * velocity.y, velocity.z) * fade
    position = position.moved(byNED: (velocity + turned) * (dt / 2), by: nearbyCurvature.at(position))
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

  mutating func addNoise(_ dt: Double, isTurnKnown: Bool, acceleration: Double?) {
    let speed = velocity.horizontalNorm
    let along =
      acceleration.map { Self.leastAcceleration + Self.accelerationShare * $0 } ?? Self.unfeltAcceleration
    let across =
      isTurnKnown
      ? rootSumOfSquares(Self.slip + Self.turnNoise * speed, speed * turnVariance.squareRoot()) : along
    // Of a car that hardly moves nobody knows which way is along; what is felt along the way that is believed
    // is across it by as much as that is off.
    let share = min(1, speed / Self.courseSpeed), course = min(1, courseSigma)
    let acrossVariance = across * across * share + along * along * (1 - share + course * course)
    let u = speed > 1e-3 ? Vector3(velocity.x / speed, velocity.y / speed, 0) : Vector3(1, 0, 0)
    let n = Vector3(-u.y, u.x, 0)
    let q =
      Matrix3(outer: u, u) * (along * along) + Matrix3(outer: n, n) * acrossVariance
      + Matrix3(diagonal: Vector3(0, 0, Self.climbNoise * Self.climbNoise))
    covariance[Block.velocity, Block.velocity] = covariance[Block.velocity, Block.velocity] + q * dt
    inflate(Block.calibration, variances: Vector3(biasWalk * biasWalk * dt, 0, 0))
  }

  /// The car keeps its direction while it stands or creeps.
  mutating func turnHeading(by angle: Double, dt: Double, isTurnKnown: Bool) {
    heading += angle
    let bias = max(0, covariance[Block.calibration, Block.calibration].x.x).squareRoot()
    let drifted = headingSigma + (isTurnKnown ? bias + 0.0005 : 0.3) * dt
    headingSigma = min(.pi, rootSumOfSquares(drifted, (turnVariance * dt).squareRoot()))
    let speed = velocity.horizontalNorm
    guard speed > Self.courseSpeed else { return }
    let sigma = rootSumOfSquares(acrossSigma / speed, 0.02)
    if sigma < headingSigma {
      heading = atan2(velocity.y, velocity.x)
      headingSigma = sigma
    }
  }

  // MARK: The only other ways into the covariance

  /// Adds `variances` to a block's.
  @inline(__always) mutating func inflate(_ block: Int, variances: Vector3) {
    covariance.addNoise(block, variances: variances)
  }

  /// Multiplies a block's standard deviations.
  @inline(__always) mutating func inflate(_ block: Int, by factors: Vector3) {
    covariance.scale(block, by: factors)
  }

  /// Forgets what a block has to do with the others.
  @inline(__always) mutating func reset(_ block: Int, covariance own: Matrix3) {
    covariance.isolate(block, own)
  }

  /// Takes the place from a fix: what it is off by is the fix's own error, of covariance `lasting`.
  @inline(__always) mutating func resetPlace(white: Matrix3, lasting: Matrix3) {
    gnssPositionBias = .zero
    covariance.isolate(Block.position, white + lasting)
    covariance.isolate(Block.gnssPositionBias, lasting)
    covariance[Block.position, Block.gnssPositionBias] = -lasting
  }

  /// Lets the lasting error of the fixes fade, nominal and covariance alike, and grow anew by `variances`.
  @inline(__always) mutating func decayGNSSPositionBias(by factors: Vector3, variances: Vector3) {
    gnssPositionBias = gnssPositionBias.scaled(by: factors)
    covariance.scale(Block.gnssPositionBias, by: factors)
    covariance.addNoise(Block.gnssPositionBias, variances: variances)
  }

  /// Conditions the state on a measurement, whose innovation's first `dimension` components count.
  @inline(__always) mutating func apply(
    _ innovation: Vector3, _ links: some Relation, noise: Matrix3, dimension: Int,
    degreesOfFreedom: Double
  ) -> FilterUpdate? {
    var measurement = Measurement(innovation: innovation, links: links, noise: noise, dimension: dimension)
    if dimension == 2 { measurement = measurement.keeping(first: 2) }
    guard measurement.innovation.isFinite, measurement.noise.isFinite else { return nil }
    var projection = covariance.project(measurement.links, selecting: measurement.selection)
    guard let plain = projection.whitening(noise: measurement.noise) else { return nil }
    let q = (plain * measurement.innovation).squaredNorm
    let weight = RobustWeight.studentT(
      normalizedInnovationSquared: q, dimension: dimension, degreesOfFreedom: degreesOfFreedom)
    guard let whitening = weight == 1 ? plain : projection.whitening(noise: measurement.noise * (1 / weight))
    else { return nil }
    let correction = covariance.update(
      &projection, whitening: whitening, innovation: whitening * measurement.innovation,
      dimension: dimension)
    position = position.moved(byNED: correction[Block.position], by: nearbyCurvature.at(position))
    velocity += correction[Block.velocity]
    turnBias += correction[Block.calibration].x
    wheelScale = max(-0.2, min(0.2, wheelScale + correction[Block.calibration].y))
    gnssPositionBias += correction[Block.gnssPositionBias]
    return FilterUpdate(
      measurement, own: projection.own, normalizedInnovationSquared: q, weight: weight,
      degreesOfFreedom: degreesOfFreedom)
  }

  /// What no car can be ends in a start from the newest fix.
  mutating func bound(at fix: GNSSFix) {
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
}
