/// How a car moves: along the road that its rear axle rolls on, with a body that leans on its springs.
public struct VehicleConfiguration: Sendable {
  /// Distance of the IMU ahead of the rear axle at the start, m.
  /// [chosen: under the dashboard or in the middle]
  public var axleDistance = 0.8
  /// Its standard deviation, m. [chosen]
  public var axleDistanceSigma = 0.8
  /// Slip angle per lateral force at the start, rad per m/s². [measured on boulder: 0.3°]
  public var sideslipGradient = 0.002
  /// Its standard deviation. [chosen: twice the value and more, as tyres and loads differ]
  public var sideslipGradientSigma = 0.005
  /// Body pitch per longitudinal force at the start, rad per m/s². [chosen: 2° at half a g]
  public var pitchPerForce = 0.004
  /// Its standard deviation. [chosen]
  public var pitchPerForceSigma = 0.003
  /// Time between applications of the constraint of the rear axle, s. [chosen]
  public var constraintInterval = 0.1
  /// Degrees of freedom of its t distribution: slip over kerbs and in gravel. [chosen]
  public var degreesOfFreedom = 4.0
  /// Speed at which the direction of motion shows the mounting, m/s. [chosen]
  public var mountingSpeed = 3.0
  /// Standard deviation of the mounting angles when first seen, rad. [chosen]
  public var mountingSigma = 0.1
  /// Driving that the mounting has to agree with before a contradiction is put down to
  /// being carried, s. [chosen]
  public var mountingProof = 60.0
  /// Nobody drives backward faster than this for two seconds, m/s. [chosen]
  public var reverseSpeedLimit = 6.0
  /// Speed from which turning says where the rear axle is, m/s. [chosen]
  public var rollingSpeed = 0.5
  /// Slip down, m/s: the body bounces on its springs. [chosen]
  public var verticalSlipSigma = 0.06
  /// Angle of the body against the road that nothing else accounts for, rad, and its growth with the
  /// longitudinal force, rad per m/s²: load, wind and the pedals pitch a body by tenths of a degree, and what
  /// the constraint makes of that in an outage is tilt, and from there speed. Ends of outages of 60 s over
  /// 25 drives: P95 0.91 times that without. [measured on 25 drives]
  public var bodyPitch = 0.005, bodyPitchPerForce = 0.005
  /// Rate of pitch above which the car is on a bump, rad/s, and for how long after, s: its body pitches, and
  /// its rear axle follows the road all the same. [measured on speed bumps at 7 m/s: 0.4 rad/s]
  public var bumpRate = 0.08, bumpMemory = 1.0
  /// IMU samples have to be closer than this to show a bump, s. [chosen: ten to a swing]
  public var longestBumpInterval = 0.05
  /// Angle of the body against the road on a bump, rad per rad/s above that.
  /// [chosen: two swings a second, and over]
  public var bumpAngle = 0.5

  /// For how long what is not linear in the errors of speed and attitude shows in what the constraint sees,
  /// s: slip and bounce last for one. Misleading for 1,398 s without it, for 1,079, 1,073, 1,111 s with 4, 8,
  /// 16 s, of speed and tilt alone. [measured on 1,500 variants of `reckon stress`]
  public var nonlinearityTime = 4.0

  /// The defaults.
  public init() {}

  /// Slip to the right in m/s, more in turns: tyres need a slip angle to take a lateral force, and the IMU
  /// does not sit on the rear axle. [chosen]
  @inline(__always) func lateralSigma(yawRate: Double, speed: Double) -> Double {
    0.015 + 0.1 * yawRate + 0.0005 * speed
  }

  /// Slip down in m/s of a car whose body has pitched at up to `pitchRate`, rad/s, of late, and which feels
  /// `force` along, m/s².
  @inline(__always)
  package func verticalSlipSigma(pitchRate: Double, force: Double, speed: Double) -> Double {
    let angle = bodyPitch + bodyPitchPerForce * abs(force) + bumpAngle * max(0, pitchRate - bumpRate)
    return verticalSlipSigma + angle * speed
  }
}

/// What is assumed of wheel speed.
public struct WheelConfiguration: Sendable {
  /// Standard deviation of its scale at the start. [chosen: worn tyres, other sizes]
  public var scaleSigma = 0.03
  /// Speed under which many sensors give no pulses, m/s. [chosen]
  public var deadband = 0.3
  /// Speed under which the error of a wheel speed grows up to that, m/s. [chosen: a few pulses a second]
  public var crawlingSpeed = 1.0
  /// For how long what a coarse sensor rounds by is the same, s.
  /// [measured on haifa-10 in whole m/s: P95 after outages 9.0, 5.0, 4.4, 3.8 m with 0, 0.3, 0.5, 1]
  public var roundingTime = 0.5

  /// The defaults.
  public init() {}

  /// Error in m/s: resolution at a crawl, slip with speed. [chosen]
  @inline(__always) func sigma(speed: Double) -> Double { 0.05 + 0.005 * abs(speed) }

  /// Variance in (m/s)² of what a sensor of this resolution, m/s, rounds by: of an error that is even over a
  /// step. Where it comes each `interval` seconds an update says as much less as it comes more often.
  @inline(__always) func roundingVariance(resolution: Double, interval: Double) -> Double {
    resolution * resolution / 12 * max(1, roundingTime / max(interval, 0.01))
  }
}
