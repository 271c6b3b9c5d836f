import Drives
import Navigation

/// Scores a track point by point: at the times of the truth where its points are close enough to interpolate
/// between, else at its own, where the truth is.
struct TrackScorer: Sendable {
  private let truth: TruthTrack
  private let clock: TrackClock
  private let isAtTruth: Bool
  /// Seconds between two points over which the track is there.
  private let gap: Double
  private let keepsTrack: Bool
  /// The truth's point from the track's in the car, m.
  private let arm: Vector3
  /// Points whose attitude is known, by which they could be moved.
  private var turned = 0

  private var series = ErrorSeries()
  private var offsets: TrackOffsetSums
  private var pairing: PosePairing
  private var shifted: [(seconds: Double, sum: Double, count: Int)]
  private var squares = 0.0
  private var places = FarPlaces()
  private var count = 0
  private var nextTruth = 0
  private var covered = 0
  private var previous: (point: TruthSample, stated: StatedAccuracy?)?
  private(set) var backward = 0
  /// A point that leaps far ahead, until the one behind it is known.
  private var waiting: (point: TrackFilePoint, time: Timestamp)?
  /// Such a leap, s.
  private static let leap = 60.0
  private(set) var points = TrackPoints(role: .track)

  /// A scorer of a track whose points are about `interval` seconds apart.
  init(
    _ truth: TruthTrack, poses: [TrackFilePoint.Pose], clock: TrackClock, interval: Double, pairing: Double,
    leapSeconds: Double, arm: Vector3, keepsTrack: Bool
  ) {
    (self.truth, self.clock, self.arm, self.keepsTrack) = (truth, clock, arm, keepsTrack)
    isAtTruth = interval <= TruthTrack.longestGap
    gap = max(TruthTrack.longestGap, 1.5 * interval)
    let (start, end) = (truth.samples.first?.time, truth.samples.last?.time)
    let zero = Timestamp(nanoseconds: 0)
    offsets = TrackOffsetSums(from: start ?? zero, to: end ?? zero)
    self.pairing = PosePairing(truth, poses: poses, longest: pairing)
    shifted = [-leapSeconds, leapSeconds].map { ($0, 0, 0) }
  }

  /// Takes the next point of the track.
  mutating func add(_ point: TrackFilePoint) {
    guard let time = clock.time(of: point) else { return }
    if let (leap, then) = waiting {
      waiting = nil
      // A stamp that leaps ahead of the points before and behind it is wrong.
      if let previous, time > previous.point.time, time < then { backward += 1 } else { take(leap, at: then) }
    }
    if let previous, time.seconds(since: previous.point.time) > Self.leap {
      waiting = (point, time)
    } else {
      take(point, at: time)
    }
  }

  private mutating func take(_ point: TrackFilePoint, at time: Timestamp) {
    if let previous, time <= previous.point.time {
      backward += 1
      return
    }
    var point = point
    if arm != .zero, let moved = point.sample.moved(byVehicleOffset: arm) {
      turned += 1
      point.sample = moved
    }
    var sample = point.sample
    sample.time = time
    let stated = StatedAccuracy(point)
    pairing.add(point, at: time)
    if isAtTruth { scoreAtTruth(sample, stated) } else { scoreAtOwn(sample, stated) }
    compareShifted(sample)
    previous = (sample, stated)
  }

  private mutating func scoreAtTruth(_ sample: TruthSample, _ stated: StatedAccuracy?) {
    while nextTruth < truth.samples.count, case let reference = truth.samples[nextTruth],
      reference.time <= sample.time
    {
      nextTruth += 1
      if reference.time == sample.time {
        covered += 1
        score(sample, stated, reference)
      } else if let last = previous, case let step = sample.time.seconds(since: last.point.time), step <= gap,
        reference.time > last.point.time
      {
        covered += 1
        let part = reference.time.seconds(since: last.point.time) / step
        let between = TruthTrack.interpolate(last.point, sample, at: reference.time, part: part)
        score(between, StatedAccuracy(from: last.stated, to: stated, part: part), reference)
      }
    }
  }

  private mutating func scoreAtOwn(_ sample: TruthSample, _ stated: StatedAccuracy?) {
    while nextTruth < truth.samples.count, case let time = truth.samples[nextTruth].time, time <= sample.time
    {
      nextTruth += 1
      let isThere =
        previous.map { time > $0.point.time && sample.time.seconds(since: $0.point.time) <= gap } ?? false
      if isThere || time == sample.time { covered += 1 }
    }
    if let reference = truth.sample(at: sample.time) { score(sample, stated, reference) }
  }

  private mutating func score(_ sample: TruthSample, _ stated: StatedAccuracy?, _ reference: TruthSample) {
    series.add(sample, stated: stated, truth: reference)
    places.add(sample.position, beside: reference.position)
    offsets.add(sample.position, truth: reference)
    if keepsTrack { points.add(sample, stated: stated, truth: reference) }
  }

  /// What the error would be by a clock that is off by the leap seconds.
  private mutating func compareShifted(_ sample: TruthSample) {
    guard let here = truth.sample(at: sample.time) else { return }
    let error = sample.position.displacement(from: here.position).horizontalNorm
    squares += error * error
    count += 1
    for i in shifted.indices {
      guard let there = truth.sample(at: sample.time.advanced(bySeconds: shifted[i].seconds)) else {
        continue
      }
      let error = sample.position.displacement(from: there.position).horizontalNorm
      shifted[i].sum += error * error
      shifted[i].count += 1
    }
  }

  /// The figures.
  var score: EstimatorScore {
    var score = series.score
    if !truth.samples.isEmpty { score.availability = Double(covered) / Double(truth.samples.count) }
    return score
  }

  /// Puts the figures into `track`.
  mutating func finish(_ track: inout TrackScore) {
    if let (last, time) = waiting {
      waiting = nil
      take(last, at: time)
    }
    if backward > 0 {
      track.notes.append(
        "\(backward) of \(track.points) points have a time that is not after the one before; left out")
    }
    if arm != .zero, turned == 0 {
      track.notes.append(
        "no point has an attitude, by which it could be moved from the IMU to the truth's point; CSV has it")
    }
    if let kilometres = places.kilometres {
      track.notes.append(
        "the track lies \(TextTable.cell(kilometres, digits: 0)) km from the truth"
          + (places.areSwapped
            ? ", and on it if latitude and longitude change places in one of the two: is each under its own name?"
            : ": are both of one drive, and in degrees, north and east of zero positive?"))
    }
    track.score = score
    track.isAtTruth = isAtTruth
    track.offsets = offsets.offsets
    track.poses = PoseErrors(pairing.pairs())
    track.backward = backward
    for other in shifted where other.count >= 10 && count >= 10 && other.seconds != 0 {
      let (now, then) = (
        (squares / Double(count)).squareRoot(), (other.sum / Double(other.count)).squareRoot()
      )
      guard then < now / 3, now > 5 else { continue }
      let advice =
        switch (track.base, other.seconds < 0) {
        case (.utc, true): "is it in GPS time? Then give --time gps"
        case (.gps, false): "is it in UTC? Then give --time utc"
        default: "then give --time-shift \(TextTable.cell(other.seconds, digits: 0))"
        }
      track.notes.append(
        "moved by \(TextTable.cell(other.seconds, digits: 0)) s, by which UTC and GPS time differ, the track would be off by "
          + "\(TextTable.cell(then)) m RMS instead of \(TextTable.cell(now)) m: \(advice).")
    }
  }
}
