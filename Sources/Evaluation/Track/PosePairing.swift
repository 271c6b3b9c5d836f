import Drives
import Navigation

/// Pairs poses of a track with those of the truth as evo does: each of the shorter with the nearest in time
/// of the longer, at most so many seconds off, the earlier of two as near.
struct PosePairing: Sendable {
  private typealias Nearest = (offset: Double, pose: PosePair.Pose)

  /// The poses of the truth; empty where it has none.
  private let truth: TruthTrack
  private let truthPoses: [TrackFilePoint.Pose]
  private let frame: LocalFrame?
  private let longest: Double
  /// For each point of the track the nearest of the truth; kept only while the track may be the shorter.
  private var byTrack: [PosePair] = []
  /// For each point of the truth the nearest of the track.
  private var byTruth: [Nearest?]
  private var count = 0

  /// `poses` of the truth where it came in metres, one a sample, else none.
  init(_ truth: TruthTrack, poses: [TrackFilePoint.Pose], longest: Double) {
    self.truth = truth
    self.longest = longest
    truthPoses = poses.count == truth.samples.count ? poses : []
    frame = truth.samples.first.map { sample in
      var origin = sample.position
      if !origin.height.isFinite { origin.height = 0 }
      return LocalFrame(origin: origin)
    }
    byTruth = Array(repeating: nil, count: truth.samples.count)
  }

  /// Takes the next point of the track, at `time` on the clock of the truth.
  mutating func add(_ point: TrackFilePoint, at time: Timestamp) {
    count += 1
    let after = truth.index(after: time)
    var nearest: (index: Int, offset: Double)?
    var pose: PosePair.Pose?
    let reach = longest + 1e-12
    var first = after
    while first > 0, time.seconds(since: truth.samples[first - 1].time) <= reach { first -= 1 }
    var i = first
    while i < truth.samples.count, truth.samples[i].time.seconds(since: time) <= reach {
      let offset = abs(truth.samples[i].time.seconds(since: time))
      let mine = pose ?? self.pose(of: point)
      pose = mine
      if offset < nearest?.offset ?? .infinity { nearest = (i, offset) }
      if offset < byTruth[i]?.offset ?? .infinity { byTruth[i] = (offset, mine) }
      i += 1
    }
    if count > truth.samples.count {
      byTrack = []
    } else if let nearest, let pose {
      byTrack.append(pair(nearest.index, pose))
    }
  }

  /// The pairs in order of time.
  func pairs() -> [PosePair] {
    // evo goes through the track where both are as long.
    if count <= truth.samples.count { return byTrack }
    return byTruth.indices.compactMap { i in
      byTruth[i].map { pair(i, $0.pose) }
    }
  }

  private func pose(of point: TrackFilePoint) -> PosePair.Pose {
    if !truthPoses.isEmpty, let pose = point.pose {
      return .init(position: pose.position, attitude: pose.attitude)
    }
    return pose(of: point.sample)
  }

  /// Where one of two heights is not known both count as the same.
  private func pair(_ index: Int, _ track: PosePair.Pose) -> PosePair {
    var truthPose = pose(of: truth.samples[index])
    if !truthPoses.isEmpty {
      truthPose = .init(position: truthPoses[index].position, attitude: truthPoses[index].attitude)
    }
    var pair = PosePair(truth: truthPose, track: track)
    if !(pair.truth.position.z - pair.track.position.z).isFinite {
      pair.truth.position.z = 0
      pair.track.position.z = 0
    }
    return pair
  }

  /// Along the straight axes of the first point of the truth, north, east and down.
  private func pose(of sample: TruthSample) -> PosePair.Pose {
    guard let frame else { return .init(position: .zero) }
    var position = sample.position
    let isHeightKnown = position.height.isFinite
    if !isHeightKnown { position.height = frame.origin.height }
    let ned = frame.ned(position)
    let here = WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude)
    let there = WGS84.ecefFromNED(latitude: frame.origin.latitude, longitude: frame.origin.longitude)
    let attitude = sample.yaw.map { yaw in
      Quaternion(matrix: there.transpose * here)
        * Quaternion(roll: sample.roll ?? 0, pitch: sample.pitch ?? 0, yaw: yaw)
    }
    return .init(position: Vector3(ned.x, ned.y, isHeightKnown ? ned.z : .nan), attitude: attitude)
  }
}
