import Fusion
import Simulation
import Testing

@Suite struct EngineOrderTests {
  private static let ride: Ride = {
    var scenario = Ride.short
    scenario.wheel = WheelModel()
    return Ride(scenario)
  }()
  private var ride: Ride { Self.ride }
  private var end: Timestamp { Timestamp(seconds: ride.duration) }

  @Test func sameSamplesGiveTheSameBits() throws {
    var (first, second) = (FusionEngine(), FusionEngine())
    var compared = 0
    for sample in ride.samples {
      first.process(sample)
      second.process(sample)
      let (a, b) = (first.solution(at: sample.time), second.solution(at: sample.time))
      #expect(a == b)
      if a != nil { compared += 1 }
    }
    #expect(compared > 4000)
    let last = try #require(first.solution(at: end))
    #expect(last.isAligned && last.isSound)
  }

  @Test func copiesGoTheirOwnWays() throws {
    var engine = FusionEngine()
    let half = ride.samples.count / 2
    for sample in ride.samples[..<half] { engine.process(sample) }
    var copy = engine
    let now = ride.samples[half].time
    let before = try #require(engine.solution(at: now))
    for sample in ride.samples[half...] { copy.process(sample) }
    #expect(engine.solution(at: now) == before)
    for sample in ride.samples[half...] { engine.process(sample) }
    #expect(engine.solution(at: end) == copy.solution(at: end))
    #expect(copy.solution(at: end) == ride.played().solution(at: end))
  }

  private func inOrder() -> NavigationSolution? { ride.delayed { _ in 0 }.played().solution(at: end) }

  @Test func delayedAndShuffledFixesGiveTheSameBits() throws {
    var random = RandomSource(seed: 2, stream: "delay")
    let expected = try #require(inOrder())
    for longest in [0.2, 1] {
      let late = ride.delayed {
        if case .inertial = $0 { 0 } else { random.uniform(in: 0...longest) }
      }
      #expect(late.samples != ride.samples)
      #expect(late.played().solution(at: end) == expected, "delays up to \(longest) s")
    }
  }

  /// Where all have come in order there are few snapshots, and the way back is longer than the fix is late.
  @Test func theFirstLateFixGivesTheSameBits() throws {
    let expected = try #require(inOrder())
    let fixes = ride.samples.filter { if case .gnss = $0 { true } else { false } }.map(\.time)
    for (late, delay) in [(fixes[fixes.count / 3], 0.1), (fixes[fixes.count - 3], 1.1)] {
      let ride = ride.delayed { if case .gnss(let fix) = $0, fix.time == late { delay } else { 0 } }
      #expect(ride.samples != self.ride.samples)
      #expect(ride.played().solution(at: end) == expected, "fix \(delay) s late")
    }
  }

  /// With an IMU so slow that there is a snapshot after every sample, the headings to be tried
  /// are made over many of them.
  @Test func lateFixesBesideASlowIMUGiveTheSameBits() throws {
    var slow = ride
    var count = 0
    slow.samples.removeAll {
      guard case .inertial = $0 else { return false }
      count += 1
      return count % 25 != 0
    }
    let expected = try #require(slow.played().solution(at: end))
    for delay in [0.3, 0.75, 1.2] {
      let late = slow.delayed { if case .gnss = $0 { delay } else { 0 } }
      #expect(late.samples != slow.samples)
      #expect(late.played().solution(at: end) == expected, "fixes \(delay) s late")
    }
  }

  /// The IMU's own samples out of order too.
  @Test func anyOrderWithinTheWindowGivesTheSameBits() throws {
    var random = RandomSource(seed: 3, stream: "delay")
    let expected = try #require(inOrder())
    let shuffled = ride.delayed {
      if case .inertial = $0 { random.uniform(in: 0...0.08) } else { random.uniform(in: 0...0.9) }
    }
    #expect(shuffled.played().solution(at: end) == expected)
  }

  @Test func beyondTheWindowIsStale() throws {
    var engine = ride.played()
    let before = engine.solution(at: end)
    _ = engine.allVerdicts()
    let window = FusionConfiguration().window
    let newest = try #require(ride.samples.map(\.time).max())
    let old = newest.advanced(bySeconds: -window - 0.5)
    engine.process(.gnss(GNSSFix(time: old, position: ride.truth(at: old).position)))
    engine.process(.wheel(WheelSample(time: old, speed: 3)))
    engine.process(.inertial(InertialSample(time: old, angularRate: .zero, specificForce: .zero)))
    let verdicts = engine.allVerdicts()
    #expect(verdicts.map(\.kind) == [.gnssPosition, .wheelSpeed])
    for verdict in verdicts {
      guard case .stale(let age) = verdict.outcome else {
        Issue.record("\(verdict)")
        continue
      }
      #expect(abs(age - window - 0.5) < 1e-9)
    }
    #expect(engine.solution(at: end) == before)
  }

  @Test func aSecondSampleOfTheSameTimeIsRepeated() throws {
    var engine = ride.played()
    let before = engine.solution(at: end)
    _ = engine.allVerdicts()
    let newest = try #require(ride.samples.map(\.time).max())
    var (fixes, wheels) = (0, 0)
    for sample in ride.samples where newest.seconds(since: sample.time) < 1 {
      engine.process(sample)
      if case .gnss = sample { fixes += 1 }
      if case .wheel = sample { wheels += 1 }
    }
    let verdicts = engine.allVerdicts()
    #expect(fixes > 0 && wheels > 0 && verdicts.count == fixes + wheels)
    for verdict in verdicts { #expect(verdict.outcome == .repeated) }
    #expect(engine.solution(at: end) == before)
  }

  /// Only differences of time count: a billion seconds more or less change no bit.
  @Test func theOriginOfTimeDoesNotMatter() throws {
    let expected = try #require(ride.played().solution(at: end))
    for shift: Int64 in [1_000_000_000_000_000_000, -1_000_000_000_000_000_000, -20_000_000_000] {
      func moved(_ time: Timestamp) -> Timestamp { Timestamp(nanoseconds: time.nanoseconds + shift) }
      let shifted = ride.changed { sample in
        switch sample {
        case .inertial(var s):
          s.time = moved(s.time)
          return .inertial(s)
        case .gnss(var fix):
          fix.time = moved(fix.time)
          return .gnss(fix)
        case .wheel(var s):
          s.time = moved(s.time)
          return .wheel(s)
        case .pressure(var s):
          s.time = moved(s.time)
          return .pressure(s)
        }
      }
      var solution = try #require(shifted.played().solution(at: moved(end)))
      solution.time = end
      #expect(solution == expected, "shift \(shift) ns")
    }
  }

  @Test func queueKeepsTheNewestVerdicts() {
    var engine = FusionEngine()
    for i in 0..<1000 {
      engine.process(
        .gnss(
          GNSSFix(
            time: Timestamp(seconds: Double(i)), position: .init(latitude: .nan, longitude: 0, height: 0))))
    }
    let verdicts = engine.allVerdicts()
    #expect(verdicts.count == 256)
    #expect(verdicts.last?.time == Timestamp(seconds: 999))
    #expect(verdicts.first?.time == Timestamp(seconds: 744))
    #expect(engine.allVerdicts().isEmpty)
  }
}
