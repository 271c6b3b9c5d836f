import Drives
import Navigation

/// What the HTML report shows of one drive.
public struct DriveReport: Sendable {
  /// Name of the drive.
  public var name: String
  /// `real`, `hybrid` or `simulated`.
  public var kind: String
  /// Where it was driven, and how, in words.
  public var place: String
  /// Seconds from first to last sample.
  public var duration: Double
  /// Metres driven.
  public var distance: Double
  /// The tracks to draw: raw fixes, estimators, truth.
  public var tracks: [ReportTrack]
  /// Scores, a row an estimator.
  public var scores: [ReportScore]
  /// Outage study, a row a length.
  public var outages: [ReportOutage]
  /// Gaps that the fixes really have, a row each.
  public var realGaps: [RealGap] = []
  /// Whether the truth was made of the same fixes, so that their errors, and any gain over them, mean little.
  public var isTruthOfTheFixes = false
  /// Counted rejections and other remarks, in sentences.
  public var notes: [String]
  /// What figures are drawn from besides the tracks, where it was kept.
  public var diagnostics: DriveDiagnostics?
  /// Streets under the tracks, where there are any.
  package var streets: ReportStreets?
  /// What the figures were made by and from.
  public var provenance: Provenance?

  /// A report of one drive, empty of tracks and scores.
  public init(name: String, kind: String, place: String, duration: Double, distance: Double) {
    self.name = name
    self.kind = kind
    self.place = place
    self.duration = duration
    self.distance = distance
    tracks = []
    scores = []
    outages = []
    notes = []
  }
}

/// One line on the map and one curve over time.
public struct ReportTrack: Sendable {
  /// What made the track; the page gives each role its own colour.
  public enum Role: String, Sendable {
    case gnss, causal, fixedLag, full, receiver, track, truth
  }
  /// What made the track.
  public var role: Role
  /// Its points in order of time.
  public var points: [ReportPoint]

  /// A track of these points.
  public init(role: Role, points: [ReportPoint]) {
    self.role = role
    self.points = points
  }
}

/// One point of a track; what is not known is nil.
public struct ReportPoint: Sendable {
  /// Seconds on the drive's time line.
  public var time: Double
  /// Degrees.
  public var latitudeDegrees: Double
  /// Degrees.
  public var longitudeDegrees: Double
  /// Radius in metres that should hold the truth for 68 % of the time.
  public var radius68: Double?
  /// Radius in metres that should hold the truth for 95 % of the time.
  public var radius95: Double?
  /// Direction of motion in degrees from north through east.
  public var courseDegrees: Double?
  /// Horizontal speed in m/s.
  public var speed: Double?
  /// Horizontal distance from the truth in metres.
  public var horizontalError: Double?

  /// A point at `time` seconds; set the rest as far as it is known.
  public init(time: Double, latitudeDegrees: Double, longitudeDegrees: Double) {
    self.time = time
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }

  /// Its place on the ellipsoid.
  var position: GeodeticPosition {
    GeodeticPosition(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees, height: 0)
  }
}

/// One estimator's row in the table; what cannot be had is nil.
public struct ReportScore: Sendable {
  /// What was scored.
  public var role: ReportTrack.Role
  /// Horizontal error in metres: 50, 68, 95 and 99 %, largest, root mean square.
  public var p50, p68, p95, p99, max, rms: Double?
  /// 68 % figures of speed (m/s), course and heading (degrees).
  public var speedError, courseErrorDegrees, headingErrorDegrees: Double?
  /// Share of time that the truth lies inside the 68 % and the 95 % radius.
  public var coverage68, coverage95: Double?
  /// Share of time with a position.
  public var availability: Double?

  /// A row with no figures yet.
  public init(role: ReportTrack.Role) { self.role = role }
}

/// One length of the outage study.
public struct ReportOutage: Sendable {
  /// Seconds without fixes.
  public var length: Double
  /// Number of windows.
  public var count: Int
  /// Error at the end in metres, and in percent of the distance driven.
  public var p50, p95, max, percentP50, percentP95: Double?

  /// A row with no figures yet.
  public init(length: Double, count: Int) {
    self.length = length
    self.count = count
  }
}
