import LinearAlgebra
import Navigation

/// Smoothed solutions over a stretch of time.
public struct SmoothedTrack: Sendable {
  /// Solutions this far apart in time are not interpolated between, s. [chosen]
  private static let longestStep = 10.0
  /// Longest time to predict over from the last solution, s, and the unknown acceleration meanwhile, m/s².
  /// [chosen]
  private static let longestPrediction = 60.0, unknownAcceleration = 1.0

  /// The stretch: from `start` on, and before `end`.
  public let start: Timestamp, end: Timestamp
  /// In order of time.
  private let points: [SmoothedPoint]

  init(_ sweep: BackwardSweep) {
    start = sweep.from
    end = sweep.to
    points = sweep.points.reversed()
  }

  /// The solution of the IMU's position at a time of the stretch; nil where there is none.
  public func solution(at time: Timestamp) -> NavigationSolution? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].solution.time <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let a = points[low - 1]
    if a.solution.time == time { return a.solution }
    guard low < points.count, case let b = points[low],
      b.solution.time.seconds(since: a.solution.time) < Self.longestStep
    else { return Self.predicted(a, to: time) }
    return Self.interpolated(a.solution, b.solution, at: time)
  }

  /// On at constant velocity and rate of turn, as the live engine does.
  private static func predicted(_ point: SmoothedPoint, to time: Timestamp) -> NavigationSolution? {
    let ahead = time.seconds(since: point.solution.time)
    guard ahead <= longestPrediction else { return nil }
    var solution = point.solution
    let growth = unknownAcceleration * ahead * ahead / 2
    let speedGrowth = unknownAcceleration * ahead
    solution.time = time
    solution.position = solution.position.moved(byNED: solution.velocityNED * ahead)
    solution.navFromVehicle =
      solution.navFromVehicle * Quaternion(rotationVector: solution.angularRate * ahead)
    let cross = point.cross * ahead
    solution.positionCovariance +=
      solution.velocityCovariance * (ahead * ahead) + cross + cross.transpose
      + Matrix3(scalar: growth * growth)
    solution.velocityCovariance += Matrix3(scalar: speedGrowth * speedGrowth)
    return solution
  }

  /// The cubic with the positions and velocities of both, and straight lines between all else.
  private static func interpolated(
    _ a: NavigationSolution, _ b: NavigationSolution, at time: Timestamp
  ) -> NavigationSolution {
    let span = b.time.seconds(since: a.time)
    let t = time.seconds(since: a.time) / span
    func between(_ a: Matrix3, _ b: Matrix3) -> Matrix3 { a * (1 - t) + b * t }
    let way = b.position.ned(from: a.position)
    // Hermite's polynomials.
    let (h1, h2, h3) = (t * t * (3 - 2 * t), t * (1 - t) * (1 - t), t * t * (t - 1))
    var solution = a
    solution.time = time
    solution.position = a.position.moved(
      byNED: way * h1 + (a.velocityNED * h2 + b.velocityNED * h3) * span)
    solution.velocityNED = a.velocityNED + (b.velocityNED - a.velocityNED) * t
    let turned = (a.navFromVehicle.inverse * b.navFromVehicle).rotationVector
    solution.navFromVehicle = a.navFromVehicle * Quaternion(rotationVector: turned * t)
    solution.angularRate = a.angularRate + (b.angularRate - a.angularRate) * t
    solution.positionCovariance = between(a.positionCovariance, b.positionCovariance)
    solution.velocityCovariance = between(a.velocityCovariance, b.velocityCovariance)
    solution.attitudeCovariance = between(a.attitudeCovariance, b.attitudeCovariance)
    return solution
  }
}
