import Fusion
import Simulation
import Testing

/// A first fix from somewhere else, as receivers give that remember where they were last.
@Suite struct WrongFirstFixTests {
  /// The navigators that sought the heading took the leap from it for motion, tilted by it, and never found
  /// any.
  @Test func theHeadingIsFoundAsSoon() throws {
    let ride = Ride(Scenario.town)
    let first = try #require(
      ride.samples.compactMap { if case .gnss(let fix) = $0 { fix.time } else { nil } }.min())
    let wrong = ride.withFixes { fix in
      var fix = fix
      (fix.velocityNED, fix.positionSigma, fix.speedSigma) = (nil, nil, nil)
      if fix.time == first { fix.position = fix.position.moved(byNED: Vector3(300, 0, 0)) }
      return fix
    }
    var foundAt: Double?
    let engine = wrong.played { engine, sample in
      guard foundAt == nil, let solution = engine.solution(at: sample.time) else { return }
      if solution.mode != .aligning { foundAt = sample.time.seconds }
    }
    #expect(foundAt.map { $0 < 25 } == true, "\(String(describing: foundAt)) s")
    let end = try #require(wrong.samples.last).time
    let solution = try #require(engine.solution(at: end))
    #expect(ride.headingError(solution) < 10, "\(ride.headingError(solution))°")
    #expect(ride.positionError(solution) < 25, "\(ride.positionError(solution)) m")
  }
}
