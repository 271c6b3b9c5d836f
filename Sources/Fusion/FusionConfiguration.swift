import LinearAlgebra

/// What may be told to the engine; nothing has to be. Every drive runs with the same defaults.
public struct FusionConfiguration: Sendable {
  /// Antenna from the IMU in vehicle axes (forward, right, down), metres, where it has been measured.
  public var antennaLeverArm: Vector3?

  /// Parts of the engine to do without.
  public var disabled: FusionModelSet = []

  /// The covariance follows the IMU's samples in steps that are no shorter than this, s; 0 for one a sample.
  ///
  /// It follows before any measurement too, so that only what is between them is coarser: 0.05 costs under a hundredth of
  /// the accuracy and saves most of the time (figures in the README of `Benchmarks`), but not of the longest step.
  public var covarianceInterval = 0.0

  /// Noise of an IMU in a car.
  public var processNoise = ProcessNoise()
  /// Noise of wheel speed and yaw rate where they stand in for an IMU: the force is a derivative of the speed.
  public var odometryNoise: ProcessNoise = {
    var noise = ProcessNoise()
    noise.gyroHorizontal = 0.005
    noise.accel = 0.5
    noise.gyroBias = 1e-4
    return noise
  }()
  /// Noise of a car that goes on with no sensor at all: it may brake or turn.
  public var coastingNoise = CoastingNoise()

  /// A gap between IMU samples up to this is bridged by a straight line between them, s: some log at 10 Hz only.
  public var inertialGap = 0.25
  /// A gap in the IMU's samples up to this length is bridged, s. [chosen: a car's rate and force are smooth over it]
  public var longestBridge = 1.5
  /// Noise of a bridge.
  public var bridgingNoise = BridgingNoise()
  /// After a gap of this length the attitude is lost and the start begins anew, s.
  public var longestCoast = 5.0
  /// After a gap of this length nothing is known any more, s.
  public var longestGap = 600.0
  /// A car without an IMU drives this far before its heading is believed, m.
  public var odometryBaseline = 100.0
  /// The gaps that are bridged where the car's own speed and yaw rate stand in for an IMU, s.
  public var odometryGap = 1.0
  /// A late sample up to this age is applied at its own time, s.
  public var window = 3.0
  /// Time without fixes after which the mode is dead reckoning, s.
  public var deadReckoningAfter = 2.5

  /// What is assumed of a barometer, where there is one.
  public var barometer = BarometerConfiguration()
  /// What the filter's covariances leave out.
  public var modelError = ModelError()

  /// Degrees of freedom of the t distributions of innovations: the tails of urban fixes.
  public var positionDegreesOfFreedom = 4.0
  /// Velocity errors of urban fixes are the heavy-tailed ones.
  public var velocityDegreesOfFreedom = 3.0
  /// Slip over kerbs and in gravel.
  public var vehicleDegreesOfFreedom = 4.0

  /// Time over which agreement of the fixes with the solution is judged, s.
  public var agreementTime = 10.0
  /// Mean weight of the fixes under which other headings get a chance again.
  public var leastAgreement = 0.5
  /// Velocity errors this many times as large as stated give them a chance too.
  public var largestVelocityScale = 4.0
  /// They win with this much more log-likelihood on the same fixes: those of a canyon are not independent.
  public var winningMargin = 50.0
  /// A challenge that has not been decided after this time begins anew, s.
  public var challengeTime = 120.0

  /// Standard deviation of a height of which no fix has told anything, m.
  public var unknownHeightSigma = 2000.0
  /// A height that leaps by less from one fix to the next is weighed as any other, m.
  public var heightLeap = 30.0
  /// The heading is known from this standard deviation on, rad.
  public var alignmentSigma = 0.12
  /// Tilt from the mean force of a steady car, and of one that may be accelerating, rad.
  public var tiltSigmaSteady = 0.03, tiltSigmaMoving = 0.15
  /// Standard deviation of the gyroscope bias at the start, rad/s: 3 °/s, a consumer part nothing is known of.
  public var gyroBiasSigma = 0.05
  /// Standard deviation of the accelerometer bias at the start, m/s²: 30 mg, a consumer part.
  public var accelBiasSigma = 0.3
  /// Standard deviation of the antenna's lever arm where it is not told, m.
  public var leverArmSigma = 0.3
  /// Standard deviation of a lever arm that was measured, m.
  public var measuredArmSigma = 0.02
  /// Standard deviation of the lag of a receiver's position at the start, s.
  public var positionDelaySigma = 0.03
  /// Standard deviation of the lag of a receiver's velocity at the start, s: some difference their positions, and a
  /// phone was 1.2 s late. [chosen]
  public var velocityDelaySigma = 0.4
  /// Standard deviation of the gyroscope's scale at the start.
  public var gyroScaleSigma = 0.01

  /// Distance of the IMU ahead of the rear axle at the start, m: most sit under the dashboard or in the middle.
  public var axleDistance = 0.8
  /// Its standard deviation, m.
  public var axleDistanceSigma = 0.8
  /// Slip angle per lateral force at the start, rad per m/s²: 0.3° seen on a real car.
  public var slipPerForce = 0.002
  /// Its standard deviation.
  public var slipPerForceSigma = 0.005
  /// Body pitch per longitudinal force at the start, rad per m/s².
  public var pitchPerForce = 0.004
  /// Its standard deviation.
  public var pitchPerForceSigma = 0.003
  /// Time between applications of the constraint of the rear axle, s.
  public var constraintInterval = 0.1
  /// Speed at which the direction of motion shows the mounting, m/s.
  public var mountingSpeed = 3.0
  /// Standard deviation of the mounting angles when first seen, rad.
  public var mountingSigma = 0.1
  /// Standard deviation of the wheel speed's scale at the start.
  public var odometerSigma = 0.03
  /// What no car reaches, m/s: an estimate that does is wrong, and begins anew. [chosen]
  public var highestSpeed = 120.0
  /// Nobody drives backward faster than this for two seconds, m/s.
  public var reverseSpeedLimit = 6.0
  /// Driving that the mounting has to agree with before a contradiction is put down to being carried, s.
  public var mountingProof = 60.0
  /// For how long fixes have to move, while wheels or IMU say that the car stands, before it counts as carried, s.
  public var carriedPatience = 2.0
  /// Logarithm of the shaking against the least at that speed, under which nothing drives: half the power in force and
  /// in rate.
  public var quietExcess = -1.4
  /// Angle between motion and nose that is no slip, rad: the constraint sees it for a second in spite of its own pull.
  public var largestSkew = 0.08
  /// After this time of going askew, or tail first, the IMU has been moved in the car, s.
  public var longestAskew = 300.0, longestTailFirst = 1800.0
  /// After this time a turntable or a lift is none, s.
  public var longestLift = 300.0
  /// No car turns about a point nearer than this to its rear axle, m.
  public var smallestRadius = 3.0
  /// Change in rad/s of the rate at rest that turns a standing car: 0.15 °/s.
  public var turningRate = 0.0026
  /// The rate at rest is known after this time, s.
  public var standBeforeTurning = 1.5
  /// The IMU and the axis of a turntable both lie near the middle of the car: this near to each other, m.
  public var turntableRadius = 0.5
  /// For so long after a standstill a steady force is only that of another if it is the same, s.
  public var pullingAwayTime = 5.0
  /// Speed under which many wheel sensors give no pulses, m/s.
  public var wheelDeadband = 0.3
  /// Speed under which the error of a wheel speed grows up to that, m/s. [chosen: a few pulses a second]
  public var crawlingSpeed = 1.0
  /// A standstill that fixes have borne out outweighs fixes that move for this long, s. [chosen]
  public var restMemory = 40.0
  /// An acceleration that looks still to an IMU, m/s²: what the means may change by, twice. [chosen]
  public var unfeltAcceleration = 0.12
  /// Motion that is not believed at first puts the position off by its speed times this, s.
  public var carriedHold = 8.0
  /// Rate of turn that no idling car shows, rad/s.
  public var clearTurn = 0.02
  /// Speed from which turning says where the rear axle is, m/s.
  public var rollingSpeed = 0.5
  /// Slip down, m/s: the body bounces on its springs.
  public var verticalSlipSigma = 0.06
  /// Rate of pitch above which the car is on a bump, rad/s, and for how long after, s: its body pitches, and its rear axle
  /// follows the road all the same. [measured on speed bumps at 7 m/s: 0.4 rad/s]
  public var bumpRate = 0.08, bumpMemory = 1.0
  /// IMU samples have to be closer than this to show a bump, s. [chosen: ten to a swing]
  public var longestBumpInterval = 0.05
  /// Angle of the body against the road on a bump, rad per rad/s above that. [chosen: two swings a second, and over]
  public var bumpAngle = 0.5

  /// Rate and force must be steady for this long for a standstill, s.
  public var stillnessDelay = 0.75
  /// The same where the speed is not known, s.
  public var firstStillnessDelay = 2.5
  /// Speed under which a steady car stands, m/s: one that creeps looks still to an IMU.
  public var standstillSpeed = 0.12
  /// A speed known worse than this cannot be said to be zero, m/s.
  public var standstillSpeedSigma = 0.5
  /// Standard deviation of a standing car's velocity, m/s.
  public var standstillSigma = 0.02
  /// A standing car feels no force along the ground above this, m/s², besides what its tilt is off by: it rocks. [chosen]
  public var restForce = 0.3
  /// However little is known of the tilt, this much is braking, m/s². [chosen: a slope of 10 %]
  public var largestRestForce = 1.0
  /// Steady for longer than this, s, a slow car stands whatever is felt. [chosen]
  public var longestSlowBraking = 3.0
  /// Smallest standard deviation of a standing gyroscope's mean rate over a fifth of a second, rad/s.
  public var standstillRateSigma = 0.001

  /// The defaults.
  public init() {}

  /// Slip to the right in m/s, more in turns: tyres need a slip angle to take a lateral force, and the IMU does not
  /// sit on the rear axle.
  func lateralSigma(yawRate: Double, speed: Double) -> Double {
    0.015 + 0.1 * yawRate + 0.0005 * speed
  }

  /// Slip down in m/s of a car whose body has pitched at up to `pitchRate`, rad/s, of late.
  func verticalSlipSigma(pitchRate: Double, speed: Double) -> Double {
    verticalSlipSigma + bumpAngle * max(0, pitchRate - bumpRate) * speed
  }

  /// Error of a wheel speed in m/s: resolution at a crawl, slip with speed.
  func wheelSigma(speed: Double) -> Double { 0.05 + 0.005 * abs(speed) }
}
