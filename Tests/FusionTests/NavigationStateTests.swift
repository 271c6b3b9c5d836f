import Fusion
import Simulation
import Testing

@Suite struct NavigationStateTests {
  /// What is kept of the curvature must not outlast the position that it is of.
  @Test func theCurvatureIsThatOfThePositionNow() {
    var random = RandomSource(seed: 5, stream: "curvature")
    var state = States.random(&random)
    for step in [Vector3(40, -30, 20), Vector3(0, 0, 500), .zero] {
      let asked = state.curvature()
      #expect(asked.metresPerLatitude == Curvature(at: state.position).metresPerLatitude)
      #expect(asked.metresPerLongitude == Curvature(at: state.position).metresPerLongitude)
      let expected = state.position.moved(byNED: step)
      var error = ErrorState()
      error[StateBlock.position] = step
      state.inject(error)
      #expect(state.position == expected)
    }
    state.position.height += 100
    #expect(state.curvature().metresPerLatitude == Curvature(at: state.position).metresPerLatitude)
  }
}
