import Drives
import LinearAlgebra
import Navigation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Collects the errors of one estimator against the truth.
package struct ErrorSeries: Sendable {
  private var horizontal: [Double] = []
  private var along: [Double] = []
  private var cross: [Double] = []
  private var height: [Double] = []
  private var speed: [Double] = []
  private var courseDegrees: [Double] = []
  private var headingDegrees: [Double] = []
  private var covered = 0
  private var inside68 = 0
  private var inside95 = 0
  private var misleading = 0
  private var neesSum = 0.0
  private var neesCount = 0
  private var standstill = StandstillDrift()
  private var standing = StandstillTiming()
  private var heading = SettlingTime(bound: Angle.radians(degrees: 5))
  private var tilt = SettlingTime(bound: Angle.radians(degrees: 1))
  private var lastCourse: (time: Timestamp, course: Double)?
  private var courseErrorTimesRate = 0.0
  private var courseRateSquared = 0.0
  private var alongTimesSpeed = 0.0
  private var speedSquared = 0.0

  package init() {}

  /// Scores a solution that already stands at the point truth refers to.
  package mutating func add(_ solution: NavigationSolution, truth: TruthSample) {
    let error = addPosition(solution.position, truth: truth)
    addVelocity(solution.velocityNED, truth: truth)
    addAttitude(solution, truth: truth)
    addTurn(solution.velocityNED, truth: truth)
    standstill.add(solution.position, truth: truth)
    standing.add(isStanding: solution.mode == .stationary, truth: truth)
    addCoverage(error, solution.positionCovariance, radius95: solution.horizontalAccuracy95)
  }

  /// Scores another system's solution, against the accuracy that it states if it does.
  package mutating func add(_ sample: TruthSample, stated: StatedAccuracy? = nil, truth: TruthSample) {
    let error = addPosition(sample.position, truth: truth)
    if let stated, let radius68 = stated.radius68, let radius95 = stated.radius95 {
      addCoverage(error, radius68: radius68, radius95: radius95)
      if let covariance = stated.covariance { addNEES(error, covariance) }
    }
    if let velocity = sample.velocityNED {
      addVelocity(velocity, truth: truth)
      addTurn(velocity, truth: truth)
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
      addCoverage(error, stated, radius95: AccuracyRadius.radius95(stated))
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
    if covered > 0 {
      score.coverage68 = Double(inside68) / Double(covered)
      score.coverage95 = Double(inside95) / Double(covered)
      score.misleading = Double(misleading) / Double(covered)
    }
    if neesCount > 0 { score.positionNEES = neesSum / Double(neesCount) }
    var stops = standstill
    stops.finish()
    score.standstillDrift = ErrorStatistics(stops.drifts)
    score.standFoundAfter = ErrorStatistics(standing.found)
    score.standReleasedAfter = ErrorStatistics(standing.released)
    score.falseStop = standing.falseStop
    score.headingSettled = heading.settled
    score.tiltSettled = tilt.settled
    if courseRateSquared > 0 { score.courseDelay = -courseErrorTimesRate / courseRateSquared }
    if speedSquared > 0 { score.lag = -alongTimesSpeed / speedSquared }
    return score
  }

  private mutating func addPosition(_ position: GeodeticPosition, truth: TruthSample) -> Vector3 {
    let error = position.displacement(from: truth.position)
    horizontal.append(error.horizontalNorm)
    if error.z.isFinite { height.append(-error.z) }
    if let velocity = truth.velocityNED, let (ahead, right) = error.trackComponents(along: velocity) {
      let v = velocity.horizontalNorm
      along.append(ahead)
      cross.append(right)
      alongTimesSpeed += ahead * v
      speedSquared += v * v
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

  /// Regression of the course error on the rate of the true course, where that is above 5 °/s and the speed above 2 m/s.
  private mutating func addTurn(_ velocity: Vector3, truth: TruthSample) {
    guard let reference = truth.velocityNED, reference.horizontalNorm > 2, velocity.horizontalNorm > 0 else {
      lastCourse = nil
      return
    }
    let course = reference.courseAngle
    defer { lastCourse = (truth.time, course) }
    guard let last = lastCourse else { return }
    let step = truth.time.seconds(since: last.time)
    guard step > 0, step <= TruthTrack.longestGap else { return }
    let rate = Angle.wrapped(course - last.course) / step
    guard abs(rate) > Angle.radians(degrees: 5) else { return }
    courseErrorTimesRate += Angle.wrapped(velocity.courseAngle - course) * rate
    courseRateSquared += rate * rate
  }

  private mutating func addCoverage(_ error: Vector3, _ covariance: Matrix3, radius95: Double) {
    addCoverage(error, radius68: AccuracyRadius.radius68(covariance), radius95: radius95)
    addNEES(error, covariance)
  }

  private mutating func addCoverage(_ error: Vector3, radius68: Double, radius95: Double) {
    covered += 1
    if error.horizontalNorm <= radius68 { inside68 += 1 }
    if error.horizontalNorm <= radius95 { inside95 += 1 }
    if MisleadingInformation.holds(error: error.horizontalNorm, radius95: radius95) { misleading += 1 }
  }

  private mutating func addNEES(_ error: Vector3, _ covariance: Matrix3) {
    let (a, b, c) = (covariance.x.x, covariance.x.y, covariance.y.y)
    let determinant = a * c - b * b
    guard determinant > 0, determinant.isFinite else { return }
    let (n, e) = (error.x, error.y)
    neesSum += (c * n * n - 2 * b * n * e + a * e * e) / determinant / 2
    neesCount += 1
  }
}
