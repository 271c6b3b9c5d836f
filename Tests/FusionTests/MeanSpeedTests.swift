import Fusion
import Simulation
import Testing

@Suite struct MeanSpeedTests {
  /// The Jacobian says by how much the speed a lag ago was off, given the errors of now: compared with the
  /// strapdown itself, run over the lag from states that differ.
  @Test func jacobianIsThatOfTheStrapdown() {
    var random = RandomSource(seed: 5, stream: "mean speed")
    let lag = 2.0
    for _ in 0..<20 {
      var start = NavigationState(
        position: GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, height: 400),
        velocity: Vector3(8 * random.normal(), 8 * random.normal(), 0.2),
        navFromBody: Quaternion(
          roll: random.normal(), pitch: 0.4 * random.normal(), yaw: 3 * random.normal()))
      start.accelBias = Vector3(0.05, -0.02, 0.03)
      let gravity = WGS84.gravity(sineLatitude: 0.7313537, height: 400)
      let end = moved(start, by: lag, biasError: .zero, gravity: gravity)
      let measurement = MeanSpeed.measurement(end, excess: 0, lag: lag, gravity: gravity, variance: 1)
      let direction = start.velocity / start.velocity.norm
      for (component, size) in Self.components {
        var difference = 0.0
        var predicted = 0.0
        for sign in [1.0, -1.0] {
          let error = States.error(component, sign * size)
          var other = start
          other.inject(error)
          let otherEnd = moved(
            other, by: lag, biasError: error[StateBlock.accelBias], gravity: gravity, level: start)
          let before = direction.dot(other.velocity - start.velocity)
          let now = States.difference(otherEnd, end)
          var h = 0.0
          measurement.forEachLink { h += ($0.matrix * now[$0.from]).x }
          difference += sign * (before - h) / (2 * size)
          predicted = max(predicted, abs(h) / size)
        }
        // Earth rate over the lag turns what is a second-order part: 1e-4 of g · lag.
        #expect(abs(difference) < 0.005, "component \(component): \(difference) of \(predicted)")
      }
    }
  }

  private static let components: [(Int, Double)] =
    (0..<3).map { (3 * StateBlock.velocity + $0, 0.1) } + (0..<3).map { (3 * StateBlock.attitude + $0, 1e-3) }
    + (0..<3).map { (3 * StateBlock.accelBias + $0, 1e-2) }

  /// The state after a steady drive: the IMU of `level`, or of the state itself, measures
  /// the force that holds it up.
  private func moved(
    _ state: NavigationState, by lag: Double, biasError: Vector3, gravity: Double,
    level: NavigationState? = nil
  ) -> NavigationState {
    var state = state
    var strapdown = Strapdown()
    let held = (level ?? state).navFromBody.inverse * Vector3(0, 0, -gravity) - biasError
    let rates = InertialRates(angularRate: .zero, specificForce: held)
    for _ in 0..<200 { strapdown.step(&state, from: rates, to: rates, dt: lag / 200) }
    return state
  }

  /// A normal likelihood comes back as the measurement that it stands for.
  @Test func aClearPeakIsAMeasurementOfItsOwnWidth() throws {
    let step = 0.02
    let (center, sigma, prior) = (0.08, 0.06, 0.01)
    var likelihoods = LineStrength.LogLikelihoods(repeating: 0)
    for j in 0..<61 {
      let off = (Double(j - 30) * step - center) / sigma
      likelihoods[j] = 12 - 0.5 * off * off
    }
    let word = try #require(
      SpeedPosterior(
        likelihoods, curve: LineCurve(slope: 1, threshold: 0), step: step, mean: 0.03, prior: prior))
    // A twentieth is left to chance, which widens it.
    #expect(abs(word.innovation - (center - 0.03)) < 0.01)
    #expect((1...1.6).contains(word.variance.squareRoot() / sigma))
  }

  /// Two peaks as good as each other at either side say nothing on which; a flat likelihood nothing at all.
  @Test func severalPeaksSayLittle() {
    let curve = LineCurve(slope: 1, threshold: 0)
    let prior = 0.04
    let flat = LineStrength.LogLikelihoods(repeating: 3)
    #expect(SpeedPosterior(flat, curve: curve, step: 0.02, mean: 0, prior: prior) == nil)
    var two = LineStrength.LogLikelihoods(repeating: -3)
    for j in [19, 20, 21, 39, 40, 41] { two[j] = 8 }
    #expect(SpeedPosterior(two, curve: curve, step: 0.02, mean: 0, prior: prior) == nil)
    var one = LineStrength.LogLikelihoods(repeating: -3)
    for j in [39, 40, 41] { one[j] = 8 }
    #expect(SpeedPosterior(one, curve: curve, step: 0.02, mean: 0, prior: prior) != nil)
  }

  /// A prior wider than the hypotheses is left alone: the truth may lie outside.
  @Test func hypothesesHaveToSpanThePrior() {
    var one = LineStrength.LogLikelihoods(repeating: -3)
    one[40] = 8
    let curve = LineCurve(slope: 1, threshold: 0)
    #expect(SpeedPosterior(one, curve: curve, step: 0.02, mean: 0, prior: 0.16) == nil)
  }
}
