import Fusion
import Simulation
import Testing

@Suite struct FilterCurvatureTests {
  /// What is kept of the curvature must not outlast the position that it is of.
  @Test func theCurvatureIsThatOfThePositionNow() {
    var random = RandomSource(seed: 5, stream: "curvature")
    var filter = NavigationFilter(state: States.random(&random), covariance: ErrorCovariance())
    for step in [Vector3(40, -30, 20), Vector3(0, 0, 500), Vector3(60_000, 0, 0), .zero] {
      let (asked, plain) = (filter.curvature(), Curvature(at: filter.state.position))
      #expect(abs(asked.metresPerLatitude / plain.metresPerLatitude - 1) < 1e-15)
      #expect(abs(asked.metresPerLongitude / plain.metresPerLongitude - 1) < 1e-14)
      let expected = filter.state.position.moved(byNED: step)
      var error = ErrorState()
      error[StateBlock.position] = step
      filter.inject(error)
      #expect(filter.state.position.ned(from: expected).norm < 1e-8)
    }
    var above = filter.state.position
    above.height += 100
    filter.hold(at: above)
    let excess = filter.curvature().metresPerLatitude - Curvature(at: above).metresPerLatitude
    #expect(abs(excess) < 1e-8)
  }
}
