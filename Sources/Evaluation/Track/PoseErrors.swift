// As evo 1.x computes them without alignment (Grupp, "evo: Python package for the evaluation of odometry and
// SLAM"): APE of the translation |p_est − p_ref| and of the rotation, angle of C_estᵀ C_ref; RPE of
// consecutive poses i, j: translation and angle of (Q_i⁻¹ Q_j)⁻¹ (P_i⁻¹ P_j) with Q the reference
// and P the estimate. The rotation of the difference does not change its length, so that the translation
// is |C_Piᵀ (p_j − p_i) − C_Qiᵀ (q_j − q_i)|.
import CLibrary
import JSON
import LinearAlgebra

/// Statistics of an error of poses as evo has them: of the population, no percentile but the median.
public struct PoseErrorStatistics: Sendable, Equatable {
  /// Number of errors.
  public let count: Int
  /// Root mean square, mean, median, standard deviation about the mean, smallest and largest.
  public let rmse, mean, median, std, min, max: Double

  init?(_ errors: [Double]) {
    guard !errors.isEmpty else { return nil }
    let n = Double(errors.count)
    let mean = errors.reduce(0, +) / n
    let sorted = errors.sorted()
    count = errors.count
    rmse = (errors.reduce(0) { $0 + $1 * $1 } / n).squareRoot()
    self.mean = mean
    median = ErrorStatistics.percentile(0.5, ofSorted: sorted)
    std = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / n).squareRoot()
    min = sorted[0]
    max = sorted[sorted.count - 1]
  }

  var json: JSON {
    .members([
      "count": .integer(count), "rmse": .number(rmse), "mean": .number(mean), "median": .number(median),
      "std": .number(std), "min": .number(min), "max": .number(max),
    ])
  }
}

/// Absolute and relative errors of a track's poses, as evo_ape and evo_rpe print them without alignment.
public struct PoseErrors: Sendable, Equatable {
  /// Of the translation, metres.
  public var absolute: PoseErrorStatistics?, relative: PoseErrorStatistics?
  /// Of the rotation, degrees; nil where one of the two tracks lacks the attitude.
  public var absoluteDegrees: PoseErrorStatistics?, relativeDegrees: PoseErrorStatistics?

  /// The errors of `pairs` in order of time.
  init(_ pairs: [PosePair]) {
    let hasAttitude = pairs.allSatisfy { $0.truth.attitude != nil && $0.track.attitude != nil }
    func attitude(_ pose: PosePair.Pose) -> Quaternion {
      hasAttitude ? pose.attitude ?? .identity : .identity
    }
    absolute = PoseErrorStatistics(pairs.map { ($0.track.position - $0.truth.position).norm })
    let steps = zip(pairs, pairs.dropFirst())
    relative = PoseErrorStatistics(
      steps.map { a, b in
        let estimate = attitude(a.track).inverse * (b.track.position - a.track.position)
        return (estimate - attitude(a.truth).inverse * (b.truth.position - a.truth.position)).norm
      })
    guard hasAttitude else { return }
    absoluteDegrees = PoseErrorStatistics(
      pairs.map { Self.degrees(attitude($0.track).inverse * attitude($0.truth)) })
    relativeDegrees = PoseErrorStatistics(
      steps.map { a, b in
        let truth = attitude(a.truth).inverse * attitude(b.truth)
        return Self.degrees(truth.inverse * (attitude(a.track).inverse * attitude(b.track)))
      })
  }

  /// The angle of a rotation, the shorter way.
  private static func degrees(_ q: Quaternion) -> Double { 2 * atan2(q.vector.norm, abs(q.w)) * 180 / .pi }
}

/// A pose of the truth and one of the track at the same time.
struct PosePair: Sendable {
  struct Pose: Sendable {
    /// Metres along straight axes.
    var position: Vector3
    /// Rotation to these axes from the body's; nil where it is not known.
    var attitude: Quaternion?
  }
  var truth: Pose, track: Pose
}
