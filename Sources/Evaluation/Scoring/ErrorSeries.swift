import Drives
import LinearAlgebra
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
  private var covered = 0
  private var inside68 = 0
  private var inside95 = 0
  private var neesSum = 0.0
  private var neesCount = 0
  private var alongTimesSpeed = 0.0
  private var speedSquared = 0.0

  package init() {}

  /// Scores a solution that already stands at the point truth refers to.
  package mutating func add(_ solution: NavigationSolution, truth: TruthSample) {
    let error = addPosition(solution.position, truth: truth)
    addVelocity(solution.velocityNED, truth: truth)
    if let yaw = truth.yaw, solution.isAligned {
      headingDegrees.append(Angle.degrees(radians: Angle.wrapped(solution.heading - yaw)))
    }
    addCoverage(error, solution.positionCovariance)
  }

  /// Scores a raw fix against the truth at the antenna.
  package mutating func add(_ fix: GNSSFix, truth: TruthSample) {
    let error = addPosition(fix.position, truth: truth)
    if let velocity = fix.velocityNED { addVelocity(velocity, truth: truth) }
    if let sigma = fix.positionSigma, sigma.x > 0, sigma.y > 0 {
      addCoverage(error, Matrix3(diagonal: sigma.scaled(by: sigma)))
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
    }
    if neesCount > 0 { score.positionNEES = neesSum / Double(neesCount) }
    if speedSquared > 0 { score.lag = -alongTimesSpeed / speedSquared }
    return score
  }

  private mutating func addPosition(_ position: GeodeticPosition, truth: TruthSample) -> Vector3 {
    let error = position.displacement(from: truth.position)
    horizontal.append(error.horizontalNorm)
    if error.z.isFinite { height.append(-error.z) }
    if let velocity = truth.velocityNED, velocity.horizontalNorm > 0.5 {
      let v = velocity.horizontalNorm
      let (north, east) = (velocity.x / v, velocity.y / v)
      let ahead = error.x * north + error.y * east
      along.append(ahead)
      cross.append(error.y * north - error.x * east)
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

  private mutating func addCoverage(_ error: Vector3, _ covariance: Matrix3) {
    covered += 1
    if error.horizontalNorm <= AccuracyRadius.radius68(covariance) { inside68 += 1 }
    if error.horizontalNorm <= AccuracyRadius.radius95(covariance) { inside95 += 1 }
    let (a, b, c) = (covariance.x.x, covariance.x.y, covariance.y.y)
    let determinant = a * c - b * b
    guard determinant > 0, determinant.isFinite else { return }
    let (n, e) = (error.x, error.y)
    neesSum += (c * n * n - 2 * b * n * e + a * e * e) / determinant / 2
    neesCount += 1
  }
}
