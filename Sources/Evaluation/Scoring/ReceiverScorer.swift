import Drives
import Navigation

/// Scores another system's own solution, the file receiver.csv, as one more estimator.
struct ReceiverScorer: Sendable {
  /// Its solution, without a yaw where it had none.
  let track: TruthTrack
  /// When its heading was known; nil where it never was.
  let alignedAt: Timestamp?
  private let keepsTrack: Bool
  private var series = ErrorSeries()
  private var asked = 0
  private var answered = 0
  private(set) var points = TrackPoints(role: .receiver)

  init(_ track: TruthTrack, keepsTrack: Bool) {
    self.keepsTrack = keepsTrack
    let aligned = Self.firstKnownYaw(track.samples)
    alignedAt = aligned
    self.track = TruthTrack(
      track.samples.map { sample in
        var sample = sample
        if sample.yaw == 0 || aligned.map({ sample.time < $0 }) ?? true { sample.yaw = nil }
        return sample
      })
  }

  /// Whether there is such a solution.
  var isThere: Bool { !track.samples.isEmpty }

  /// Scores it where the truth is `truth`; ``TruthTrack/longestGap`` bounds how far it is interpolated.
  mutating func add(_ truth: TruthSample) {
    guard isThere else { return }
    asked += 1
    guard let sample = track.sample(at: truth.time) else { return }
    answered += 1
    series.add(sample, truth: truth)
    if keepsTrack { points.add(sample, truth: truth) }
  }

  /// The figures so far; `first` is the time of the drive's first sample.
  func score(from first: Timestamp?) -> EstimatorScore? {
    guard isThere else { return nil }
    var score = series.score
    if asked > 0 { score.availability = Double(answered) / Double(asked) }
    if let first, let alignedAt { score.alignedAfter = max(0, alignedAt.seconds(since: first)) }
    return score
  }

  /// The first row with a yaw that stays for 10 s. Receivers write 0 while they know none, and a car does not
  /// hold that to the last digit.
  private static func firstKnownYaw(_ samples: [TruthSample]) -> Timestamp? {
    var since: Timestamp?
    for sample in samples {
      guard let yaw = sample.yaw, yaw != 0 else {
        since = nil
        continue
      }
      let start = since ?? sample.time
      since = start
      if sample.time.seconds(since: start) >= 10 { return start }
    }
    return nil
  }
}
