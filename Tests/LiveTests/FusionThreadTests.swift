import Fusion
import Live
import Locks
import SensorEvents
import Testing

import Foundation

/// A system clock that a test may set, beside the computer's real host clock.
final class SettableClock: Sendable {
  private let offset = Atomic<Int64>(1_700_000_000_000_000_000)

  func set(bySeconds seconds: Int64) { offset.add(seconds * 1_000_000_000, ordering: .relaxed) }

  var loopClock: LoopClock {
    LoopClock(
      now: LoopClock.system.now,
      read: { kind in
        let time = LoopClock.system.read(kind)
        guard kind == .realtime || kind == .tai else { return time }
        let host = LoopClock.system.now()
        return Timestamp(nanoseconds: host.nanoseconds + self.offset.load(ordering: .relaxed))
      })
  }
}

/// Posts a standing car's samples in real time until it is told to stop.
final class StandingCar: Sendable {
  private let isOver = Atomic(false)
  private let isSilent = Atomic(false)
  private let hasFixes = Atomic(true)

  init(_ mailbox: Mailbox, clock: LoopClock, stampedBy kind: ClockKind = .realtime) {
    Thread.detachNewThread {
      var tick = 0
      while !self.isOver.load(ordering: .relaxed) {
        usleep(40_000)
        tick += 1
        if self.isSilent.load(ordering: .relaxed) { continue }
        let time = clock.read(kind)
        mailbox.post(
          SensorEvent(
            source: MadeEvents.imu, arrival: clock.now(),
            content: .inertial(
              InertialReading(
                time: time, clock: kind, angularRate: .zero, specificForce: Vector3(0, 0, -9.81)))))
        guard tick % 5 == 0, self.hasFixes.load(ordering: .relaxed) else { continue }
        let now = clock.now()
        let fix = GNSSFix(
          time: Timestamp(nanoseconds: now.nanoseconds + 1_772_000_000_000_000_000 - 60_000_000),
          position: GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13, height: 50),
          positionSigma: Vector3(1, 1, 2), velocityNED: .zero)
        mailbox.post(
          SensorEvent(
            source: MadeEvents.receiver, arrival: now,
            content: .fix(FixReading(fix: fix, dimensions: .three))))
      }
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
  func fallSilent() { isSilent.store(true, ordering: .relaxed) }
  func stopFixes() { hasFixes.store(false, ordering: .relaxed) }
}

@Suite(.serialized)
struct FusionThreadTests {
  /// Waits until a status satisfies `condition`; the seconds that it took, or nil after `limit`.
  private func waited(
    _ loop: FusionThread, limit: Double = 10, _ condition: (LiveStatus) -> Bool
  ) -> Double? {
    let start = LoopClock.system.now()
    while LoopClock.system.now().seconds(since: start) < limit {
      if let status = loop.status, condition(status) { return LoopClock.system.now().seconds(since: start) }
      usleep(5000)
    }
    return nil
  }

  private func health(_ status: LiveStatus, _ id: SourceID) -> SourceHealth? {
    status.sources.first { $0.id == id }
  }

  @Test func withoutAnySensorItSaysSoAndStops() throws {
    let source = SourceDescription(id: MadeEvents.imu, name: "IMU", role: .inertial)
    let loop = FusionThread(engine: LiveEngine(configuration: LiveConfiguration(sources: [source])))
    let count = Atomic(0)
    let id = loop.subscribe { _ in count.add(1, ordering: .relaxed) }
    #expect(loop.start())
    #expect(waited(loop, limit: 1) { $0.needs == [.motionSensor, .receiver] } != nil)
    usleep(500_000)
    loop.unsubscribe(id)
    #expect(count.load(ordering: .relaxed) > 5)
    #expect(loop.newest?.solution == nil)
    let engine = try #require(loop.stop(within: 5))
    #expect(engine.status(at: LoopClock.system.now()).sources.first?.state == .connecting)
    #expect(
      !loop.mailbox.post(SensorEvent(source: .loop, arrival: .init(nanoseconds: 0), content: .lost(count: 1)))
    )
  }

  @Test func whatTheTapSawGivesTheSameBitsAgain() throws {
    let tape = Mutex<[SensorEvent]>([])
    let clock = SettableClock().loopClock
    let loop = FusionThread(engine: LiveEngine(), clock: clock) { batch, _ in tape.withLock { $0 += batch } }
    loop.start()
    let car = StandingCar(loop.mailbox, clock: clock)
    usleep(2_000_000)
    car.stop()
    let live = try #require(loop.stop(within: 5))
    var replayed = LiveEngine()
    for event in tape.withLock({ $0 }) { replayed.process(event) }
    let time = LoopClock.system.now()
    #expect(live.solution(at: time) != nil)
    #expect(live.solution(at: time) == replayed.solution(at: time))
    #expect(live.measurements == replayed.measurements)
    #expect(live.utc(at: time) == replayed.utc(at: time))
    #expect(live.status(at: time).sources == replayed.status(at: time).sources)
  }

  @Test(arguments: [86_400, -86_400] as [Int64])
  func aClockThatIsSetByADayCostsNothing(seconds: Int64) throws {
    let settable = SettableClock()
    let loop = FusionThread(engine: LiveEngine(), clock: settable.loopClock)
    loop.start()
    let car = StandingCar(loop.mailbox, clock: settable.loopClock)
    defer { car.stop() }
    #expect(waited(loop) { $0.solution != nil && (health($0, MadeEvents.imu)?.received ?? 0) > 50 } != nil)
    settable.set(bySeconds: seconds)
    usleep(1_000_000)
    car.stop()
    let engine = try #require(loop.stop(within: 5))
    let status = engine.status(at: LoopClock.system.now())
    let imu = try #require(health(status, MadeEvents.imu))
    #expect(status.clocks.first { $0.kind == .realtime }?.steps == 1)
    // A sample that was read between the step and the loop's look at the clock, on a busy
    // machine, may be refused.
    #expect(imu.refusals.total <= 2, "\(imu.refusals)")
    #expect(engine.solution(at: LoopClock.system.now()) != nil)
  }

  @Test func aSilentSourceIsSaidAndFusionGoesOnWithTheRest() throws {
    let loop = FusionThread(engine: LiveEngine())
    loop.start()
    let car = StandingCar(loop.mailbox, clock: .system)
    defer { car.stop() }
    #expect(waited(loop) { $0.solution != nil && health($0, MadeEvents.receiver)?.received ?? 0 > 6 } != nil)
    car.stopFixes()
    let fixes = waited(loop) { health($0, MadeEvents.receiver)?.state == .faulty }
    #expect(fixes.map { $0 < 5 } ?? false, "\(fixes ?? -1) s, of which half a second is silence")
    #expect(loop.status.flatMap { health($0, MadeEvents.imu) }?.state == .streaming)
    #expect(loop.newest?.solution != nil)
    car.fallSilent()
    let all = waited(loop) { $0.sources.allSatisfy { $0.state == .faulty } }
    #expect(all.map { $0 < 5 } ?? false)
    let quiet = try #require(loop.status)
    #expect(quiet.needs.contains(.motionSensor))
    #expect(loop.stop(within: 5) != nil)
  }

  @Test func aFloodIsCountedAndDoesNotStopTheLoop() throws {
    var configuration = LoopConfiguration()
    configuration.mailboxCapacity = 256
    let loop = FusionThread(engine: LiveEngine(), loop: configuration)
    // Before the thread is there nobody empties the mailbox.
    for i in 0..<1000 {
      loop.mailbox.post(
        SensorEvent(
          source: MadeEvents.wheel, arrival: LoopClock.system.now(),
          content: .wheel(WheelReading(speed: Double(i) / 100))))
    }
    let lost = loop.mailbox.overflow(of: MadeEvents.wheel)
    #expect(lost == 1000 - 96)
    loop.start()
    #expect(waited(loop) { health($0, MadeEvents.wheel)?.received == 96 } != nil)
    loop.mailbox.post(
      SensorEvent(
        source: MadeEvents.wheel, arrival: LoopClock.system.now(), content: .wheel(WheelReading(speed: 1))))
    #expect(waited(loop) { health($0, MadeEvents.wheel)?.lost == lost } != nil)
    #expect(loop.stop(within: 5) != nil)
  }

  @Test func thePlaceIsToldAsSoonAsThereIsOne() throws {
    let clock = SettableClock()
    let loop = FusionThread(
      engine: LiveEngine(), loop: LoopConfiguration(outputRate: 0.2), clock: clock.loopClock)
    let told = Mutex<[LiveOutput]>([])
    _ = loop.subscribe { output in told.withLock { $0.append(output) } }
    loop.start()
    let car = StandingCar(loop.mailbox, clock: clock.loopClock)
    defer { car.stop() }
    let start = LoopClock.system.now()
    #expect(waited(loop) { _ in told.withLock { $0.contains { $0.solution != nil } } } != nil)
    #expect(LoopClock.system.now().seconds(since: start) < 4, "the next tick is after 5 s")
    // One at the start, one with the place.
    #expect(told.withLock { $0.map { $0.solution != nil } } == [false, true])
    #expect(loop.stop(within: 5) != nil)
  }

  @Test func whatTheSystemRefusesIsSaidAndDoneWithout() {
    var configuration = LoopConfiguration()
    configuration.priority = 1000
    let loop = FusionThread(engine: LiveEngine(), loop: configuration)
    loop.start()
    #expect(waited(loop) { _ in true } != nil)
    #expect(loop.messages.contains { $0.contains("real-time priority") })
    #expect(loop.stop(within: 5) != nil)
  }

  @Test(arguments: [ClockKind.monotonic, .realtime, .tai, .host])
  func aComparisonLiesBetweenReadings(clock: ClockKind) {
    let before = (LoopClock.system.now(), LoopClock.system.read(clock))
    let comparison = LoopClock.system.compare(clock)
    let after = (LoopClock.system.now(), LoopClock.system.read(clock))
    #expect(comparison.clock == clock && comparison.reference == .host)
    #expect(before.0 <= comparison.referenceTime && comparison.referenceTime <= after.0)
    #expect(before.1 <= comparison.time && comparison.time <= after.1)
    #expect(comparison.uncertainty > 0)
    #expect(!comparison.isPulse)
  }
}
