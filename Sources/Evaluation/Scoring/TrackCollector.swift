import Drives
import Navigation

/// Collects the tracks to draw: every fix, and at most ten points a second of the rest.
struct TrackCollector: Sendable {
  private var gnss: [ReportPoint] = []
  private var causal = TrackPoints(role: .causal)
  private var truth: [ReportPoint] = []

  /// The tracks that have points, fixes first.
  var tracks: [ReportTrack] {
    [
      ReportTrack(role: .gnss, points: gnss), causal.track,
      ReportTrack(role: .truth, points: truth),
    ].filter { !$0.points.isEmpty }
  }

  mutating func add(_ fix: GNSSFix, truth: TruthSample?) {
    var point = ReportPoint(fix.time, fix.position, fix.velocityNED, truth)
    if let sigma = fix.positionSigma {
      let covariance = Matrix3(diagonal: sigma.scaled(by: sigma))
      point.radius68 = AccuracyRadius.radius68(covariance)
      point.radius95 = AccuracyRadius.radius95(covariance)
    }
    gnss.append(point)
  }

  mutating func add(_ solution: NavigationSolution, truth: TruthSample?) {
    causal.add(solution, truth: truth)
  }

  mutating func add(_ sample: TruthSample) {
    guard TrackPoints.isDue(sample.time, after: truth) else { return }
    truth.append(ReportPoint(sample.time, sample.position, sample.velocityNED, nil))
  }

}

/// The track of one estimator, at most ten points a second.
struct TrackPoints: Sendable {
  private(set) var track: ReportTrack

  init(role: ReportTrack.Role) { track = ReportTrack(role: role, points: []) }

  mutating func add(_ solution: NavigationSolution, truth: TruthSample?) {
    guard Self.isDue(solution.time, after: track.points) else { return }
    var point = ReportPoint(solution.time, solution.position, solution.velocityNED, truth)
    point.radius68 = solution.horizontalAccuracy
    point.radius95 = solution.horizontalAccuracy95
    track.points.append(point)
  }

  /// A point of another system's solution.
  mutating func add(_ sample: TruthSample, stated: StatedAccuracy? = nil, truth: TruthSample) {
    guard Self.isDue(sample.time, after: track.points) else { return }
    var point = ReportPoint(sample.time, sample.position, sample.velocityNED, truth)
    point.radius68 = stated?.radius68
    point.radius95 = stated?.radius95
    track.points.append(point)
  }

  /// Whether a point at `time` is not too soon after the last.
  static func isDue(_ time: Timestamp, after points: [ReportPoint]) -> Bool {
    points.last.map { time.seconds - $0.time > 0.0999 } ?? true
  }

}

extension ReportPoint {
  fileprivate init(
    _ time: Timestamp, _ position: GeodeticPosition, _ velocity: Vector3?, _ truth: TruthSample?
  ) {
    self.init(
      time: time.seconds, latitudeDegrees: position.latitudeDegrees,
      longitudeDegrees: position.longitudeDegrees)
    if let velocity {
      speed = velocity.horizontalNorm
      if velocity.horizontalNorm > 0.5 {
        courseDegrees = Angle.degrees(radians: Angle.positive(velocity.courseAngle))
      }
    }
    if let truth { horizontalError = position.displacement(from: truth.position).horizontalNorm }
  }
}
