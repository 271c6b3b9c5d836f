import CLibrary
import Navigation
import Testing

@Suite struct NavigationSolutionTests {
  private func solution(velocity: Vector3 = Vector3(3, 4, 0.5)) -> NavigationSolution {
    NavigationSolution(
      time: Timestamp(seconds: 5), mode: .aided,
      position: GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.7, height: 430),
      velocityNED: velocity, navFromVehicle: Quaternion(roll: 0.02, pitch: -0.05, yaw: 2.2),
      angularRate: Vector3(0.01, -0.02, 0.3), positionCovariance: Matrix3(diagonal: Vector3(4, 9, 16)),
      velocityCovariance: Matrix3(
        rows: Vector3(0.04, 0.01, 0), Vector3(0.01, 0.09, 0), Vector3(0, 0, 0.01)),
      attitudeCovariance: Matrix3(diagonal: Vector3(1e-4, 2e-4, 9e-4)))
  }

  /// A point of a rigid body: p + C r and v + C (ω × r).
  @Test func movedIsAnotherPointOfARigidBody() {
    let here = solution()
    let offset = Vector3(1.5, -0.4, -1.2)
    let there = here.moved(byVehicleOffset: offset)
    let arm = here.navFromVehicle * offset
    #expect((there.position.ned(from: here.position) - arm).norm < 1e-8)
    #expect(
      (there.velocityNED - here.velocityNED - here.navFromVehicle * here.angularRate.cross(offset)).norm
        < 1e-14)
    #expect(there.navFromVehicle == here.navFromVehicle && there.angularRate == here.angularRate)
    let back = there.moved(byVehicleOffset: -offset)
    // The way back is by the curvature over there: 1.5 m · 0.4 m / R apart.
    #expect(back.position.ned(from: here.position).norm < 1e-6)
    #expect((back.velocityNED - here.velocityNED).norm < 1e-14)
  }

  /// The covariance grows by what the attitude's error does to the arm: by central differences of each axis.
  @Test func movedAddsTheAttitudesErrorToThePosition() {
    let here = solution()
    let offset = Vector3(2, 0.5, -1.4)
    let there = here.moved(byVehicleOffset: offset)
    var expected = here.positionCovariance
    let sigma = here.attitudeCovariance.diagonal
    for axis in 0..<3 {
      var turn = Vector3.zero
      turn[axis] = 1e-5
      let forth = Quaternion(rotationVector: turn) * (here.navFromVehicle * offset)
      let back = Quaternion(rotationVector: -turn) * (here.navFromVehicle * offset)
      let column = (forth - back) * (1 / 2e-5)
      expected += Matrix3(outer: column, column) * sigma[axis]
    }
    let difference = there.positionCovariance - expected
    #expect(max(difference.x.norm, difference.y.norm, difference.z.norm) < 1e-9)
    #expect(there.positionCovariance.x.y == there.positionCovariance.y.x)
  }

  @Test func movedLeavesAnUnalignedSolutionAlone() {
    for mode in [NavigationMode.aligning] {
      var here = solution()
      here.mode = mode
      #expect(here.moved(byVehicleOffset: Vector3(1, 2, 3)) == here)
      #expect(!here.isAligned)
    }
    #expect(solution().moved(byVehicleOffset: .zero) == solution())
  }

  @Test func directionsLieInOneTurn() {
    #expect(abs(solution().course - atan2(4, 3)) < 1e-15)
    #expect(abs(solution(velocity: Vector3(0, -1, 0)).course - 1.5 * .pi) < 1e-15)
    let almostNorth = solution(velocity: Vector3(10, -1e-18, 0)).course
    #expect(almostNorth >= 0 && almostNorth < 2 * .pi)
    #expect(abs(solution().heading - 2.2) < 1e-14)
    #expect(solution().speed == 5)
  }

  /// Variances along and across the direction of motion (0.6, 0.8).
  @Test func speedAndCourseAccuracyAreAlongAndAcrossTheMotion() {
    let along = 0.36 * 0.04 + 2 * 0.48 * 0.01 + 0.64 * 0.09
    let across = 0.64 * 0.04 - 2 * 0.48 * 0.01 + 0.36 * 0.09
    #expect(abs(solution().speedAccuracy - along.squareRoot()) < 1e-14)
    #expect(abs(solution().courseAccuracy - across.squareRoot() / 5) < 1e-14)
    #expect(abs(solution().headingAccuracy - 0.03) < 1e-15)
    #expect(solution().verticalAccuracy == 4)
    #expect(solution().horizontalAccuracy < solution().horizontalAccuracy95)
  }

  @Test func atRestTheCourseIsUnknown() {
    let resting = solution(velocity: .zero)
    #expect(resting.courseAccuracy == .pi && resting.speed == 0 && resting.course == 0)
    #expect(abs(resting.speedAccuracy - 0.2) < 1e-15)
    #expect(solution(velocity: Vector3(0.01, 0, 0)).courseAccuracy == .pi)
  }

  @Test func aCovarianceThatIsNoneStatesAnInfiniteRadius() {
    #expect(AccuracyRadius.radius68(Matrix3(scalar: .nan)) == .infinity)
    #expect(AccuracyRadius.radius95(Matrix3(scalar: -1)) == .infinity)
  }

  @Test func negativeRoundingGivesNoNaN() {
    var here = solution()
    here.positionCovariance = Matrix3(scalar: -1e-20)
    here.velocityCovariance = Matrix3(scalar: -1e-20)
    here.attitudeCovariance = Matrix3(scalar: -1e-20)
    #expect(here.horizontalAccuracy == 0 && here.verticalAccuracy == 0 && here.speedAccuracy == 0)
    #expect(here.courseAccuracy == 0 && here.headingAccuracy == 0)
  }
}
