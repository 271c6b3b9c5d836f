import LinearAlgebra
import Navigation

// What a navigator keeps from one sample to the next besides its filter, by what it is about.

/// What is known of how the IMU sits in the car.
struct MountingKnowledge: Sendable {
  var isKnown = false
  /// Whether it is that of an earlier drive.
  var isRecalled = false
  /// What an earlier drive knew of the car, until the mounting is known.
  var remembered: RememberedCar?
  /// For how long the car has gone tail first.
  var backward = DwellTimer()
  var knock = KnockWatch()
  /// Whether the IMU turns as neither a car nor a hand does.
  var isSpinning = false
}

/// Whether the car stands, and how its IMU is shaken when it does not.
struct RestKnowledge: Sendable {
  var isStanding = false
  var detector = StillnessDetector()
  var last = LastStandstill()
  var shaking = VibrationLevel()
  /// For how long it drives evenly, as `FusionState` has learned it.
  var evenDriving = EvenDriving()
  /// The receiver's true over stated velocity error when the car last drove.
  var drivenVelocityScale = 1.0
  /// For how long the speed has been known to be next to nothing so far, s: none at the start.
  var slowFor = 0.0

  /// Whether the IMU has been steady for `time` seconds, and is shaken as at rest and less by `excess` (see
  /// ``VibrationLevel``) than by the slowest driving.
  @inline(__always) func isQuiet(for time: Double, excess: Double) -> Bool {
    guard detector.steadyFor >= time, shaking.isAsAtRest, let now = shaking.excessOverSlowest else {
      return false
    }
    return now < excess
  }

  /// Whether the IMU has been steady for `time` seconds, this car drives on so evenly for so long less often
  /// than `rate`, 1/s, and it is not shaken more than at a standstill that is known: the floor of a garage
  /// is smoother than any road.
  @inline(__always) func isSteadierThanDriving(for time: Double, rate: Double) -> Bool {
    detector.steadyFor >= time && !shaking.isMoreThanAtRest
      && evenDriving.rate(after: detector.steadyFor) < rate
  }
}

/// What the IMU's samples have been like.
struct InertialRecord: Sendable {
  /// Time of the newest sample, and from the one before to it, s.
  var time = Timestamp(nanoseconds: .min / 2), interval = Double.infinity
  /// Sum of what rate and force alone have added to the speed, m/s: it leaps by no correction.
  var speedChange = 0.0
  /// The same of the velocity, in NED, m/s.
  var velocityChange = Vector3.zero
  /// How fast the body has pitched of late, rad/s.
  var pitching = 0.0
  var tiltNoise = TiltNoise()
  var verticalBias = VerticalBiasWalk()
  var gyroDrift = GyroBiasDrift()
  var restingNoise = RestingNoise()
}

/// What the fixes have been like.
struct FixRecord: Sendable {
  /// When the newest fix held that was used, and the newest of all.
  var last: Timestamp, lastHeard: Timestamp
  /// How often the position was taken anew from fixes that lay far from it.
  var reanchored = 0
  /// Whether the fixes may be late for all that is known.
  var isDelayOpen = false
  /// Whether their velocities seem to lag behind their places.
  var seemToLag = false
  /// Where fix and position were, to compare the ways to the next fix.
  var reckoned = ReckonedStep()
  var motion = GNSSVelocityEstimate()
  var leap = VelocityLeap(), placeLeap = PlaceLeap()
  var extrapolation = ExtrapolationCheck()
  var heightDoubt = HeightDoubt()

  init(since time: Timestamp) { (last, lastHeard) = (time, time) }

  /// Whether they go otherwise than the car is felt to: by their velocity, or by their places.
  @inline(__always) var areAstray: Bool { leap.isAstray || placeLeap.isAstray }

  /// Variance per axis of what their places have gone astray by, m².
  @inline(__always) func astrayVariance(at time: Timestamp, innovation: Vector3) -> Double {
    leap.variance(at: time, innovation: innovation) + placeLeap.variance(at: time, innovation: innovation)
  }

  mutating func interruptLeaps() {
    leap.interrupt()
    placeLeap.interrupt()
  }
}

/// What the wheels have said, and when the constraint of the rear axle was last applied.
struct WheelRecord: Sendable {
  var last: WheelSample?
  var watch = WheelSpeedMonitor()
  var scale = OdometerScaleMonitor()
  var constrainedAt: Timestamp
  /// Longest time for which a speed tells of now, s.
  /// [chosen: wheels of 1 Hz, and 0.2 s that stamps are late by]
  private static let memory = 1.2

  init(since time: Timestamp) { constrainedAt = time }

  /// The newest speed, where it is of about now.
  @inline(__always) func recent(at time: Timestamp) -> WheelSample? {
    last.flatMap { time.seconds(since: $0.time) < Self.memory ? $0 : nil }
  }
}

/// How far fixes and guard bear the navigator out.
struct Witness: Sendable {
  /// Mean weight of the fixes over about the last ten seconds: low where they and the navigator do not agree.
  var agreement = 1.0
  /// Sum of the logarithms of the innovations' densities: how well the navigator explains what was measured.
  var logLikelihood = 0.0
  /// Whether it is compared with that of others.
  var isAsked = true
  /// Whether the guard moved as it did at the newest fix.
  var movesAsGuard = true
  /// For how long the guard has been where the fixes are.
  var guardAgreement = GuardAgreement()
  /// When course and velocity were last taken from the guard.
  var adoptedAt = Timestamp(nanoseconds: .min / 2)
}
