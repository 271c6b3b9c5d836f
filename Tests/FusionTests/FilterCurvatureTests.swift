import Fusion
import Simulation
import Testing

@Suite struct FilterCurvatureTests {
  /// What is kept of the curvature must not outlast the position that it is of.
  @Test func theCurvatureIsThatOfThePositionNow() {
    var random = RandomSource(seed: 5, stream: "curvature")
    var filter = NavigationFilter(state: States.random(&random), covariance: ErrorCovariance())
    for step in [Vector3(40, -30, 20), Vector3(0, 0, 500), .zero] {
      let asked = filter.curvature()
      #expect(asked.metresPerLatitude == Curvature(at: filter.state.position).metresPerLatitude)
      #expect(asked.metresPerLongitude == Curvature(at: filter.state.position).metresPerLongitude)
      let expected = filter.state.position.moved(byNED: step)
      var error = ErrorState()
      error[StateBlock.position] = step
      filter.inject(error)
      #expect(filter.state.position == expected)
    }
    var above = filter.state.position
    above.height += 100
    filter.hold(at: above)
    #expect(filter.curvature().metresPerLatitude == Curvature(at: above).metresPerLatitude)
  }
}
