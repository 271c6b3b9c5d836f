import Drives
import Navigation

/// The truth of a drive with the times at which it is compared, at most ten a second, and
/// how long each stands for.
package struct StressTruth: Sendable {
  /// A row of truth and the seconds that it stands for.
  package struct Point: Sendable {
    package var sample: TruthSample
    package var interval: Double
  }

  /// A row of truth stands for the time to the next one up to this long; before a longer gap for ``spacing``.
  static let longestInterval = 1.0
  /// Rows closer together than this are passed over, s.
  static let spacing = 0.1

  package let track: TruthTrack
  let geometry: EvaluationRun.Geometry
  /// Standard deviation of the true yaw, rad.
  package let yawSigma: Double
  package let points: [Point]

  package init(_ track: TruthTrack, of description: DriveDescription) {
    self.track = track
    geometry = EvaluationRun.Geometry(description)
    yawSigma = Self.yawSigma(description)
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

  /// That of a simulated drive is exact. Of a real one it is the course of a point of the car, of unknown
  /// slip, or that of a device of unknown mounting: no better than a degree, and no better than what
  /// drive.json says ("0.50 deg rms").
  private static func yawSigma(_ description: DriveDescription) -> Double {
    guard description.kind != .simulated else { return 0 }
    let words = (description.truth?.yaw ?? "").split { " ,:;()".contains($0) }
    let stated = zip(words, words.dropFirst()).compactMap { $1 == "deg" ? Double($0) : nil }
    return Angle.radians(degrees: max(1, stated.max() ?? 0))
  }

  /// Horizontal distance of a fix from the truth at its own time; nil where there is no truth.
  package func error(of fix: GNSSFix) -> Double? {
    guard let sample = track.sample(at: fix.time) else { return nil }
    return fix.position.displacement(from: geometry.atAntenna(sample).position).horizontalNorm
  }
}
