import Fusion
import Testing

/// A receiver that states no velocity, and no IMU beside it.
@Suite struct FixesAloneTests {
  private let origin = GeodeticPosition(latitudeDegrees: 52.5, longitudeDegrees: 13, height: 80)

  private func fix(_ second: Int, north: Double) -> SensorSample {
    .gnss(
      GNSSFix(
        time: Timestamp(seconds: Double(second)), position: origin.moved(byNED: Vector3(north, 0, 0)),
        positionSigma: Vector3(2, 2, 3)))
  }

  /// A fix aside makes a motion out of nothing; those after it, at one place to the last digit, are no
  /// receiver's that holds its
  /// position in a tunnel, and were refused for 2 s while the radius grew to 66 m. While nobody knows which
  /// of two places is the
  /// right one the radius holds both, and no more.
  @Test(arguments: [10.0, 30, 100, 300])
  func aStandingReceiverThatLeapsOnceIsBelievedAgainAtOnce(leap: Double) throws {
    var engine = FusionEngine()
    var (largest, last) = (0.0, Double.infinity)
    for second in 0..<140 {
      engine.process(fix(second, north: second < 20 ? 0 : leap))
      // The leap itself may be doubted for a fix or two.
      guard second > 2, second < 20 || second > 22 else { continue }
      let solution = try #require(engine.solution(at: Timestamp(seconds: Double(second) + 0.9)))
      largest = max(largest, solution.horizontalAccuracy)
      last = solution.horizontalAccuracy
      if second > 25 { #expect(solution.position.ned(from: origin).x > 0.9 * leap) }
    }
    let refused = engine.allVerdicts().filter { $0.outcome == .extrapolated }
    print("leap of \(leap) m: largest radius \(largest) m, refused \(refused.count)")
    #expect(refused.isEmpty)
    // The radius reaches the place that was left, and a tenth more.
    #expect(largest < max(25, 1.1 * leap))
    #expect(last < 10)
  }

  /// A phone's velocity is measured once in three fixes, and repeated: who believes it takes a car that
  /// brakes for one that goes on.
  @Test func aVelocityThatIsRepeatedIsNone() throws {
    func speedError(repeating: Bool) throws -> Double {
      var engine = FusionEngine()
      var (north, speed, largest, measured) = (0.0, 25.0, 0.0, 25.0)
      for second in 0..<30 {
        guard case .gnss(var fix) = fix(second, north: north) else { continue }
        if !repeating || second.isMultiple(of: 3) { measured = speed }
        fix.velocityNED = Vector3(measured, 0, .nan)
        fix.speedSigma = 0.2
        engine.process(.gnss(fix))
        let braking = (10..<20).contains(second) ? 2.0 : 0
        if second >= 10 {
          let solution = try #require(engine.solution(at: fix.time))
          largest = max(largest, abs(solution.speed - speed))
        }
        north += speed - braking / 2
        speed -= braking
      }
      return largest
    }
    let (all, repeated) = (try speedError(repeating: false), try speedError(repeating: true))
    print("largest error of the speed: \(all) m/s with all velocities, \(repeated) m/s with one in three")
    #expect(all < 1 && repeated < 2)
  }

  @Test func aStandingReceiverIsKnownToSomeMetres() throws {
    var engine = FusionEngine()
    for second in 0..<60 {
      engine.process(fix(second, north: 0))
      guard second > 2 else { continue }
      let solution = try #require(engine.solution(at: Timestamp(seconds: Double(second) + 1)))
      #expect(solution.horizontalAccuracy < 10, "\(second)")
    }
  }
}
