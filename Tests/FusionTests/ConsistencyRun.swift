import CLibrary
import Fusion
import Simulation

/// One drive of a filter whose model is the truth: every error is drawn from exactly
/// what the filter believes.
///
/// The motion is a simulated town by a rigid car; the IMU's noise has the densities of ``ProcessNoise``,
/// biases walk, mounting and wheel scale walk, and fixes have a white and a Gauss-Markov part. Measurements
/// are the models' own at the true state plus noise of the stated covariance.
struct ConsistencyRun {
  /// The true motion, worked out once for all seeds.
  struct Truth: Sendable {
    struct Point: Sendable {
      var position: GeodeticPosition
      var velocity: Vector3
      var navFromBody: Quaternion
      var rates: InertialRates
    }
    static let dt = 0.01
    let points: [Point]

    init(seconds: Int) {
      var scenario = Scenario.ideal
      scenario.imu = IMUModel(part: .perfect)
      let arm = scenario.imu.position
      var track = Simulator(scenario: scenario).track
      points = (0...seconds * 100).map { i in
        let state = track.state(at: Timestamp(seconds: Double(i) * Self.dt))
        return Point(
          position: state.position(at: arm), velocity: state.velocityNED(at: arm),
          navFromBody: state.navFromVehicle,
          rates: InertialRates(angularRate: state.angularRate, specificForce: state.specificForce(at: arm)))
      }
    }
  }

  /// Normalized squares of the errors at one time: of every block, and of all of them together.
  struct Score {
    var blocks = Array(repeating: 0.0, count: StateBlock.count)
    var all = 0.0
  }

  /// Factors on what the filter believes of its process noise and of its measurements' (standard deviations):
  /// 1 is the truth, anything else a control.
  var processBelief = 1.0, measurementBelief = 1.0

  private static let fixSigma = Vector3(1, 1, 2)
  private static let lastingSigma = Vector3(1.5, 1.5, 2.5)
  private static let velocitySigma = 0.08
  private static let vehicleSigma = Vector3(0.1, 0.1, 0.1)
  private static let correlationTime = 40.0

  /// NEES at each of `times` (whole seconds), and the sum of all NIS with its degrees of freedom.
  func scores(_ truth: Truth, seed: UInt64, times: [Int]) -> (scores: [Score], nis: Double, degrees: Double)?
  {
    var scores: [Score] = []
    let run: (nis: Double, degrees: Double, filter: NavigationFilter)? = drive(truth, seed: seed) {
      second, actual, filter in
      if times.contains(second), let score = score(actual, filter) { scores.append(score) }
    }
    guard let run, scores.count == times.count else { return nil }
    return (scores, run.nis, run.degrees)
  }

  /// NEES of the smoothed estimate at each of `times`, by ``RecordedPoint/blocks``.
  func smoothedScores(_ truth: Truth, seed: UInt64, times: [Int]) -> [[Double]]? {
    var actuals: [(actual: NavigationState, estimate: NavigationState)] = []
    let run: (nis: Double, degrees: Double, filter: ErrorStateFilter<RecordedHistory>)? = drive(
      truth, seed: seed
    ) { second, actual, filter in
      guard times.contains(second) else { return }
      filter.recorder.add(
        RecordedPoint(filter.state, filter.covariance, time: Timestamp(seconds: Double(second))))
      actuals.append((actual, filter.state))
    }
    guard let run, actuals.count == times.count else { return nil }
    var scores: [[Double]] = []
    run.filter.recorder.goBack { met in
      guard case .point(let point, let adjoint) = met else { return true }
      let smoothed = SmoothedErrors(point, adjoint)
      let (actual, estimate) = actuals[actuals.count - 1 - scores.count]
      let error = States.difference(actual, estimate)
      scores.append(
        (0..<4).map { r in
          let left = error[RecordedPoint.blocks[r]] - smoothed.mean[r]
          return smoothed.covariance(r, r).inverse.map { left.dot($0 * left) } ?? .nan
        })
      return true
    }
    return scores.reversed()
  }

  /// One drive; `check` sees the true state and the filter every whole second.
  private func drive<Recorder: StepRecorder>(
    _ truth: Truth, seed: UInt64,
    check: (Int, NavigationState, inout ErrorStateFilter<Recorder>) -> Void
  ) -> (nis: Double, degrees: Double, filter: ErrorStateFilter<Recorder>)? {
    var random = RandomSource(seed: seed, stream: "consistency")
    let noise = ProcessNoise()
    var believed = scaled(noise)
    let started: (NavigationState, ErrorStateFilter<Recorder>)? = start(truth.points[0], &random)
    guard var (actual, filter) = started else { return nil }
    var (nis, degrees) = (0.0, 0.0)
    var strapdown = Strapdown()
    for i in 1..<truth.points.count {
      let (before, after) = (truth.points[i - 1], truth.points[i])
      let disturbed = disturbance(before, actual, noise, &random)
      filter.propagate(
        from: measured(before.rates, disturbed, actual, filter.state),
        to: measured(after.rates, disturbed, actual, filter.state), dt: Truth.dt, noise: &believed)
      walk(&actual, noise, &random)
      // The same averages of rate, force and acceleration as the filter's, but of the true ones.
      strapdown.step(&actual, from: before.rates, to: after.rates, dt: Truth.dt)
      place(&actual, after)
      guard i % 100 == 0 else { continue }
      for update in measure(&filter, &actual, after, &random) {
        guard let update else { return nil }
        nis += update.normalizedInnovationSquared
        degrees += 3
      }
      check(i / 100, actual, &filter)
    }
    return (nis, degrees, filter)
  }

  private func scaled(_ noise: ProcessNoise) -> ProcessNoise {
    var noise = noise
    noise.gyroHorizontal *= processBelief
    noise.gyroHorizontalPerSpeed *= processBelief
    noise.accel *= processBelief
    noise.gyroBias *= processBelief
    noise.accelBias *= processBelief
    return noise
  }

  /// The true state, and a filter that knows it with an error drawn from its own covariance.
  private func start<Recorder: StepRecorder>(
    _ point: Truth.Point, _ random: inout RandomSource
  ) -> (NavigationState, ErrorStateFilter<Recorder>)? {
    var actual = NavigationState(
      position: point.position, velocity: point.velocity, navFromBody: point.navFromBody)
    actual.axleDistance = 1.2
    actual.odometerScale = 0.01
    actual.leverArm = Vector3(-0.6, 0, -0.9)
    actual.positionDelay = 0.05
    actual.velocityDelay = 0.08
    var p = ErrorCovariance()
    func set(_ block: Int, _ sigma: Vector3) { p[block, block] = Matrix3(diagonal: sigma.scaled(by: sigma)) }
    let lasting = Matrix3(diagonal: Self.lastingSigma.scaled(by: Self.lastingSigma))
    p[StateBlock.position, StateBlock.position] =
      Matrix3(diagonal: Self.fixSigma.scaled(by: Self.fixSigma)) + lasting
    p[StateBlock.gnssPositionBias, StateBlock.gnssPositionBias] = lasting
    p[StateBlock.position, StateBlock.gnssPositionBias] = -lasting
    set(StateBlock.velocity, Vector3(0.2, 0.2, 0.2))
    set(StateBlock.attitude, Vector3(0.02, 0.02, 0.05))
    set(StateBlock.gyroBias, Vector3(repeating: 0.002))
    set(StateBlock.accelBias, Vector3(repeating: 0.05))
    set(StateBlock.mountingAndOdometer, Vector3(0.03, 0.03, 0.02))
    set(StateBlock.leverArm, Vector3(repeating: 0.3))
    set(StateBlock.delaysAndGyroScale, Vector3(0.02, 0.03, 0.005))
    set(StateBlock.vehicleDynamics, Vector3(0.3, 0.001, 0.001))
    guard let factor = DenseCovariance(p) else { return nil }
    let error = factor.draw { random.normal() }
    actual.gnssPositionBias = Vector3.zero
    var estimate = actual
    var opposite = ErrorState()
    for block in 0..<StateBlock.count { opposite[block] = -error[block] }
    estimate.inject(opposite)
    // The estimate starts with no error of the fix: the true one is then the error itself.
    actual.gnssPositionBias = error[StateBlock.gnssPositionBias]
    estimate.gnssPositionBias = .zero
    return (actual, ErrorStateFilter(state: estimate, covariance: p))
  }

  /// White noise of one step: of rates in NED, as the filter has it, and of forces.
  private func disturbance(
    _ point: Truth.Point, _ actual: NavigationState, _ noise: ProcessNoise, _ random: inout RandomSource
  ) -> InertialRates {
    let horizontal = noise.gyroHorizontal + noise.gyroHorizontalPerSpeed * point.velocity.horizontalNorm
    let perStep = 1 / Truth.dt.squareRoot()
    let rate = Vector3(normal: &random).scaled(
      by: Vector3(horizontal, horizontal, horizontal * noise.gyroVerticalRatio) * perStep)
    return InertialRates(
      angularRate: point.navFromBody.inverse * rate,
      specificForce: Vector3(normal: &random) * (noise.accel * perStep))
  }

  /// What the filter makes of the true rates, with true bias, scale and noise put in and
  /// estimated ones taken out.
  private func measured(
    _ rates: InertialRates, _ disturbance: InertialRates, _ actual: NavigationState,
    _ estimate: NavigationState
  ) -> InertialRates {
    let axis = actual.verticalAxis
    let rate0 = rates.angularRate + disturbance.angularRate
    let unscaled = rate0 - axis * (actual.gyroScale / (1 + actual.gyroScale) * rate0.dot(axis))
    let rate = unscaled + actual.gyroBias - estimate.gyroBias
    return InertialRates(
      angularRate: rate + axis * (estimate.gyroScale * rate.dot(axis)),
      specificForce: rates.specificForce + disturbance.specificForce + actual.accelBias - estimate.accelBias)
  }

  private func walk(_ actual: inout NavigationState, _ noise: ProcessNoise, _ random: inout RandomSource) {
    let root = Truth.dt.squareRoot()
    actual.gyroBias += Vector3(normal: &random) * (noise.gyroBias * root)
    actual.accelBias += Vector3(normal: &random) * (noise.accelBias * root)
    let turn = Vector3(0, random.normal(), random.normal()) * (noise.mounting * root)
    actual.vehicleFromBody = Quaternion(rotationVector: turn) * actual.vehicleFromBody
    actual.odometerScale += random.normal() * noise.odometerScale * root
  }

  private func place(_ actual: inout NavigationState, _ point: Truth.Point) {
    actual.position = point.position
    actual.velocity = point.velocity
    actual.navFromBody = point.navFromBody
  }

  /// A fix and a wheel speed with the constraint of the axle: the models' own predictions
  /// at the truth plus noise.
  private func measure<Recorder: StepRecorder>(
    _ filter: inout ErrorStateFilter<Recorder>, _ actual: inout NavigationState, _ point: Truth.Point,
    _ random: inout RandomSource
  ) -> [FilterUpdate?] {
    let fade = exp(-1 / Self.correlationTime)
    let grown = Self.lastingSigma * (1 - fade * fade).squareRoot()
    actual.gnssPositionBias = actual.gnssPositionBias * fade + Vector3(normal: &random).scaled(by: grown)
    filter.decayGNSSPositionBias(by: Vector3(repeating: fade), variances: grown.scaled(by: grown))
    var updates: [FilterUpdate?] = []
    func apply<Links: Relation>(
      _ sigma: Vector3, _ model: (NavigationState, Matrix3) -> Measurement<Links>
    ) {
      let believed = sigma * measurementBelief
      // predicted(truth) − predicted(estimate) + noise: the measured value itself drops out.
      let noise = Matrix3(diagonal: believed.scaled(by: believed))
      var measurement = model(filter.state, noise)
      measurement.innovation =
        measurement.innovation - model(actual, noise).innovation + Vector3(normal: &random).scaled(by: sigma)
      updates.append(filter.apply(measurement))
    }
    apply(Vector3(repeating: Self.velocitySigma)) { GNSSVelocity.measurement($0, velocity: .zero, noise: $1) }
    let anchor = point.position
    apply(Self.fixSigma) { GNSSPosition.measurement($0, position: anchor, noise: $1) }
    apply(Self.vehicleSigma) {
      var measurement = VehicleVelocity.measurement($0, wheelSpeed: 0, noise: .zero)
      measurement.noise = $1
      return measurement
    }
    return updates
  }

  private func score(_ actual: NavigationState, _ filter: NavigationFilter) -> Score? {
    let error = States.difference(actual, filter.state)
    guard let whole = DenseCovariance(filter.covariance) else { return nil }
    var score = Score(all: whole.normalizedSquare(error))
    for block in 0..<StateBlock.count {
      guard let inverse = filter.covariance[block, block].inverse else { return nil }
      score.blocks[block] = error[block].dot(inverse * error[block])
    }
    return score
  }
}
