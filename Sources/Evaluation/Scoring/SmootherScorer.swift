import Drives
import Fusion

/// Scores one smoother at the times of the truth, or, on a drive without, at 10 Hz for
/// its availability and track.
struct SmootherScorer: Sendable {
  private let truth: TruthTrack
  private let truthFromIMU: Vector3
  private let keepsTrack: Bool
  private var series = ErrorSeries()
  private var nextTruth = 0
  private var nextTick: Timestamp?
  private var asked = 0
  private var answered = 0
  /// Its track, if it was to be kept.
  private(set) var track: TrackPoints

  init(role: ReportTrack.Role, truth: TruthTrack, truthFromIMU: Vector3, keepsTrack: Bool) {
    self.truth = truth
    self.truthFromIMU = truthFromIMU
    self.keepsTrack = keepsTrack
    track = TrackPoints(role: role)
  }

  /// Scores a stretch; `last` is the arrival of the newest sample.
  mutating func take(_ stretch: SmoothedTrack, last: Timestamp) {
    guard truth.samples.isEmpty else {
      while nextTruth < truth.samples.count, truth.samples[nextTruth].time < stretch.end {
        let sample = truth.samples[nextTruth]
        ask(stretch, at: sample.time, truth: sample)
        nextTruth += 1
      }
      return
    }
    var time = max(nextTick ?? stretch.start, stretch.start)
    // A stretch without end, or a clock that leapt, is not scored all the way.
    let end = min(stretch.end, min(last, time.advanced(bySeconds: 7200)).advanced(bySeconds: 1e-3))
    while time < end {
      ask(stretch, at: time, truth: nil)
      time = time.advanced(bySeconds: 0.1)
    }
    nextTick = time
  }

  private mutating func ask(_ stretch: SmoothedTrack, at time: Timestamp, truth: TruthSample?) {
    asked += 1
    guard let solution = stretch.solution(at: time)?.moved(byVehicleOffset: truthFromIMU), solution.isFinite
    else { return }
    answered += 1
    if let truth { series.add(solution, truth: truth) }
    if keepsTrack { track.add(solution, truth: truth) }
  }

  /// The figures so far.
  var score: EstimatorScore {
    var score = series.score
    if truth.samples.isEmpty { score.count = answered }
    if asked > 0 { score.availability = Double(answered) / Double(asked) }
    return score
  }
}
