import Drives
import Navigation

/// Scores the track of another system against the truth of a drive, or against another track.
public struct TrackEvaluator: Sendable {
  /// What the times of the track count; nil to go by the file.
  public var base: TrackTimeBase?
  /// Seconds to add to them.
  public var shift = 0.0
  /// Seconds that two poses may lie apart to be a pair for ATE and RPE; evo's own default.
  public var pairing = 0.01
  /// The point of the car that the track is of; nil to go by the file: of the IMU where Reckon made it, else
  /// of the truth's own.
  public var point: TrackCarPoint?
  /// Whether to keep the track for a report.
  public var keepsTrack = false

  /// An evaluator that goes by what the file says.
  public init() {}

  /// What the engine made of the drive in `evaluation`, with the score of `file` beside it.
  public func score(
    _ file: TrackFile, beside evaluation: DriveEvaluation, truth: [TruthSample]
  ) throws -> DriveEvaluation {
    let drive = evaluation.description
    var figures = evaluation.figures
    try score(
      file, truth: TruthTrack(truth), poses: [], of: drive, startUTC: drive.startUTC, into: &figures)
    return DriveEvaluation(description: drive, figures: figures, rejections: evaluation.rejections)
  }

  /// The score of `file` alone, against the truth in another.
  public func score(_ file: TrackFile, against reference: TrackFile) throws -> DriveEvaluation {
    var clock = TrackClock(startUTC: Timestamp(nanoseconds: 0))
    var samples: [TruthSample] = []
    var poses: [TrackFilePoint.Pose] = []
    var isCalendar = false
    let reading = try reference.read { point in
      guard let time = clock.time(of: point) else { return }
      if let last = samples.last, time <= last.time { return }
      isCalendar = clock.base(of: point) != .drive
      var sample = point.sample
      sample.time = time
      samples.append(sample)
      point.pose.map { poses.append($0) }
    }
    clock.startUTC = isCalendar ? clock.startUTC : nil
    var figures = EvaluationFigures()
    figures.start = samples.first?.time
    if let first = samples.first, let last = samples.last {
      figures.duration = last.time.seconds(since: first.time)
    }
    let truth = TruthTrack(samples)
    figures.distance = truth.distance
    try score(file, truth: truth, poses: poses, of: nil, startUTC: clock.startUTC, into: &figures)
    figures.track?.notes += [reading.rejections.remark].compactMap(\.self) + reading.notes
    return DriveEvaluation(
      description: DriveDescription(name: String(reference.path.split(separator: "/").last ?? "truth")),
      figures: figures, rejections: [])
  }

  private func score(
    _ file: TrackFile, truth: TruthTrack, poses: [TrackFilePoint.Pose], of drive: DriveDescription?,
    startUTC: Timestamp?, into figures: inout EvaluationFigures
  ) throws {
    guard let start = truth.samples.first?.time, let end = truth.samples.last?.time else {
      throw EvaluationError.track(path: file.path, reason: "there is no truth to score it against")
    }
    let clock = TrackClock(base: base, startUTC: startUTC, shift: shift)
    var survey = TrackSurvey(clock)
    let reading = try file.read { survey.add($0) }
    var score = TrackScore(file, base: try survey.base(of: file), shift: shift)
    score.notes = [reading.rejections.remark].compactMap(\.self) + reading.notes
    (score.points, score.rejected) = (reading.rejections.accepted, reading.rejections.rejected)
    (score.pairing, score.interval) = (pairing, survey.interval)
    score.point = point ?? (reading.isMadeByReckon ? .imu : .truth)
    if let drive, score.point == .imu { score.arm = EvaluationRun.Geometry(drive).truthFromIMU }
    try survey.check(file, from: start, to: end)
    (score.first, score.last) = (survey.first ?? start, survey.last ?? end)
    if survey.untold > 0 {
      score.notes.append("\(survey.untold) points have a time of another kind than the first; left out")
    }
    let unix = (startUTC?.nanoseconds ?? 0) / 1_000_000_000 + Int64(start.seconds)
    let leap = drive?.leapSeconds.map(Double.init) ?? Double(ImportTime.leapSeconds(unix: unix))
    var scorer = TrackScorer(
      truth, poses: poses, clock: clock, interval: survey.interval, pairing: pairing,
      leapSeconds: score.base == .drive ? 0 : leap, arm: score.arm, keepsTrack: keepsTrack)
    try file.read { scorer.add($0) }
    scorer.finish(&score)
    guard score.backward <= score.points / 2 else {
      throw EvaluationError.track(
        path: file.path,
        reason: "\(score.backward) of \(score.points) points have a time that is not after the one before; "
          + "put the points in order of time")
    }
    guard score.score.count > 0 else {
      throw EvaluationError.track(
        path: file.path,
        reason: "no point lies at a time for which the truth is known; both span the same time, with gaps")
    }
    figures.track = score
    if keepsTrack { figures.tracks.append(scorer.points.track) }
  }
}
