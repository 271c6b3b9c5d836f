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
