import Drives
import Navigation

/// The times of a track, before it is scored.
struct TrackSurvey: Sendable {
  private let clock: TrackClock
  /// First and last time on the drive's clock.
  private(set) var first: Timestamp?, last: Timestamp?
  /// Points whose time could not be brought to the drive's clock.
  private(set) var untold = 0
  private var firstPoint: TrackFilePoint?
  private var lastPoint: TrackFilePoint?
  /// Seconds from point to point, of the first of them.
  private var steps: [Double] = []
  private static let mostSteps = 10_000
  private var previous: Timestamp?

  init(_ clock: TrackClock) { self.clock = clock }

  mutating func add(_ point: TrackFilePoint) {
    if firstPoint == nil { firstPoint = point }
    lastPoint = point
    guard let time = clock.time(of: point) else {
      untold += 1
      return
    }
    if let previous, time > previous, steps.count < Self.mostSteps {
      steps.append(time.seconds(since: previous))
    }
    previous = time
    first = min(first ?? time, time)
    last = max(last ?? time, time)
  }

  /// Median seconds from point to point.
  var interval: Double { steps.isEmpty ? 0 : ErrorStatistics.percentile(0.5, ofSorted: steps.sorted()) }

  /// What the times count; throws where they cannot be brought to the drive's clock.
  func base(of file: TrackFile) throws(EvaluationError) -> TrackTimeBase {
    guard let firstPoint else { throw .track(path: file.path, reason: "holds no point") }
    let base = clock.base(of: firstPoint)
    guard first == nil else { return base }
    if base == .drive, firstPoint.isUTC {
      throw .track(
        path: file.path,
        reason: "its times are calendar times, not seconds of the drive; leave out --time drive")
    }
    throw .track(
      path: file.path,
      reason:
        "its times are \(base == .gps ? "GPS time" : "UTC"), and nobody says when the drive was; give drive.json a "
        + "\"start_utc\" (UTC of its time 0), or the times in seconds of the drive, with --time drive if they are large"
    )
  }

  /// Throws where the track and the truth have no time in common.
  func check(_ file: TrackFile, from start: Timestamp, to end: Timestamp) throws(EvaluationError) {
    guard let first, let last, last < start || first > end else { return }
    var advice =
      "give --time-shift SECONDS, which are added to the track's times, if you know by how much they differ"
    if let firstPoint, let lastPoint {
      for base in TrackTimeBase.allCases {
        var other = clock
        other.base = base
        guard let a = other.time(of: firstPoint), let b = other.time(of: lastPoint), a <= end, b >= start
        else { continue }
        advice = "counted as \(base.rawValue) they meet: --time \(base.rawValue)"
      }
    }
    let cell = { (time: Timestamp) in TextTable.cell(time.seconds, digits: 1) }
    throw .track(
      path: file.path,
      reason:
        "the track lasts from \(cell(first)) to \(cell(last)) s of the drive and the truth from \(cell(start)) to "
        + "\(cell(end)) s, so that there is nothing to compare; \(advice)")
  }
}
