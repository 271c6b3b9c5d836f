import Drives
import Navigation

/// Scores what the engine said of one variant, at the times of the truth.
package struct StressScorer: Sendable {
  /// True speed above which a direction of motion is compared, m/s, as in ``ErrorSeries``.
  static let directionSpeed = 2.0
  /// True speed above which the speed is compared, m/s: below, its error has a sign only.
  static let leastSpeed = 0.5
  /// Standard deviation from which a course is known, rad: that of a heading when it is first claimed.
  static let courseSigma = 0.12
  /// A solution faster than this is no car's, m/s.
  static let impossibleSpeed = 120.0
  /// Farther off than this is lost where the fixes are good, m.
  static let lostError = 30.0
  /// Coverage is averaged over stretches of this length too, s.
  static let window = 360.0

  private let truth: StressTruth
  private var figures = StressFigures()
  private var fixes = FixWatch()
  private var claim = HeadingClaim(), direction = HeadingClaim()
  private var lost = StressPieces()
  private var misleading = StressPieces()
  private var goodErrors: [Double] = []
  private var isStarted = false

  package init(_ truth: StressTruth) { self.truth = truth }

  /// Takes a fix when it arrives.
  package mutating func take(_ fix: GNSSFix) { fixes.add(fix.time, error: truth.error(of: fix)) }

  /// Takes what the engine says at a time of the truth, at the point that the truth refers to.
  package mutating func take(_ solution: NavigationSolution?, at point: StressTruth.Point) {
    let (time, interval) = (point.sample.time, point.interval)
    let speed = point.sample.velocityNED?.horizontalNorm
    let isAligned = solution?.isAligned ?? false
    claim.add(time, interval: interval, speed: speed, isClaimed: isAligned)
    let isCourseKnown = solution.map { $0.courseAccuracy < Self.courseSigma } ?? false
    direction.add(time, interval: interval, speed: speed, isClaimed: isAligned || isCourseKnown)
    guard let solution else {
      if isStarted { figures.unavailable += interval }
      return
    }
    isStarted = true
    guard isPossible(solution) else {
      figures.impossible += 1
      figures.impossibleFrom = figures.impossibleFrom ?? time.seconds
      guard solution.isFinite else {
        addPosition(.infinity, radii: (.nan, .nan), at: point)
        return
      }
      addPosition(solution, at: point)
      return
    }
    addPosition(solution, at: point)
    addMotion(solution, at: point)
    addHeading(solution, at: point)
  }

  /// The figures, with how often the engine started anew.
  package mutating func finish(resets: Int) -> StressFigures {
    lost.close()
    misleading.close()
    figures.lost = lost.total
    figures.lostFirst = lost.first
    figures.misleading = misleading.total
    figures.misleadingLongest = misleading.longest
    figures.goodP95 = ErrorStatistics(goodErrors)?.p95
    figures.fixP95 = ErrorStatistics(fixes.goodErrors)?.p95
    figures.headingAfter = claim.after
    figures.headingAfterDriving = claim.afterDriving
    figures.directionAfterDriving = direction.afterDriving
    figures.headingNever = claim.isNever
    figures.resets = resets
    return figures
  }

  private func isPossible(_ solution: NavigationSolution) -> Bool {
    solution.isFinite && abs(solution.position.latitude) <= .pi / 2
      && solution.velocityNED.norm <= Self.impossibleSpeed
  }

  private mutating func addPosition(_ solution: NavigationSolution, at point: StressTruth.Point) {
    let error = solution.position.displacement(from: point.sample.position)
    let radii = (solution.horizontalAccuracy, solution.horizontalAccuracy95)
    addPosition(error.horizontalNorm, radii: radii, at: point)
    guard error.z.isFinite, solution.isHeightKnown else { return }
    figures.height.add(error: error.z, sigma: solution.verticalAccuracy, for: point.interval)
  }

  private mutating func addPosition(_ error: Double, radii: (Double, Double), at point: StressTruth.Point) {
    let (time, interval) = (point.sample.time, point.interval)
    figures.position.add(error, radius68: radii.0, radius95: radii.1, for: interval)
    if figures.windows.last.map({ $0.time >= Self.window }) ?? true { figures.windows.append(.init()) }
    let window = figures.windows.count - 1
    figures.windows[window].add(error, radius68: radii.0, radius95: radii.1, for: interval)
    figures.diagram.add(error: error, radius: radii.1, for: interval)
    if error > Self.lostError, fixes.areLastThreeGood(at: time) {
      lost.add(time, interval: interval, error: error, radius: radii.1)
      if error.isFinite { figures.lostWorst = max(figures.lostWorst ?? 0, error) }
    }
    if MisleadingInformation.holds(error: error, radius95: radii.1) {
      misleading.add(time, interval: interval, error: error, radius: radii.1)
    }
    guard error.isFinite else { return }
    if error > figures.worst ?? -1 { (figures.worst, figures.worstAt) = (error, time.seconds) }
    if fixes.isLastGood(at: time) { goodErrors.append(error) }
    if fixes.areAllGood(at: time), error > figures.goodWorst ?? -1 {
      (figures.goodWorst, figures.goodWorstAt) = (error, time.seconds)
    }
  }

  private mutating func addMotion(_ solution: NavigationSolution, at point: StressTruth.Point) {
    guard let velocity = point.sample.velocityNED else { return }
    let trueSpeed = velocity.horizontalNorm
    guard trueSpeed > Self.leastSpeed else { return }
    let error = solution.speed - trueSpeed
    figures.speed.add(error: error, sigma: solution.speedAccuracy, for: point.interval)
    guard trueSpeed > Self.directionSpeed else { return }
    let turned = Angle.wrapped(solution.course - velocity.courseAngle)
    figures.course.add(error: turned, sigma: solution.courseAccuracy, for: point.interval)
  }

  private mutating func addHeading(_ solution: NavigationSolution, at point: StressTruth.Point) {
    guard solution.isAligned, let yaw = point.sample.yaw,
      let speed = point.sample.velocityNED?.horizontalNorm, speed > Self.directionSpeed
    else { return }
    let error = Angle.wrapped(solution.heading - yaw)
    figures.heading.add(error: error, sigma: solution.headingAccuracy, for: point.interval)
    let sigma = solution.headingAccuracy
    if abs(error) > 5 * sigma { figures.headingBeyond += point.interval }
    guard abs(error) > 5 * (sigma * sigma + truth.yawSigma * truth.yawSigma).squareRoot() else { return }
    figures.headingFalse += point.interval
    figures.headingFalseFrom = figures.headingFalseFrom ?? point.sample.time.seconds
  }
}
