/// When a car stands.
public struct StandstillConfiguration: Sendable {
  /// Rate and force must be steady for this long for a standstill, s. [chosen]
  public var delay = 0.75
  /// The same where the speed is not known, s. [chosen]
  public var firstDelay = 2.5
  /// Speed under which a steady car stands, m/s: one that creeps looks still to an IMU. [chosen]
  public var speed = 0.12
  /// A speed known worse than this cannot be said to be zero, m/s. [chosen]
  public var speedSigma = 0.5
  /// The same where the car is as quiet as at rest: a speed up to this many standard deviations can be zero.
  /// [measured on 25 drives: ends of outages of 60 s, P95 0.93, 0.91, 0.91 of that without, by 3, 4, 6]
  public var quietGate = 4.0
  /// As quiet as at rest is also what this car drives like less often than this, 1/s.
  /// [chosen: it stands once in a minute or two, and one such rest in thirty may be none]
  public var evenDrivingRate = 3e-4
  /// Standard deviation of how such a car may creep, m/s, evenly, until fixes bear the standstill out. Rides
  /// that creep on in a garage at 1.4 to 10 km/h mislead for 639 s with 0, 26 s with 0.25, 9 s with 0.35,
  /// which costs nagoya-rtk 3.8 m at P95. [measured on 16 simulated rides and 25 drives]
  public var creepSigma = 0.25
  /// Standard deviation of a standing car's velocity, m/s. [chosen: it rocks]
  public var sigma = 0.02
  /// Smallest standard deviation of a standing gyroscope's mean rate over a fifth of
  /// a second, rad/s. [chosen]
  public var rateSigma = 0.001
  /// A standing car feels no force along the ground above this, m/s², besides what its tilt is
  /// off by: it rocks. [chosen]
  public var restForce = 0.3
  /// However little is known of the tilt, this much is braking, m/s². [chosen: a slope of 10 %]
  public var largestRestForce = 1.0
  /// Steady and slow for longer than this, s, a car stands whatever is felt.
  /// [chosen: from 1 m/s it brakes for less]
  public var longestSlowBraking = 3.0
  /// A standstill that fixes have borne out outweighs fixes that move for this long, s. [chosen]
  public var restMemory = 40.0
  /// An acceleration that looks still to an IMU, m/s²: what the means may change by, twice. [chosen]
  public var unfeltAcceleration = 0.12
  /// For so long after a standstill a steady force is only that of another if it is the same, s. [chosen]
  public var pullingAwayTime = 5.0

  /// The defaults.
  public init() {}
}

/// When a car is moved by something else: a ferry, a tow truck, a turntable, a lift.
public struct CarriageConfiguration: Sendable {
  /// For how long fixes have to move, while wheels or IMU say that the car stands, before it
  /// counts as carried, s. [chosen]
  public var patience = 2.0
  /// Logarithm of the shaking against the least at that speed, under which nothing drives.
  /// [chosen: half the power in force and in rate]
  public var minimumVibrationLogRatio = -1.4
  /// Angle between motion and nose that is no slip, rad.
  /// [chosen: the constraint sees it for a second in spite of its pull]
  public var largestSkew = 0.08
  /// After this time of going askew, or tail first, the IMU has been moved in the car, s. [chosen]
  public var longestAskew = 300.0, longestTailFirst = 1800.0
  /// The same of one that began to go askew under way, s: nobody takes a car in tow that has not stood within
  /// `hitchTime` seconds before. [chosen; measured on 1,000 variants: lost 1172 s at 300, 1038 s at 20]
  public var longestAskewUnderWay = 20.0, hitchTime = 30.0
  /// A car that goes askew, or tail first, is taken to drive after this time without a fix, s: what bears it
  /// out is gone. (Without, five such cars of 2,500 were 0.9 to 4.2 km off at the end of an outage.)
  /// [chosen: rate and force alone are 5 m off by then, askew a tenth of the way]
  public var longestUnheard = 10.0
  /// After this time a turntable or a lift is none, s. [chosen]
  public var longestLift = 300.0
  /// No car turns about a point nearer than this to its rear axle, m. [chosen: half a turning circle, less]
  public var smallestRadius = 3.0
  /// Change of the rate at rest that turns a standing car, rad/s. [chosen: 0.15 °/s]
  public var turningRate = 0.0026
  /// The rate at rest is known after this time, s. [chosen]
  public var standBeforeTurning = 1.5
  /// IMU and axis of a turntable both lie near the middle of the car: this near to each other, m. [chosen]
  public var turntableRadius = 0.5
  /// Motion that is not believed at first puts the position off by its speed times this, s. [chosen]
  public var hold = 8.0
  /// Rate of turn that no idling car shows, rad/s. [chosen]
  public var clearTurn = 0.02

  /// The defaults.
  public init() {}
}
