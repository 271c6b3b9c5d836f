import Drives
import LinearAlgebra
import Navigation

/// Collects the tracks to draw: every fix, and at most ten points a second of the rest.
struct TrackCollector: Sendable {
  private var gnss: [ReportPoint] = []
  private var causal: [ReportPoint] = []
  private var truth: [ReportPoint] = []

  /// The tracks that have points, fixes first.
  var tracks: [ReportTrack] {
    [
      ReportTrack(role: .gnss, points: gnss), ReportTrack(role: .causal, points: causal),
      ReportTrack(role: .truth, points: truth),
    ].filter { !$0.points.isEmpty }
  }

  mutating func add(_ fix: GNSSFix, truth: TruthSample?) {
    var point = Self.point(fix.time, fix.position, fix.velocityNED, truth)
    if let sigma = fix.positionSigma {
      let covariance = Matrix3(diagonal: sigma.scaled(by: sigma))
      point.radius68 = AccuracyRadius.radius68(covariance)
      point.radius95 = AccuracyRadius.radius95(covariance)
    }
    gnss.append(point)
  }

  mutating func add(_ solution: NavigationSolution, truth: TruthSample?) {
    guard Self.isDue(solution.time, after: causal) else { return }
    var point = Self.point(solution.time, solution.position, solution.velocityNED, truth)
    point.radius68 = solution.horizontalAccuracy
    point.radius95 = solution.horizontalAccuracy95
    causal.append(point)
  }

  mutating func add(_ sample: TruthSample) {
    guard Self.isDue(sample.time, after: truth) else { return }
    truth.append(Self.point(sample.time, sample.position, sample.velocityNED, nil))
  }

  private static func isDue(_ time: Timestamp, after points: [ReportPoint]) -> Bool {
    points.last.map { time.seconds - $0.time > 0.0999 } ?? true
  }

  private static func point(
    _ time: Timestamp, _ position: GeodeticPosition, _ velocity: Vector3?, _ truth: TruthSample?
  ) -> ReportPoint {
    var point = ReportPoint(
      time: time.seconds, latitudeDegrees: position.latitudeDegrees,
      longitudeDegrees: position.longitudeDegrees)
    if let velocity {
      point.speed = velocity.horizontalNorm
      if velocity.horizontalNorm > 0.5 {
        point.courseDegrees = Angle.degrees(radians: Angle.positive(velocity.courseAngle))
      }
    }
    if let truth { point.horizontalError = position.displacement(from: truth.position).horizontalNorm }
    return point
  }
}
