import Drives
import Evaluation
import Fusion
import Locks
import Testing

@Suite struct EvaluationRunTests {
  private func figures(
    _ samples: [SensorSample], truth: TruthTrack, geometry: EvaluationRun.Geometry = .init(),
    adjust: (inout EvaluationSettings) -> Void = { _ in }
  ) -> EvaluationFigures {
    var settings = EvaluationSettings()
    adjust(&settings)
    var run = EvaluationRun(truth: truth, geometry: geometry, settings: settings)
    for sample in samples { run.take(sample) }
    return run.finish()
  }

  @Test func solutionsKnowNothingThatArrivesLater() throws {
    // Truth up to 30 s, scored with the samples up to 30 s and with all of them.
    let track = Made.track(until: 30)
    let all = Made.drive(until: 60)
    let causal = figures(all, truth: track).causal
    let cut = figures(all.filter { $0.arrival <= Made.time(30) }, truth: track).causal
    #expect(try #require(causal.horizontal) == (try #require(cut.horizontal)))
    #expect(causal.count == 301)
  }

  @Test func solutionsKnowASampleOfTheSameTime() throws {
    let track = TruthTrack([Made.truth(20)])
    let samples = Made.drive(until: 40)
    var engine = FusionEngine(configuration: FusionConfiguration())
    for sample in samples where sample.arrival <= Made.time(20) { engine.process(sample) }
    let solution = try #require(engine.solution(at: Made.time(20)))
    let expected = solution.position.displacement(from: Made.truth(20).position).horizontalNorm
    #expect(figures(samples, truth: track).causal.horizontal?.max == expected)
  }

  @Test func allocationsAreCountedFromAKnownHeadingOn() throws {
    let samples = pullingAway(until: 60)
    let counter = Counter()
    let counted = figures(samples, truth: TruthTrack([])) { $0.allocationCount = counter.next }
    // The counter goes up by one from before a sample to after it.
    let aligned = try #require(counted.start).advanced(
      bySeconds: try #require(counted.causal.alignedAfter))
    #expect(counted.allocations == samples.count { $0.arrival > aligned })
    #expect(figures(samples, truth: TruthTrack([])).allocations == nil)
    // Outages are studied on copies of the engine, which cost it allocations that are not its own.
    let copied = figures(samples, truth: TruthTrack([])) {
      $0.allocationCount = counter.next
      $0.outageLengths = [10]
    }
    #expect(copied.allocations == nil)
  }

  /// Five seconds of standing, five of pulling away to the north at 2 m/s², then
  /// straight on: the heading shows.
  private func pullingAway(until end: Double) -> [SensorSample] {
    (0...Int(end * 50)).flatMap { tick -> [SensorSample] in
      let now = Double(tick) / 50
      let pull = max(0, min(5, now - 5))
      let force = Vector3(pull > 0 && pull < 5 ? 2 : 0, 0, -9.81)
      var samples = [
        SensorSample.inertial(
          InertialSample(time: Made.time(now), angularRate: .zero, specificForce: force))
      ]
      if tick % 50 == 0 {
        let speed = 2 * pull
        let distance = pull * pull + speed * max(0, now - 10)
        samples.append(
          .gnss(
            GNSSFix(
              time: Made.time(now), position: Made.origin.moved(byNED: Vector3(distance, 0, 0)),
              positionSigma: Vector3(1, 1, 2), velocityNED: Vector3(speed, 0, 0))))
      }
      return samples
    }
  }

  /// One more each time it is asked.
  private final class Counter: Sendable {
    private let count = Atomic(0)

    @Sendable func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  @Test func rawFixesAreScoredAtTheirOwnTimes() throws {
    let raw = figures(Made.drive(until: 60), truth: Made.track(until: 60)).gnss
    let horizontal = try #require(raw.horizontal)
    #expect(raw.count == 61)
    #expect(abs(horizontal.p50 - 1) < 1e-4 && abs(horizontal.max - 1) < 1e-3)
    #expect(abs(try #require(raw.cross).mean - 1 / 61.0) < 1e-3)
    #expect(raw.coverage68 == 1)
    #expect(raw.availability == nil && raw.alignedAfter == nil)
  }

  @Test func timeBeforeTheFirstFixIsNotAvailable() throws {
    let samples = Made.drive(until: 40).filter { sample in
      if case .gnss(let fix) = sample { fix.time >= Made.time(10) } else { true }
    }
    let causal = figures(samples, truth: Made.track(until: 40)).causal
    #expect(abs(try #require(causal.availability) - 301.0 / 401) < 1e-12)
    #expect(causal.count == 301)
  }

  @Test func driveWithoutTruthHasNoErrorsButIsAvailable() {
    let figures = figures(Made.drive(until: 40), truth: TruthTrack([])) { $0.outageLengths = [10] }
    #expect(figures.gnss.horizontal == nil && figures.causal.horizontal == nil)
    #expect(figures.causal.coverage68 == nil && figures.causal.height == nil)
    #expect(figures.gnss.count == 41)
    #expect(figures.causal.availability == 1)
    #expect(figures.outages[0].endError == nil)
    #expect(figures.duration == 40)
    // 40 legs of the zigzag: 10 m ahead and 2 m across.
    #expect(abs((figures.distance ?? 0) - 40 * 104.squareRoot()) < 0.01)
    #expect(figures.latencies.inertial.count == 2001 && figures.latencies.gnss.count == 41)
  }

  @Test func emptyDriveHasNoFigures() {
    let figures = figures([], truth: TruthTrack([]))
    #expect(figures.duration == nil && figures.distance == nil)
    #expect(figures.causal.availability == nil)
    #expect(figures.latencies.inertial.percentile(0.5) == nil)
  }

  @Test func degradedFixesAreScoredDegraded() throws {
    let degradation = try Degradation(parsing: "thin:0.5,white:20")
    let raw = figures(Made.drive(until: 60), truth: Made.track(until: 60)) {
      $0.degradation = degradation
    }
    #expect(raw.gnss.count == 31)
    #expect(try #require(raw.gnss.horizontal).rms > 15)
    #expect(raw.latencies.gnss.count == 31)
  }

  @Test func withheldWheelSpeedDoesNotReachTheEngine() {
    let wheel = (0...400).map {
      SensorSample.wheel(WheelSample(time: Made.time(Double($0) / 10), speed: 10))
    }
    let samples = (Made.drive(until: 40) + wheel).enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
    #expect(figures(samples, truth: Made.track(until: 40)).latencies.wheel.count == 401)
    let without = figures(samples, truth: Made.track(until: 40)) { $0.usesWheel = false }
    let never = figures(Made.drive(until: 40), truth: Made.track(until: 40))
    #expect(without.latencies.wheel.count == 0)
    #expect(without.causal.horizontal == never.causal.horizontal)
  }

  @Test func fixesAreComparedAtTheAntennaWhenTruthIsAtTheIMU() throws {
    // The antenna is 2 m ahead of the IMU; truth is at the IMU and points east.
    let velocity = Vector3(0, 10, 0)
    let truth = TruthTrack((0...100).map { Made.truth(Double($0) / 10, velocity: velocity, yaw: .pi / 2) })
    let fix = GNSSFix(
      time: Made.time(5), position: Made.truth(5, velocity: velocity).position.moved(byNED: Vector3(0, 2, 0)))
    func error(_ reference: EvaluationRun.Geometry.Reference) throws -> Double {
      try #require(
        figures(
          [.gnss(fix)], truth: truth, geometry: .init(antenna: Vector3(2, 0, 0), reference: reference)
        ).gnss.horizontal
      ).max
    }
    #expect(try error(.imu) < 1e-3)
    #expect(abs(try error(.antenna) - 2) < 1e-3)
    #expect(abs(try error(.other) - 2) < 1e-3)
  }

  @Test func tracksAreThinnedButFixesAreNot() {
    let truth = TruthTrack((0...4000).map { Made.truth(Double($0) / 100) })
    let tracks = figures(Made.drive(until: 40), truth: truth) { $0.keepsTracks = true }.tracks
    #expect(tracks.map(\.role) == [.gnss, .causal, .truth])
    #expect(tracks[0].points.count == 41)
    #expect((390...401).contains(tracks[1].points.count))
    #expect((390...401).contains(tracks[2].points.count))
    #expect(tracks[1].points.allSatisfy { $0.horizontalError != nil && $0.radius68 != nil })
    #expect(figures(Made.drive(until: 2), truth: truth).tracks.isEmpty)
  }
}
