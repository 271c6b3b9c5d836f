import LinearAlgebra
import Navigation

/// A solution corrected by what came after it, with the covariance of its position and
/// velocity for a prediction.
struct SmoothedPoint: Sendable {
  var solution: NavigationSolution
  /// Covariance of position with velocity.
  var cross: Matrix3
  /// Covariance of position with the rotation about down.
  var positionHeading: Vector3
  /// What later measurements say of the mounting; nil where none was known.
  var mounting: Mounting?

  /// The rotation from the IMU's to the vehicle's axes, and the covariance of its pitch and yaw.
  struct Mounting: Sendable {
    var vehicleFromBody: Quaternion
    var covariance: Matrix3
  }

  /// The match of a track with the fixes, `time` being that of the newest.
  init(_ match: TrackMatch.Result, time: Timestamp) {
    solution = match.solution(at: time, holding: time)
    cross = .zero
    positionHeading = match.positionHeading
  }

  /// Smooths an estimate.
  ///
  /// - Parameters:
  ///   - isTurned: the mounting has been turned by half a turn since.
  ///   - later: the mounting that was found later, for an estimate of before it was known.
  init(_ point: RecordedPoint, _ adjoint: Adjoint, isTurned: Bool, later: Mounting?) {
    let smoothed = SmoothedErrors(point, adjoint)
    let navFromBody =
      (Quaternion(rotationVector: smoothed.mean[2]) * point.navFromBody).normalized
    let turn = smoothed.mean[3]
    var vehicleFromBody =
      (Quaternion(rotationVector: Vector3(0, turn.x, turn.y)) * point.vehicleFromBody).normalized
    if isTurned { vehicleFromBody = Quaternion(rotationVector: Vector3(0, 0, .pi)) * vehicleFromBody }
    var ownMounting = smoothed.covariance(3, 3)
    var shared = smoothed.covariance(2, 3)
    if isTurned {
      let flip = Matrix3(diagonal: Vector3(-1, 1, 1))
      ownMounting = flip * ownMounting * flip
      shared = shared * flip
    }
    if point.isMountingKnown {
      mounting = Mounting(vehicleFromBody: vehicleFromBody, covariance: ownMounting)
    } else if let later {
      mounting = later
      vehicleFromBody = later.vehicleFromBody
      ownMounting = later.covariance
      shared = .zero
    }
    let navFromVehicle = navFromBody * vehicleFromBody.inverse
    let attitude = smoothed.covariance(2, 2)
    cross = smoothed.covariance(0, 1)
    positionHeading = smoothed.covariance(0, 2).z
    solution = NavigationSolution(
      time: point.time, mode: point.mode == .aligning && mounting != nil ? .aided : point.mode,
      position: point.position.moved(byNED: smoothed.mean[0]),
      velocityNED: point.velocity + smoothed.mean[1],
      navFromVehicle: navFromVehicle, angularRate: vehicleFromBody * point.angularRate,
      positionCovariance: smoothed.covariance(0, 0) + Matrix3(diagonal: point.unknownVariance),
      velocityCovariance: smoothed.covariance(1, 1),
      attitudeCovariance: mounting == nil
        ? VehicleAttitude.unmounted(attitude: attitude)
        : VehicleAttitude.covariance(
          navFromVehicle.matrix, attitude: attitude, cross: shared, mounting: ownMounting))
  }
}

/// Mean and covariance of the errors of a recorded estimate, given all that the adjoint knows.
package struct SmoothedErrors: Sendable {
  /// −P λ, by ``RecordedPoint/blocks``.
  package private(set) var mean = InlineArray<4, Vector3>(repeating: .zero)
  private var covariances = InlineArray<4, InlineArray<4, Matrix3>>(
    repeating: InlineArray(repeating: .zero))

  package init(_ point: RecordedPoint, _ adjoint: Adjoint) {
    for r in 0..<4 {
      // The row of P Λ.
      var product = PerBlock<Matrix3>(repeating: .zero)
      for i in 0..<StateBlock.count {
        let p = point.rows[r][i]
        mean[r] -= p * adjoint.vector[i]
        for j in 0..<StateBlock.count { product[j] += p * adjoint.matrix[i, j] }
      }
      for s in r..<4 {
        var sum = point.rows[r][RecordedPoint.blocks[s]]
        for j in 0..<StateBlock.count { sum += -(product[j] * point.rows[s][j].transpose) }
        covariances[r][s] = r == s ? sum.symmetrized : sum
      }
      // Where the filter enlarged its covariance out of doubt, the one before may be too small for what came
      // after: it then stays as it was.
      if covariances[r][r].cholesky == nil { covariances[r][r] = point.rows[r][RecordedPoint.blocks[r]] }
    }
  }

  /// Of the errors of two of the blocks, the first of which comes no later.
  package func covariance(_ r: Int, _ s: Int) -> Matrix3 { covariances[r][s] }
}
