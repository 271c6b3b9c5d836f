import CLibrary
import Fusion
import Simulation
import Testing

/// What wanders between fixes and track, made of known parts: a slow error, multipath, white noise,
/// and a track that drifts.
@Suite struct SlowErrorsTests {
  private func normals(_ random: inout RandomSource) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal())
  }

  private struct World {
    var slow = 0.0, multipath = 0.0, white = 0.3, velocitySigma = 0.05, interval = 1.0
    var slowTime = 150.0, multipathTime = 10.0
    /// What the navigator believes its velocity to be wrong by, m/s; nil: what it is.
    var believed: Double?
  }

  /// Plays `seconds` of a world; `learned` is what is believed of its lasting errors, m². Gives the variance
  /// that is stated at the end, and the squared error per axis of a navigator that takes 0.3 of each fix.
  private func play(
    _ world: World, seed: UInt64, seconds: Int = 240, learned: Double = 1
  ) -> (stated: Double, square: Double, trackShare: Double) {
    var random = RandomSource(seed: seed, stream: "slow errors")
    var slowErrors = SlowErrors()
    let errors = FixErrors(
      white: Vector3(repeating: world.white * world.white), lasting: Vector3(repeating: learned))
    let velocitySigma = world.believed ?? world.velocitySigma
    func process(_ sigma: Double, _ time: Double, _ last: Vector3?) -> Vector3 {
      guard let last else { return normals(&random) * sigma }
      let left = exp(-world.interval / time)
      return last * left + normals(&random) * (sigma * (1 - left * left).squareRoot())
    }
    var slow: Vector3?, multipath: Vector3?, velocity: Vector3?
    var (way, mean, before) = (Vector3.zero, Vector3.zero, Vector3.zero)
    for i in 0..<Int(Double(seconds) / world.interval) {
      slow = process(world.slow, world.slowTime, slow)
      multipath = process(world.multipath, world.multipathTime, multipath)
      velocity = process(world.velocitySigma, 5, velocity)
      way += (velocity ?? .zero) * world.interval
      // Of the fix from the reckoned track, and of the truth: the way.
      let off = way + (slow ?? .zero) + (multipath ?? .zero) + normals(&random) * world.white
      mean += (off - mean) * (i == 0 ? 1 : 0.3)
      let track = TrackAtFix(
        step: i == 0 ? .zero : off - before, positionVariance: 0.01,
        velocityVariance: Vector3(repeating: velocitySigma * velocitySigma), isMoving: true)
      slowErrors.add(
        track, at: Timestamp(seconds: Double(i) * world.interval),
        fade: exp(-world.interval / world.multipathTime), errors: errors)
      before = off
    }
    let error = mean - way
    return (slowErrors.positionVariance, (error.x * error.x + error.y * error.y) / 2, slowErrors.trackShare)
  }

  /// Where there is no slow error little is said.
  @Test func littleIsSaidWhereNothingIsSlow() {
    let runs = (0..<200).map { play(World(), seed: UInt64($0) + 1) }
    let inside = runs.count { 2 * $0.square < 5.991 * $0.stated }
    let stated = (runs.map(\.stated).reduce(0, +) / 200).squareRoot()
    #expect(inside >= 190 && stated < 0.9, "\(inside) of 200, \(stated) m")
  }

  /// A slow error of metres is in what is stated, within four minutes, as far as they can
  /// tell it from smaller ones.
  @Test(arguments: [3, 5, 8]) func theVarianceHoldsTheError(slow: Double) {
    let runs = (0..<200).map { play(World(slow: slow), seed: UInt64($0) + 1) }
    let inside = runs.count { 2 * $0.square < 5.991 * $0.stated }
    #expect(inside >= 136, "\(inside) of 200")
    let stated = (runs.map(\.stated).reduce(0, +) / 200).squareRoot()
    #expect(stated < 1.3 * slow, "\(stated) m")
  }

  /// A track that drifts by less than it is believed to disproves no slow error, and has none where the fixes
  /// wander by no more than it does itself.
  @Test func aTrackThatIsBetterThanBelievedDisprovesNothing() {
    func runs(slow: Double) -> (inside: Int, stated: Double) {
      let world = World(slow: slow, white: 0.05, velocitySigma: 0.05, believed: 0.16)
      let runs = (0..<200).map { play(world, seed: UInt64($0) + 1, learned: 0.2) }
      let stated = (runs.map(\.stated).reduce(0, +) / 200).squareRoot()
      return (runs.count { 2 * $0.square < 5.991 * $0.stated }, stated)
    }
    let (wandering, quiet) = (runs(slow: 4), runs(slow: 0))
    #expect(wandering.inside >= 136 && wandering.stated < 5, "\(wandering)")
    #expect(quiet.inside >= 190 && quiet.stated < 0.4, "\(quiet)")
  }

  /// Reflections that change within seconds are no slow error of 8 m, though the receiver is
  /// believed to have few of them.
  @Test func multipathIsNotTakenForSlow() {
    let stated = (0..<50).map { play(World(multipath: 3), seed: UInt64($0) + 1, learned: 6).stated }
    #expect((stated.reduce(0, +) / 50).squareRoot() < 5.8)
  }

  /// A drifting track beside quiet fixes is found out, and so are fixes that wander off a track beside it.
  @Test func itShowsWhoWanders() {
    func mean(_ world: World) -> Double {
      (0..<50).map { play(world, seed: UInt64($0) + 1, seconds: 120).trackShare }.reduce(0, +) / 50
    }
    let track = mean(World(white: 0.05, velocitySigma: 0.1))
    let (slow, multipath) = (mean(World(slow: 4, white: 0.05)), mean(World(multipath: 2, white: 0.05)))
    #expect(track > 0.8 && slow < 0.3 && multipath < 0.3, "\(track), \(slow), \(multipath)")
  }

  /// What a short while cannot tell stays open; a while shows it.
  @Test func whatWasNotDisprovedStaysOpen() {
    let world = World(white: 0.02, velocitySigma: 0.02)
    let (early, late) = (play(world, seed: 1, seconds: 3).stated, play(world, seed: 1, seconds: 120).stated)
    #expect(early > 1 && late < 0.2, "\(early), \(late) m²")
  }

  /// The same error at 1 and at 10 Hz is told alike: more fixes of it are no more evidence.
  @Test func theRateOfTheFixesTellsNothing() {
    func mean(_ interval: Double) -> Double {
      (0..<50).map { play(World(slow: 3, interval: interval), seed: UInt64($0) + 1).stated.squareRoot() }
        .reduce(0, +) / 50
    }
    let (slow, fast) = (mean(1), mean(0.1))
    #expect(abs(log(fast / slow)) < 0.25, "\(slow), \(fast) m")
  }

  /// A fix that states to be wrong by more than there is space tells nothing, and breaks nothing.
  @Test func anAbsurdAccuracyTellsNothing() {
    var slowErrors = SlowErrors()
    let track = TrackAtFix(
      step: .zero, positionVariance: 0.01, velocityVariance: Vector3(repeating: 0.0025), isMoving: true)
    var before = 0.0
    for second in 0..<120 {
      let variance = second == 60 ? 1e60 : 0.1
      slowErrors.add(
        track, at: Timestamp(seconds: Double(second)), fade: 0.9,
        errors: FixErrors(white: Vector3(repeating: variance), lasting: Vector3(repeating: 10 * variance)))
      if second == 59 { before = slowErrors.positionVariance }
    }
    #expect(slowErrors.positionVariance > 0 && slowErrors.positionVariance <= before)
  }

  /// A navigator that leaps, or a receiver: a step of half a kilometre is no slow error of as much.
  @Test func aLeapTellsNothing() {
    var slowErrors = SlowErrors()
    let errors = FixErrors(white: Vector3(repeating: 0.1), lasting: Vector3(repeating: 1))
    var before = 0.0
    for second in 0..<120 {
      let track = TrackAtFix(
        step: second == 60 ? Vector3(455, 0, 0) : .zero, positionVariance: 0.01,
        velocityVariance: Vector3(repeating: 0.0025), isMoving: false)
      slowErrors.add(track, at: Timestamp(seconds: Double(second)), fade: 0.9, errors: errors)
      if second == 59 { before = slowErrors.positionVariance }
    }
    #expect(slowErrors.positionVariance < 2 * before + 1, "\(slowErrors.positionVariance), \(before) m²")
  }
}
