import Drives
import Evaluation
import Navigation
import Testing

@Suite struct TruthTrackTests {
  @Test func truthIsInterpolatedLinearlyBetweenNeighbours() throws {
    let track = TruthTrack([Made.truth(0), Made.truth(0.5)])
    let between = try #require(track.sample(at: Made.time(0.2)))
    #expect(between.position.displacement(from: Made.truth(0.2).position).norm < 1e-6)
    #expect(between.velocityNED == Vector3(10, 0, 0))
    #expect(between.time == Made.time(0.2))
  }

  @Test func truthIsNeverInterpolatedOverMoreThanHalfASecond() {
    let track = TruthTrack([Made.truth(0), Made.truth(0.501), Made.truth(0.6)])
    #expect(track.sample(at: Made.time(0.25)) == nil)
    #expect(track.sample(at: Made.time(0.5)) == nil)
    #expect(track.sample(at: Made.time(0.501)) == Made.truth(0.501))
    #expect(track.sample(at: Made.time(0.55)) != nil)
  }

  @Test func truthEndsWithItsFirstAndLastSample() {
    let track = TruthTrack([Made.truth(1), Made.truth(1.1)])
    #expect(track.sample(at: Made.time(0.999)) == nil)
    #expect(track.sample(at: Made.time(1)) == Made.truth(1))
    #expect(track.sample(at: Made.time(1.1)) == Made.truth(1.1))
    #expect(track.sample(at: Made.time(1.101)) == nil)
    #expect(TruthTrack([]).sample(at: Made.time(0)) == nil)
    #expect(TruthTrack([]).distance == nil)
  }

  @Test func yawGoesTheShorterWayRound() throws {
    let track = TruthTrack([Made.truth(0, yaw: 3.1), Made.truth(0.1, yaw: -3.1)])
    let yaw = try #require(track.sample(at: Made.time(0.05))?.yaw)
    #expect(abs(Angle.wrapped(yaw - .pi)) < 1e-9)
  }

  @Test func yawKnownOnOneSideOnlyIsNotKnownBetween() throws {
    let track = TruthTrack([Made.truth(0, yaw: 1), Made.truth(0.1)])
    let between = try #require(track.sample(at: Made.time(0.05)))
    #expect(between.yaw == nil)
  }

  @Test func unknownHeightSpoilsOnlyTheHeight() throws {
    var (a, b) = (Made.truth(0), Made.truth(0.1))
    a.position.height = .nan
    b.position.height = .nan
    let between = try #require(TruthTrack([a, b]).sample(at: Made.time(0.05)))
    #expect(between.position.height.isNaN)
    #expect(between.position.displacement(from: Made.truth(0.05).position).horizontalNorm < 1e-4)
  }

  @Test func distanceIsThatOfTheLine() throws {
    let track = Made.track(until: 100)
    #expect(abs(try #require(track.distance) - 1000) < 0.6)
    #expect(abs(track.distance(from: Made.time(20), to: Made.time(50)) - 300) < 1.1)
  }

  @Test func noiseAtAStandstillIsNoDistance() throws {
    var generator = NormalGenerator(seed: 1)
    let track = TruthTrack(
      (0..<5000).map { i in
        var sample = Made.truth(0)
        sample.time = Made.time(Double(i) / 10)
        sample.position = sample.position.moved(
          byNED: Vector3(0.02 * generator.next(), 0.02 * generator.next(), 0))
        return sample
      })
    #expect(try #require(track.distance) == 0)
  }
}
