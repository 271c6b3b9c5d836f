import Drives
import Fusion

/// Collects what the figures of a report show of a pass over a drive.
struct DiagnosticsCollector: Sendable {
  /// Seconds from one look at the calibration to the next.
  private static let calibrationStep = 1.0

  private(set) var diagnostics = DriveDiagnostics()

  mutating func add(_ verdict: MeasurementVerdict) {
    guard verdict.time.seconds.isFinite else { return }
    let moment = MeasurementMoment(verdict)
    diagnostics.measurements.append(moment)
    // The verdict on a fix may come with a later sample.
    guard verdict.kind == .gnssPosition,
      let i = diagnostics.fixes.indices.suffix(20).last(where: { diagnostics.fixes[$0].time == moment.time })
    else { return }
    diagnostics.fixes[i].fate = moment.fate
  }

  /// Takes a fix that `engine` has not taken yet.
  mutating func add(_ fix: GNSSFix, before engine: FusionEngine) {
    if let moment = FixMoment(fix, before: engine) { diagnostics.fixes.append(moment) }
  }

  /// Looks at what `engine` has learned, where the last look is long enough ago.
  mutating func look(at engine: FusionEngine, _ now: Timestamp) {
    let time = now.seconds
    if let last = diagnostics.calibration.last, time - last.time < Self.calibrationStep { return }
    guard let calibration = engine.calibration else { return }
    diagnostics.calibration.append(CalibrationMoment(time: time, calibration: calibration))
  }

  /// Takes a solution at the point that truth refers to.
  mutating func add(_ solution: NavigationSolution, truth: TruthSample) {
    let time = solution.time.seconds
    if let last = diagnostics.errors.last, time - last.time < 0.0999 { return }
    diagnostics.errors.append(ErrorMoment(solution, truth: truth))
  }
}

extension ErrorMoment {
  /// The errors of `solution`, which stands at the point that truth refers to.
  package init(_ solution: NavigationSolution, truth: TruthSample) {
    self.init(time: solution.time.seconds)
    let error = solution.position.displacement(from: truth.position)
    let p = solution.positionCovariance
    if let velocity = truth.velocityNED {
      let v = velocity.horizontalNorm
      if let (ahead, right) = error.trackComponents(along: velocity) {
        let (n, e) = (velocity.x / v, velocity.y / v)
        along = Part(error: ahead, sigma: Self.sigma(p, n, e))
        across = Part(error: right, sigma: Self.sigma(p, -e, n))
      }
      speed = Part(error: solution.velocityNED.horizontalNorm - v, sigma: solution.speedAccuracy)
    }
    if error.z.isFinite, solution.isHeightKnown {
      height = Part(error: -error.z, sigma: solution.verticalAccuracy)
    }
    if solution.isAligned, let yaw = truth.yaw {
      heading = Part(
        error: Angle.degrees(radians: Angle.wrapped(solution.heading - yaw)),
        sigma: Angle.degrees(radians: solution.headingAccuracy))
    }
    let determinant = p.x.x * p.y.y - p.x.y * p.x.y
    if determinant > 0, determinant.isFinite {
      let (n, e) = (error.x, error.y)
      nees = (p.y.y * n * n - 2 * p.x.y * n * e + p.x.x * e * e) / determinant / 2
    }
  }

  /// Standard deviation of a horizontal error along the direction `n`, `e`.
  private static func sigma(_ p: Matrix3, _ n: Double, _ e: Double) -> Double {
    max(0, n * n * p.x.x + 2 * n * e * p.x.y + e * e * p.y.y).squareRoot()
  }
}
