import CLibrary
import Drives
import Navigation

/// Collects the errors of one estimator against the truth.
package struct ErrorSeries: Sendable {
  private var horizontal: [Double] = []
  private var along: [Double] = []
  private var cross: [Double] = []
  private var height: [Double] = []
  private var speed: [Double] = []
  private var courseDegrees: [Double] = []
  private var headingDegrees: [Double] = []
  private var coverage = CoverageCount()
  private var standstill = StandstillDrift()
  private var standing = StandstillTiming()
  private var heading = SettlingTime(bound: Angle.radians(degrees: 5))
  private var tilt = SettlingTime(bound: Angle.radians(degrees: 1))
  private var lateness = Lateness()

  package init() {}

  /// Scores a solution that already stands at the point truth refers to.
  package mutating func add(_ solution: NavigationSolution, truth: TruthSample) {
    let error = addPosition(solution.position, truth: truth)
    addVelocity(solution.velocityNED, truth: truth)
    addAttitude(solution, truth: truth)
    lateness.add(course: solution.velocityNED, truth: truth)
    standstill.add(solution.position, truth: truth)
    standing.add(isStanding: solution.mode == .stationary, truth: truth)
    coverage.add(error, radius68: solution.horizontalAccuracy, radius95: solution.horizontalAccuracy95)
    coverage.add(error, solution.positionCovariance)
  }

  /// Scores another system's solution, against the accuracy that it states if it does.
  package mutating func add(_ sample: TruthSample, stated: StatedAccuracy? = nil, truth: TruthSample) {
    let error = addPosition(sample.position, truth: truth)
    if let stated, let radius68 = stated.radius68, let radius95 = stated.radius95 {
      coverage.add(error, radius68: radius68, radius95: radius95)
      if let covariance = stated.covariance { coverage.add(error, covariance) }
    }
    if let velocity = sample.velocityNED {
      addVelocity(velocity, truth: truth)
      lateness.add(course: velocity, truth: truth)
    }
    standstill.add(sample.position, truth: truth)
    if let yaw = sample.yaw, let trueYaw = truth.yaw { addHeading(yaw, trueYaw, at: truth.time) }
  }

  /// Scores a raw fix against the truth at the antenna.
  package mutating func add(_ fix: GNSSFix, truth: TruthSample) {
    let error = addPosition(fix.position, truth: truth)
    if let velocity = fix.velocityNED { addVelocity(velocity, truth: truth) }
    if let sigma = fix.positionSigma, sigma.x > 0, sigma.y > 0 {
      let stated = Matrix3(diagonal: sigma.scaled(by: sigma))
      coverage.add(
        error, radius68: AccuracyRadius.radius68(stated), radius95: AccuracyRadius.radius95(stated))
      coverage.add(error, stated)
    }
  }

  /// The figures so far.
  package var score: EstimatorScore {
    var score = EstimatorScore()
    score.count = horizontal.count
    score.horizontal = ErrorStatistics(horizontal)
    score.along = ErrorStatistics(along)
    score.cross = ErrorStatistics(cross)
    score.height = ErrorStatistics(height)
    score.speed = ErrorStatistics(speed)
    score.courseDegrees = ErrorStatistics(courseDegrees)
    score.headingDegrees = ErrorStatistics(headingDegrees)
    coverage.fill(&score)
    var stops = standstill
    stops.finish()
    score.standstillDrift = ErrorStatistics(stops.drifts)
    score.standFoundAfter = ErrorStatistics(standing.found)
    score.standReleasedAfter = ErrorStatistics(standing.released)
    score.falseStop = standing.falseStop
    score.headingSettled = heading.settled
    score.tiltSettled = tilt.settled
    score.courseDelay = lateness.ofCourse
    score.lag = lateness.ofPosition
    return score
  }

  private mutating func addPosition(_ position: GeodeticPosition, truth: TruthSample) -> Vector3 {
    let error = position.displacement(from: truth.position)
    horizontal.append(error.horizontalNorm)
    if error.z.isFinite { height.append(-error.z) }
    if let velocity = truth.velocityNED, let (ahead, right) = error.trackComponents(along: velocity) {
      along.append(ahead)
      cross.append(right)
      lateness.add(ahead: ahead, speed: velocity.horizontalNorm)
    }
    return error
  }

  private mutating func addVelocity(_ velocity: Vector3, truth: TruthSample) {
    guard let reference = truth.velocityNED else { return }
    let trueSpeed = reference.horizontalNorm
    speed.append(velocity.horizontalNorm - trueSpeed)
    guard trueSpeed > 2, velocity.horizontalNorm > 0 else { return }
    let turned = velocity.courseAngle - reference.courseAngle
    courseDegrees.append(Angle.degrees(radians: Angle.wrapped(turned)))
  }

  private mutating func addAttitude(_ solution: NavigationSolution, truth: TruthSample) {
    guard solution.isAligned, let yaw = truth.yaw else { return }
    addHeading(solution.heading, yaw, at: truth.time)
    guard let roll = truth.roll, let pitch = truth.pitch else { return }
    let trueAttitude = Quaternion(roll: roll, pitch: pitch, yaw: yaw)
    // The angle between the two vertical axes of the car.
    let (down, trueDown) = (solution.navFromVehicle * Vector3(0, 0, 1), trueAttitude * Vector3(0, 0, 1))
    tilt.add(atan2(down.cross(trueDown).norm, down.dot(trueDown)), at: truth.time)
  }

  private mutating func addHeading(_ yaw: Double, _ trueYaw: Double, at time: Timestamp) {
    let error = Angle.wrapped(yaw - trueYaw)
    headingDegrees.append(Angle.degrees(radians: error))
    heading.add(abs(error), at: time)
  }
}
