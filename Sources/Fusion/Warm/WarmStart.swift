import LinearAlgebra
import Navigation

/// A saved state and how far it has been put to the test.
struct WarmStart: Sendable {
  /// Change of the gyroscope's bias that warming up explains, rad/s: 0.3 °/s. [chosen]
  static let gyroDrift = 0.005
  /// Change of the accelerometer's bias that warming up explains, m/s²: 5 mg. [chosen]
  static let accelDrift = 0.05
  /// Time after which the IMU's temperature may be any other, s. [chosen]
  static let coolingTime = 7200.0
  /// Lean of the body under another load, rad. [chosen]
  static let loadLean = 0.005
  /// Change of the wheel speed's scale by pressure and wear. [chosen]
  static let tyreWear = 0.01
  /// Standard deviations of an antenna's place, m, and of a receiver's lag, s, at least: what was learned of
  /// them on one drive holds for the next only so far. [chosen]
  static let leastArmSigma = 0.1, leastLagSigma = 0.02
  /// A resting gyroscope that reads this much off its saved bias, beyond what is uncertain, is
  /// another one, rad/s. [chosen]
  static let otherGyro = 0.02
  /// No gyroscope is so far off; a car that turns is, rad/s: 11 °/s. [chosen]
  static let turning = 0.2
  /// A resting accelerometer whose force is this far from gravity is another one, m/s². [chosen]
  static let otherForce = 0.5
  /// Change of tilt at a place that a car on its springs does not make, rad. [chosen]
  static let otherSlope = 0.07
  /// No road is as steep as this against the mounting, rad: 20 %. [chosen]
  static let steepest = 0.2
  /// The IMU must be steady for this long to be compared with the saved state, s. [chosen]
  static let restTime = 0.75
  /// And for this long before it is taken for another, s. [chosen]
  static let longRestTime = 2.0
  /// Without that much rest after this time the car is shaking, or drives, s. [chosen]
  static let patience = 3.0
  /// A car that was saved in motion goes on as it went for this long, s. [chosen]
  static let motionAge = 5.0
  /// The cold start takes over from a saved heading with this much more log-likelihood: a parked car
  /// is seldom turned. [chosen]
  static let headingMargin = 10.0
  /// The same for a heading from the direction of motion: nobody reverses for long. [chosen]
  static let courseMargin = 10.0
  /// The same against a cold start that is sure of another heading. [chosen]
  static let opposedMargin = 3.0
  /// Speed from which the direction of motion gives the heading, m/s: it shows the mounting
  /// from there on too. [chosen]
  static let courseSpeed = 3.0
  /// A car that was moved by less than this is not told from one that was not, m: the fixes pull it along.
  /// [chosen]
  static let leastMove = 15.0
  /// No reflected signal puts a first fix so far off, m. [chosen]
  static let noReflection = 100.0
  /// Fixes that must agree with the saved place, or be far from it, in a row. [chosen]
  static let fixesToDecide = 3

  let saved: SavedState
  var report = WarmStartReport()
  var firstInertial: Timestamp?
  /// Whether the IMU at rest was found to be the one that was saved.
  var isIMUKnown = false
  /// Whether the IMU or its mounting was found to be another.
  var isIMUOther = false
  /// Fixes in a row near to the trial's place, and far from it.
  var near = 0, far = 0
  var margin = WarmStart.headingMargin
  /// Log-likelihood that the trial was ahead of the cold start by before the newest fix.
  var lead = 0.0
  var hasTriedCourse = false

  init(_ saved: SavedState) {
    self.saved = saved
    if let fault = saved.fault {
      report.stage = .cold
      report.contradiction = .unusable(fault)
      isIMUOther = true
    }
  }

  /// Whether there is anything in it to be used.
  var isUsable: Bool {
    if case .unusable? = report.contradiction { return false }
    return true
  }

  /// Share of the drift by temperature that has to be expected, 0 to 1.
  var drift: Double { (saved.age.map { min($0 / Self.coolingTime, 1) } ?? 1).squareRoot() }

  /// Notes what speaks against the saved state; what came first stays.
  mutating func note(_ contradiction: WarmStartReport.Contradiction) {
    report.contradiction = report.contradiction ?? contradiction
  }

  /// Whether the car was left driving a moment ago.
  var isGoingOn: Bool { !saved.isStandingStill && (saved.age.map { $0 <= Self.motionAge } ?? false) }

  /// What a car at rest says of its IMU against the saved one.
  ///
  /// - Parameters:
  ///   - rate: mean angular rate as measured, rad/s.
  ///   - force: mean specific force as measured, m/s².
  func contradiction(rate: Vector3, force: Vector3) -> WarmStartReport.Contradiction? {
    let bias = saved.calibration.gyroBias
    let change = (rate - bias.value).norm
    if change > Self.otherGyro + 3 * (bias.sigma.norm + Self.gyroDrift * drift) {
      return .imuChanged(byRadiansPerSecond: change)
    }
    let corrected = force - saved.calibration.accelBias.value
    if abs(corrected.norm - 9.81) > Self.otherForce {
      return .forceChanged(byMetresPerSecondSquared: abs(corrected.norm - 9.81))
    }
    let down = corrected * (-1 / corrected.norm)
    let level = mounting.inverse * Vector3(0, 0, 1)
    let before = saved.isStandingStill ? saved.navFromBody.inverse * Vector3(0, 0, 1) : level
    func angle(_ axis: Vector3) -> Double { (down - axis).norm }
    // A ramp it stood on before does not count against it.
    if angle(before) > Self.otherSlope, angle(level) > Self.steepest {
      return .imuTurned(byRadians: angle(level))
    }
    guard saved.isStandingStill, angle(before) > Self.otherSlope else { return nil }
    return .tilted(byRadians: angle(before))
  }

  /// The saved mounting C_b^v.
  var mounting: Quaternion { saved.calibration.vehicleFromBody ?? .identity }

  /// What a navigator that starts cold may take up later.
  var remembered: RememberedCar {
    let c = saved.calibration
    return RememberedCar(
      vehicleFromBody: isIMUOther ? nil : mounting,
      pitchSigma: c.mountingPitchSigma, yawSigma: c.mountingYawSigma,
      odometerScale: c.odometerScale, leverArm: c.leverArm)
  }
}

/// What an earlier drive knew of the car; a navigator takes up the mounting where motion bears it out.
struct RememberedCar: Sendable {
  /// The motion must show the mounting within this, rad: about twice what a glance at it is good for.
  /// [chosen]
  static let tolerance = 0.08
  /// Standard deviation of a mounting that motion bore out, at least, rad. [chosen]
  static let leastSigma = 0.01

  /// Mounting C_b^v; nil where it is known to have changed.
  var vehicleFromBody: Quaternion?
  var pitchSigma, yawSigma: Double
  var odometerScale: Calibration.Scalar
  var leverArm: Calibration.Vector

  /// Whether the mounting seen from the direction of motion is this one: or this one in reverse.
  func agrees(with seen: Quaternion) -> Bool {
    guard let vehicleFromBody else { return false }
    let half = Quaternion(rotationVector: Vector3(0, 0, .pi))
    for candidate in [seen, half * seen] {
      let off = (vehicleFromBody * candidate.inverse).rotationVector
      // Roll is not seen from motion but from gravity: roads are banked.
      if max(abs(off.y), abs(off.z)) < Self.tolerance, abs(off.x) < 2 * Self.tolerance { return true }
    }
    return false
  }
}
