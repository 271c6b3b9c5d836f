import Drives
import LinearAlgebra
import Navigation

/// The truth of a drive with the times at which it is compared, at most ten a second, and how long each stands for.
struct StressTruth: Sendable {
  /// A row of truth and the seconds that it stands for.
  struct Point: Sendable {
    var sample: TruthSample
    var interval: Double
  }

  /// A row of truth stands for the time to the next one up to this long; before a longer gap for ``spacing``.
  static let longestInterval = 1.0
  /// Rows closer together than this are passed over, s.
  static let spacing = 0.1

  let track: TruthTrack
  let geometry: EvaluationRun.Geometry
  let points: [Point]

  init(_ track: TruthTrack, geometry: EvaluationRun.Geometry) {
    self.track = track
    self.geometry = geometry
    var kept: [Point] = []
    for sample in track.samples {
      if let last = kept.last {
        let gap = sample.time.seconds(since: last.sample.time)
        // A tenth of slack: a clock that is not quite even keeps its every row.
        guard gap >= 0.9 * Self.spacing else { continue }
        if gap <= Self.longestInterval { kept[kept.count - 1].interval = gap }
      }
      kept.append(Point(sample: sample, interval: Self.spacing))
    }
    points = kept
  }

  /// Horizontal distance of a fix from the truth at its own time; nil where there is no truth.
  func error(of fix: GNSSFix) -> Double? {
    guard let sample = track.sample(at: fix.time) else { return nil }
    return fix.position.displacement(from: geometry.atAntenna(sample).position).horizontalNorm
  }
}
