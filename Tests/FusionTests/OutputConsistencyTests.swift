import CLibrary
import Fusion
import Simulation
import Testing

/// What the engine puts out, against the truth of simulated drives: its errors are as large as its
/// covariances say, neither far more nor far less.
///
/// A solution states more than its filter (``ModelError``), so that it holds on real cars: on simulated ones
/// errors are smaller than stated. The bounds are three times above and below what is measured, so that a
/// covariance nine times too large or too small is caught, and no tuning.
@Suite struct OutputConsistencyTests {
  /// Errors of the solutions of some drives against what these state.
  struct Errors {
    /// Sums of the logarithms of the normalized squares, of three components each.
    var position = 0.0, velocity = 0.0, attitude = 0.0
    /// Height above the true one, m, and the squares of that in units of the stated accuracy.
    var height = 0.0, heightSquares = 0.0
    var count = 0.0

    mutating func add(_ solution: NavigationSolution, truth: VehicleState, at point: Vector3) {
      let away = truth.position(at: point).ned(from: solution.position)
      let turned = (truth.navFromVehicle * solution.navFromVehicle.inverse).rotationVector
      position += Self.logarithm(away, solution.positionCovariance)
      velocity += Self.logarithm(
        truth.velocityNED(at: point) - solution.velocityNED, solution.velocityCovariance)
      attitude += Self.logarithm(turned, solution.attitudeCovariance)
      height += away.z
      heightSquares += away.z * away.z / solution.positionCovariance.z.z
      count += 1
    }

    /// Logarithm of εᵀP⁻¹ε.
    private static func logarithm(_ error: Vector3, _ covariance: Matrix3) -> Double {
      covariance.inverse.map { log(max(error.dot($0 * error), 1e-12)) } ?? .nan
    }

    /// How many times as large as stated the squares of errors are, by the geometric mean, which one bad
    /// second does not spoil: that of χ² with three degrees of freedom is 2 e^ψ(3/2).
    private func ratio(_ sum: Double) -> Double { exp(sum / count - 0.03649) / 2 }

    var positionRatio: Double { ratio(position) }
    var velocityRatio: Double { ratio(velocity) }
    var attitudeRatio: Double { ratio(attitude) }
    var meanHeight: Double { height / count }
    var heightRatio: Double { heightSquares / count }
  }

  /// Of eight drives, once a second, from 20 s after the heading is known on.
  private static func errors(_ scenario: Scenario) -> Errors {
    var errors = Errors()
    var settings = FusionConfiguration()
    settings.antennaLeverArm = scenario.receiver.antenna - scenario.imu.position
    for seed in 1...8 {
      let ride = Ride(scenario, seed: UInt64(seed))
      var engine = FusionEngine(configuration: settings)
      var alignedAt: Timestamp?
      var next = Timestamp(seconds: 0)
      for sample in ride.samples {
        engine.process(sample)
        guard case .inertial = sample, sample.time >= next else { continue }
        next = sample.time.advanced(bySeconds: 1)
        guard let solution = engine.solution(at: sample.time), solution.isAligned else { continue }
        alignedAt = alignedAt ?? sample.time
        guard let from = alignedAt, sample.time.seconds(since: from) > 20 else { continue }
        errors.add(solution, truth: ride.truth(at: sample.time), at: scenario.imu.position)
      }
    }
    return errors
  }

  /// What the ratios were when the bounds were set. The town's receiver errs for long, and states too little.
  struct Usual: Sendable, CustomTestStringConvertible {
    var scenario: Scenario
    var position: Double, velocity: Double, attitude: Double
    /// Largest mean error of the height, m, and of its square in units of the stated one.
    var height: Double, heightRatio: Double
    var testDescription: String { scenario.name }

    static func near(_ ratio: Double) -> ClosedRange<Double> { ratio / 3...ratio * 3 }
  }

  static let usual = [
    Usual(scenario: .ideal, position: 0.042, velocity: 0.025, attitude: 0.26, height: 1, heightRatio: 1),
    Usual(scenario: .town, position: 1.07, velocity: 0.083, attitude: 1.7, height: 2, heightRatio: 1),
  ]

  @Test(arguments: usual) func errorsAreAsLargeAsStated(usual: Usual) {
    let errors = Self.errors(usual.scenario)
    #expect(errors.count > 1000)
    #expect(Usual.near(usual.position).contains(errors.positionRatio), "position \(errors.positionRatio)")
    #expect(Usual.near(usual.velocity).contains(errors.velocityRatio), "velocity \(errors.velocityRatio)")
    #expect(Usual.near(usual.attitude).contains(errors.attitudeRatio), "attitude \(errors.attitudeRatio)")
    #expect(abs(errors.meanHeight) < usual.height, "height \(errors.meanHeight) m")
    #expect(errors.heightRatio < usual.heightRatio, "height \(errors.heightRatio)")
  }

  /// A car on rails, and cars with half, once and twice the slip that was measured on a real one: each
  /// is told from the others.
  @Test(arguments: [0, 0.0025, 0.005, 0.01]) func slipIsLearned(slip: Double) throws {
    for seed in 1...2 {
      let learned = try #require(Self.calibration(slip: slip, seed: UInt64(seed))?.sideslipGradient)
      #expect(abs(learned.value - slip) < 0.0015, "\(learned.value)")
      #expect(learned.sigma < 0.001, "\(learned.sigma)")
    }
  }

  /// What is learned on slow tight and fast wide turns, which tell slip from the place of the axle.
  private static func calibration(slip: Double, seed: UInt64) -> Calibration? {
    var scenario = Scenario.ideal
    scenario.vehicle.slipPerAcceleration = slip
    scenario.road = [
      RoadElement(.stop(seconds: 5), speed: 14), RoadElement(.straight(length: 100), speed: 14),
    ]
    for _ in 0..<4 {
      scenario.road += [
        RoadElement(.turn(angle: .pi / 2, radius: 60), speed: 14),
        RoadElement(.turn(angle: -.pi / 2, radius: 60), speed: 14),
        RoadElement(.straight(length: 60), speed: 14),
        RoadElement(.turn(angle: .pi / 2, radius: 12), speed: 6),
        RoadElement(.turn(angle: -.pi / 2, radius: 12), speed: 6),
        RoadElement(.straight(length: 60), speed: 14),
      ]
    }
    return Ride(scenario, seed: seed).played().calibration
  }
}
