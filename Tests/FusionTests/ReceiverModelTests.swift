import CLibrary
import Fusion
import Simulation
import Testing

/// The filter's, not the simulator's.
private typealias ReceiverModel = Fusion.ReceiverModel

@Suite struct ReceiverModelTests {
  private let place = GeodeticPosition(latitudeDegrees: 47.5, longitudeDegrees: 8.7, height: 430)

  private func fix(_ time: Double = 0, sigma: Vector3? = nil, speedSigma: Double? = nil) -> GNSSFix {
    var fix = GNSSFix(time: Timestamp(seconds: time), position: place, positionSigma: sigma)
    fix.speedSigma = speedSigma
    return fix
  }

  /// A model that has heard fixes which do not scatter.
  private var heard: ReceiverModel {
    var model = ReceiverModel()
    for time in 0..<6 { model.hear(fix(Double(time))) }
    return model
  }

  @Test func statedAccuracyIsSplitIntoItsShares() {
    let model = heard
    let p = model.parameters
    let stated = fix(sigma: Vector3(3, 4, 8))
    // Horizontal axes share the mean of their variances, 12.5.
    #expect(
      model.positionNoise(stated).diagonal == Vector3(12.5, 12.5, 64) * p.whiteNoiseRatio)
    #expect(model.correlatedVariance(stated) == Vector3(12.5, 12.5, 64) * p.lastingShare)
    let unstated = p.unstatedPositionSigma * p.unstatedPositionSigma
    #expect(abs(model.positionNoise(fix()).x.x - unstated * p.whiteNoiseRatio) < 1e-12)
    #expect(
      abs(model.positionNoise(fix()).z.z - unstated * p.verticalRatio * p.verticalRatio * p.whiteNoiseRatio)
        < 1e-12)
  }

  /// A receiver that has just found its satellites again is metres off for seconds; one that states its
  /// accuracy says so itself, and one that only leaves a fix out has lost none.
  @Test func whatStatesNothingIsWorseAfterAPause() {
    func white(pause: Double, after: Double, sigma: Vector3? = nil) -> Vector3 {
      var model = ReceiverModel()
      let back = 1 + pause
      for time in [0, 1] + Array(stride(from: back, through: back + after, by: 1)) {
        _ = model.correlation(at: fix(time).time, speed: 5)
      }
      return model.errors(of: fix(back + after, sigma: sigma)).white
    }
    let plain = white(pause: 1, after: 1)
    let p = ReceiverModel().parameters
    let found = p.reacquisitionSigma * p.reacquisitionSigma
    #expect(abs(white(pause: 40, after: 0).x - plain.x - found) < 1e-9)
    #expect(white(pause: 40, after: p.reacquisitionTime).x - plain.x < 0.14 * found)
    #expect(white(pause: 40, after: 20) == plain)
    #expect(white(pause: p.longestPause, after: 0) == plain)
    let stated = Vector3(repeating: p.unstatedPositionSigma)
    #expect(white(pause: 40, after: 0, sigma: stated) == white(pause: 1, after: 0, sigma: stated))
  }

  private func track(_ step: Vector3, velocityVariance: Double = 0, isMoving: Bool = true) -> TrackAtFix {
    TrackAtFix(
      step: step, positionVariance: 0.01,
      velocityVariance: Vector3(repeating: velocityVariance),
      isMoving: isMoving)
  }

  /// A standing car's fixes that wander by metres, stated as good to one: said in the
  /// accuracy, and not in the weights.
  @Test func whatWandersFromAStandingCarIsInTheAccuracy() {
    var model = ReceiverModel()
    var calm = ReceiverModel()
    for second in 0..<60 {
      let stated = fix(Double(second), sigma: Vector3(1, 1, 2))
      let step = Vector3(0.2, 0, 0)
      for isWandering in [true, false] {
        var learning = isWandering ? model : calm
        _ = learning.correlation(at: stated.time, speed: 0)
        _ = learning.learn(
          stated, learning.errors(of: stated), error: isWandering ? step * Double(second) : .zero, share: 1,
          track: track(isWandering ? step : .zero, isMoving: false))
        if isWandering { model = learning } else { calm = learning }
      }
    }
    let last = fix(60, sigma: Vector3(1, 1, 2))
    #expect(model.correlatedVariance(last).x < 1.2 * calm.correlatedVariance(last).x)
    // It went 12 m: a standard deviation of at least a seventh of that.
    #expect(model.unknownVariance.x > 3 && calm.unknownVariance.x < 1.5)
  }

  /// Fixes that the reckoned track follows agree with it whatever their error: that disproves nothing, where
  /// a track that is known to a decimetre does. One absurd statement is nothing either.
  @Test func agreementWithATrackThatFollowsDisprovesNothing() {
    let sigma = Vector3(1.4, 1.4, 2.8)
    var blind = ReceiverModel()
    var seeing = ReceiverModel()
    for second in 0..<120 {
      let stated = fix(Double(second), sigma: sigma)
      for isBlind in [true, false] {
        var learning = isBlind ? blind : seeing
        _ = learning.correlation(at: stated.time, speed: 15)
        _ = learning.learn(
          stated, learning.errors(of: stated), error: Vector3(0.1 * Double(second % 2), 0, 0), share: 0.5,
          track: track(
            Vector3(0.1 * Double(second % 2) - 0.05, 0, 0), velocityVariance: isBlind ? 1 : 1e-5))
        if isBlind { blind = learning } else { seeing = learning }
      }
    }
    let last = fix(120, sigma: sigma)
    // Of both it is likely that nothing lasts; it is shown of one.
    #expect(blind.correlatedVariance(last).x < 2 && seeing.correlatedVariance(last).x < 2)
    #expect(blind.unknownVariance.x > 2 && seeing.unknownVariance.x < 0.5)
    let before = blind.unknownVariance.x
    let absurd = fix(121, sigma: Vector3(repeating: 1e6))
    _ = blind.learn(
      absurd, blind.errors(of: absurd), error: .zero, share: 0.5, track: track(.zero, velocityVariance: 1))
    #expect(blind.unknownVariance.x < 8 * before)
  }

  @Test func accuracyHasAFloor() {
    let model = ReceiverModel()
    let p = model.parameters
    let boast = fix(sigma: .zero, speedSigma: 0)
    #expect(model.positionNoise(boast).x.x > 0 && model.correlatedVariance(boast).z > 0)
    #expect(model.velocitySigma(boast) == p.velocityFloor)
    #expect(model.velocityNoise(boast).x.x >= p.velocityFloor * p.velocityFloor)
    #expect(model.velocitySigma(fix()) == p.unstatedVelocitySigma)
  }

  /// Satellites are above alone: of speed up and down a receiver knows half as much.
  @Test func verticalVelocityIsKnownLess() {
    let noise = ReceiverModel().velocityNoise(fix(speedSigma: 0.3))
    #expect(abs(noise.x.x - 0.09) < 1e-12 && noise.x.x == noise.y.y)
    #expect(abs(noise.z.z / noise.x.x - 4) < 1e-9)
  }

  @Test func lastingErrorFadesWithTimeAndDistance() {
    var model = ReceiverModel()
    let p = model.parameters
    #expect(model.correlation(at: Timestamp(seconds: 10), speed: 5) == 0)
    let moving = model.correlation(at: Timestamp(seconds: 12), speed: 5)
    #expect(abs(moving - exp(-2 / p.correlationTime - 10 / p.correlationDistance)) < 1e-15)
    let standing = model.correlation(at: Timestamp(seconds: 15), speed: 0)
    #expect(abs(standing - exp(-3 / p.standingCorrelationTime)) < 1e-15)
    // A repeated time fades nothing, and an earlier one does not grow.
    #expect(model.correlation(at: Timestamp(seconds: 15), speed: 9) == 1)
    #expect(model.correlation(at: Timestamp(seconds: 14), speed: 9) == 1)
    #expect(model.correlation(at: Timestamp(seconds: 1e6), speed: 30) < 1e-300)
  }

  /// White errors `factor` times as large as stated, at 1 Hz.
  private func learned(_ factor: Double, fixes: Int, share: Double = 1) -> ReceiverModel {
    var model = ReceiverModel()
    var random = RandomSource(seed: 4, stream: "fixes")
    var last = Vector3.zero
    for i in 0..<fixes {
      let fix = fix(Double(i), sigma: Vector3(2, 2, 4))
      _ = model.correlation(at: fix.time, speed: 10)
      let error = Vector3(random.normal(), random.normal(), 2 * random.normal()) * (2 * factor)
      _ = model.learn(fix, model.errors(of: fix), error: error, share: share, track: track(error - last))
      last = error
    }
    return model
  }

  @Test func whiteErrorsAreLearnedInUnitsOfTheStatedOne() throws {
    for factor in [1.5, 3] {
      let model = learned(factor, fixes: 400)
      let sigmas = try #require(model.learnedSigmas)
      // 40 samples are remembered, of two axes each: 11 % and a little less for the clipping.
      #expect(abs(sigmas.white / factor - 1) < 0.35, "\(sigmas)")
      let noise = model.positionNoise(fix(500, sigma: Vector3(2, 2, 4)))
      #expect(abs((noise.x.x / 4).squareRoot() - sigmas.white) < 1e-12)
    }
  }

  @Test func whiteErrorsDoNotPassForLastingOnes() throws {
    let white = try #require(learned(3, fixes: 400).learnedSigmas)
    #expect(white.lasting < 0.5 * white.white, "\(white)")
    // Errors that keep their value for a minute do: one step a minute, small changes from fix to fix.
    var model = ReceiverModel()
    var random = RandomSource(seed: 5, stream: "fixes")
    var kept = Vector3.zero
    var last = Vector3.zero
    for i in 0..<600 {
      let fix = fix(Double(i), sigma: Vector3(2, 2, 4))
      _ = model.correlation(at: fix.time, speed: 10)
      if i % 30 == 0 { kept = Vector3(random.normal(), random.normal(), 0) * 6 }
      _ = model.learn(fix, model.errors(of: fix), error: kept, share: 1, track: track(kept - last))
      last = kept
    }
    let lasting = try #require(model.learnedSigmas)
    #expect(lasting.lasting > 2 && lasting.lasting > 1.3 * lasting.white, "\(lasting)")
  }

  /// One wrong fix, the first after a gap or another, says next to nothing of what errors last: those that
  /// come back from it are as good as before.
  @Test(arguments: [0, 30]) func oneWrongFixDoesNotLast(at wrong: Int) throws {
    var random = RandomSource(seed: 5, stream: "one wrong fix")
    var (model, last) = (ReceiverModel(), Vector3.zero)
    for second in 0..<120 {
      let fix = fix(Double(second), sigma: Vector3(2, 2, 4))
      let error = Vector3(normal: &random) + (second == wrong ? Vector3(200, 0, 0) : .zero)
      _ = model.correlation(at: fix.time, speed: 10)
      _ = model.learn(fix, model.errors(of: fix), error: error, share: 0.5, track: track(error - last))
      last = error
    }
    let lasting = try #require(model.learnedSigmas).lasting
    #expect(lasting < 1.5, "\(lasting) of what is stated")
  }

  @Test func aMatchedTrackSeedsTheNoise() throws {
    var model = ReceiverModel()
    model.seed(spread: 400, white: 100, independent: 10, of: fix(0, sigma: Vector3(2, 2, 4)))
    let sigmas = try #require(model.learnedSigmas)
    #expect(abs(sigmas.white - 5) < 1e-9)
    // What is not white lasts, times what the filter will follow of it.
    #expect(abs(sigmas.lasting - (75 * model.parameters.lastingGain).squareRoot()) < 1e-9)
  }

  @Test func statedAccuracyIsALowerBoundOfWhatIsLearned() {
    var model = learned(0.01, fixes: 400)
    for time in 0..<6 { model.hear(fix(Double(time))) }
    let p = model.parameters
    let stated = fix(500, sigma: Vector3(2, 2, 4))
    #expect(abs(model.positionNoise(stated).x.x - 4 * p.leastWhiteShare) < 1e-12)
    // One that states nothing may turn out better than assumed.
    #expect(
      model.positionNoise(fix(500)).x.x < p.unstatedPositionSigma * p.unstatedPositionSigma
        * p.whiteNoiseRatio)
  }

  @Test func nothingIsLearnedFromTheFiltersOwnSpread() throws {
    let fresh = try #require(learned(4, fixes: 2, share: 0).learnedSigmas)
    let later = try #require(learned(4, fixes: 300, share: 0).learnedSigmas)
    #expect(abs(fresh.white - later.white) < 1e-9 && abs(fresh.lasting - later.lasting) < 1e-9)
    #expect(ReceiverModel().learnedSigmas == nil)
  }

  /// What a filter says of a velocity whose innovation has this square per component: its
  /// own spread is 0, or all.
  private func update(_ perComponent: Double, spread: Double = 0) throws -> NavigationFilter.Update {
    var covariance = ErrorCovariance()
    covariance[StateBlock.velocity, StateBlock.velocity] = Matrix3(scalar: spread)
    var filter = NavigationFilter(
      state: NavigationState(position: place, velocity: .zero, navFromBody: .identity), covariance: covariance
    )
    let noise = spread > 0 ? spread * 1e-12 : 1
    let size = (perComponent * (spread + noise)).squareRoot()
    let measurement = GNSSVelocity.measurement(
      filter.state, velocity: Vector3(repeating: size), noise: Matrix3(scalar: noise))
    let update = filter.apply(measurement)
    return try #require(update)
  }

  @Test func velocityScaleFollowsTheInnovationsWithinBounds() throws {
    var model = ReceiverModel()
    let (expected, ownSpread) = (try update(1), try update(9, spread: 1))
    let (huge, none) = (try update(1e9), try update(0))
    for _ in 0..<100 { model.adaptVelocity(expected, dimension: 3) }
    #expect(abs(model.velocityScale - 1) < 1e-9)
    for _ in 0..<100 { model.adaptVelocity(ownSpread, dimension: 3) }
    #expect(abs(model.velocityScale - 1) < 1e-9)
    for _ in 0..<10_000 { model.adaptVelocity(huge, dimension: 3) }
    let largest = model.velocityScale
    #expect(largest > 1 && largest.isFinite)
    for _ in 0..<10_000 { model.adaptVelocity(none, dimension: 3) }
    #expect(model.velocityScale < 1 && model.velocityScale > 0)
    #expect(abs(model.velocitySigma(fix(speedSigma: 10)) - 10 * model.velocityScale) < 1e-12)
  }

  /// Velocity errors that last longer than a fix takes are worth less each.
  @Test func aFastReceiverSaysLessPerFix() {
    var (slow, fast) = (ReceiverModel(), ReceiverModel())
    for i in 0..<200 {
      _ = slow.correlation(at: Timestamp(seconds: Double(i)), speed: 0)
      _ = fast.correlation(at: Timestamp(seconds: Double(i) * 0.1), speed: 0)
    }
    let ratio = fast.velocityNoise(fix()).x.x / slow.velocityNoise(fix()).x.x
    #expect(abs(ratio - fast.parameters.velocityCorrelationTime / 0.1) < 0.01 * ratio)
  }

  /// A vertical velocity that errs to one side for seconds is worth less a fix, one of white noise as much as
  /// before; and what lasts is not taken for small.
  @Test(arguments: [(0.0, 1.0...1.4), (0.8, 5...11), (0.99, 15...19.1), (-0.5, 1...1)])
  func aSmoothedVerticalVelocitySaysLessPerFix(correlation: Double, times: ClosedRange<Double>) throws {
    var model = ReceiverModel()
    var random = RandomSource(seed: 3, stream: "vertical")
    for i in 0..<20 { _ = model.correlation(at: Timestamp(seconds: Double(i)), speed: 0) }
    var error = 0.0
    for _ in 0..<600 {
      error = correlation * error + (1 - correlation * correlation).squareRoot() * random.normal()
      let sigma = model.parameters.verticalRatio * model.velocitySigma(fix())
      model.hear(vertical: error * sigma, of: fix())
    }
    let noise = model.velocityNoise(fix())
    let ratio = noise.z.z / noise.x.x / (model.parameters.verticalRatio * model.parameters.verticalRatio)
    #expect(times.contains(ratio), "\(ratio) times")
    #expect(noise.x.x == ReceiverModel().velocityNoise(fix()).x.x)
    // Two components as foreseen, and the third as much less as its noise is larger.
    let expected = try update((2 + 1 / ratio) / 3)
    for _ in 0..<100 { model.adaptVelocity(expected, dimension: 3) }
    #expect(abs(model.velocityScale - 1) < 1e-6, "\(model.velocityScale)")
  }

  /// Those of one that lags last longer still, by what is foreseen of it: that is not learned for noise from
  /// fix to fix, nor away again.
  @Test func aLagMakesErrorsLastAndNotLarger() throws {
    var model = ReceiverModel()
    for i in 0..<200 { _ = model.correlation(at: Timestamp(seconds: Double(i)), speed: 0) }
    let lasting = model.velocityNoise(fix(), lag: 2).x.x / model.velocityNoise(fix()).x.x
    #expect(abs(lasting - model.parameters.lagCorrelation * 2) < 0.05 * lasting, "\(lasting) times")
    #expect(model.velocityNoise(fix(), lag: 0.01).x.x == model.velocityNoise(fix()).x.x)
    let expected = try update(1 / lasting)
    for _ in 0..<100 { model.adaptVelocity(expected, dimension: 3, lag: 2) }
    #expect(abs(model.velocityScale - 1) < 1e-6, "\(model.velocityScale)")
    for _ in 0..<100 { model.adaptVelocity(expected, dimension: 3) }
    #expect(model.velocityScale < 0.5)
  }
}
