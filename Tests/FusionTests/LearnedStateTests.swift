import Fusion
import Simulation
import Testing

/// What is said of the learned states against what the engine does with them.
@Suite struct LearnedStateTests {
  private var states: [LearnedState] { LearnedState.all.indices.map { LearnedState.all[$0] } }

  @Test func everyAxisOfEveryLearnedBlockIsOneState() {
    let axes = states.flatMap { state in
      (state.axis.map { $0..<$0 + 1 } ?? 0..<3).map { 3 * state.block + $0 }
    }
    #expect(axes.sorted() == Array(3 * StateBlock.gyroBias..<3 * StateBlock.count))
  }

  @Test func theLiteralNumberOfBlocksIsTheirNumber() {
    #expect(MemoryLayout<PerBlock<UInt8>>.size == StateBlock.count)
    #expect(MemoryLayout<ErrorState>.size == StateBlock.count * MemoryLayout<Vector3>.stride)
  }

  /// A correction of one axis moves the value of its state by as much, and that of no other.
  @Test func theValueOfAStateIsWhatItsErrorCorrects() {
    var random = RandomSource(seed: 3, stream: "learned states")
    let before = States.random(&random)
    for state in states where state.quantity != .mounting {
      for axis in state.axis.map({ $0..<$0 + 1 }) ?? 0..<3 {
        var after = before
        after.inject(States.error(3 * state.block + axis, 0.125))
        for other in states {
          let change = other.value(after) - other.value(before)
          let isSame = other.block == state.block && other.axis == state.axis
          var expected = Vector3.zero
          if isSame { expected[state.axis == nil ? axis : 0] = 0.125 }
          #expect((change - expected).norm < 1e-12)
        }
      }
    }
  }

  /// Ten seconds of steps add to each error what its random walk says, and to no other.
  @Test func aStepAddsTheRandomWalkOfEachState() {
    var random = RandomSource(seed: 4, stream: "learned states")
    var noise = ProcessNoise()
    var filter = NavigationFilter(state: States.random(&random), covariance: ErrorCovariance())
    let rates = InertialRates(angularRate: .zero, specificForce: Vector3(0, 0, -9.8))
    for _ in 0..<100 { filter.propagate(from: rates, to: rates, dt: 0.1, noise: &noise) }
    for state in states {
      let variance = filter.covariance[state.block, state.block].diagonal
      let walk = state.walk?(noise) ?? 0
      for axis in state.axis.map({ $0..<$0 + 1 }) ?? 0..<3 {
        #expect(abs(variance[axis] - 10 * walk * walk) <= 1e-9 * walk * walk)
      }
    }
  }
}
