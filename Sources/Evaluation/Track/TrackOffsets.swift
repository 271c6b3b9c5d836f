// e = C_vᵀ-rotated arm + fixed offset − lag · v, horizontally, of each scored point: e_n = f cos ψ −
// r sin ψ + n₀ − τ v_n and e_e = f sin ψ + r cos ψ + e₀ − τ v_e, by least squares. The errors
// hang together in time, so the standard deviations are of the jackknife over ten parts of the drive (Efron
// 1982, "The Jackknife, the Bootstrap and Other Resampling Plans", §3).
import CLibrary
import Drives
import Navigation

/// What a track is off by all the time, told by the errors. Reported, never removed.
public struct TrackOffsets: Sendable, Equatable {
  /// A value and its standard deviation.
  public struct Estimate: Sendable, Equatable {
    public var value: Double, sigma: Double
  }
  /// Metres by which the track's point lies ahead and to the right of the truth's in the car: the lever arm
  /// between them.
  public var forward: Estimate, right: Estimate
  /// Metres north and east by which the track lies off wherever the car points: another datum, or a base
  /// station's error.
  public var north: Estimate, east: Estimate
  /// Seconds by which the track lags (+) the truth or leads it.
  public var lag: Estimate
}

/// The sums of the least squares, a set for each part of the drive.
struct TrackOffsetSums: Sendable {
  private struct Sums: Sendable {
    var matrix = [Double](repeating: 0, count: 25)
    var right = [Double](repeating: 0, count: 5)

    static func + (a: Sums, b: Sums) -> Sums {
      Sums(matrix: zip(a.matrix, b.matrix).map { $0 + $1 }, right: zip(a.right, b.right).map { $0 + $1 })
    }

    mutating func add(_ row: [Double], _ error: Double) {
      for i in 0..<5 {
        right[i] += row[i] * error
        for j in 0..<5 { matrix[5 * i + j] += row[i] * row[j] }
      }
    }
  }
  private static let parts = 10
  /// Of a diagonal entry, what must be left of it once the others are known: a drive that does not turn does
  /// not tell an arm from a fixed offset.
  private static let leastLeft = 1e-6

  private let start: Timestamp, length: Double
  private var sums = [Sums](repeating: Sums(), count: parts)

  /// Sums of errors at times from `start` to `end`.
  init(from start: Timestamp, to end: Timestamp) {
    self.start = start
    length = max(end.seconds(since: start), 1e-9)
  }

  /// Takes the error of a point against the truth; nothing where the direction of the car is not known.
  mutating func add(_ position: GeodeticPosition, truth: TruthSample) {
    guard let velocity = truth.velocityNED else { return }
    let isMoving = velocity.horizontalNorm > 2
    guard let yaw = truth.yaw ?? (isMoving ? velocity.courseAngle : nil) else { return }
    let part = Int(truth.time.seconds(since: start) / length * Double(Self.parts))
    let i = min(max(part, 0), Self.parts - 1)
    let error = position.displacement(from: truth.position)
    sums[i].add([cos(yaw), -sin(yaw), 1, 0, -velocity.x], error.x)
    sums[i].add([sin(yaw), cos(yaw), 0, 1, -velocity.y], error.y)
  }

  /// The estimates; nil where the drive does not tell them apart.
  var offsets: TrackOffsets? {
    let used = sums.filter { $0.matrix[0] > 0 }
    guard used.count > 1, let all = Self.solve(used.reduce(Sums(), +)) else { return nil }
    var without: [[Double]] = []
    for i in used.indices {
      var rest = Sums()
      for j in used.indices where j != i { rest = rest + used[j] }
      guard let solution = Self.solve(rest) else { return nil }
      without.append(solution)
    }
    let n = Double(used.count)
    let estimates = (0..<5).map { k in
      let mean = without.reduce(0) { $0 + $1[k] } / n
      let spread = without.reduce(0) { $0 + ($1[k] - mean) * ($1[k] - mean) }
      return TrackOffsets.Estimate(value: all[k], sigma: ((n - 1) / n * spread).squareRoot())
    }
    return TrackOffsets(
      forward: estimates[0], right: estimates[1], north: estimates[2], east: estimates[3], lag: estimates[4])
  }

  /// By Cholesky; nil where the matrix is as good as singular.
  private static func solve(_ sums: Sums) -> [Double]? {
    var l = sums.matrix
    for j in 0..<5 {
      for i in j..<5 {
        for k in 0..<j { l[5 * i + j] -= l[5 * i + k] * l[5 * j + k] }
      }
      guard l[6 * j] > leastLeft * sums.matrix[6 * j], l[6 * j].isFinite else { return nil }
      let root = l[6 * j].squareRoot()
      for i in j..<5 { l[5 * i + j] /= root }
    }
    var x = sums.right
    for i in 0..<5 {
      for k in 0..<i { x[i] -= l[5 * i + k] * x[k] }
      x[i] /= l[6 * i]
    }
    for i in (0..<5).reversed() {
      for k in i + 1..<5 { x[i] -= l[5 * k + i] * x[k] }
      x[i] /= l[6 * i]
    }
    return x
  }
}
