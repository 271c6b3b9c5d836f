import Fusion
import Live
import SensorEvents
import Testing

/// What the engine does with sources that are lost, doubled or wrong.
struct SourceTests {
  private func played(_ events: [SensorEvent]) -> LiveEngine {
    var engine = LiveEngine()
    for event in events { engine.process(event) }
    return engine
  }

  private func health(_ engine: LiveEngine, _ id: SourceID, at seconds: Double) throws -> SourceHealth {
    try #require(engine.status(at: MadeEvents.host(seconds)).sources.first { $0.id == id })
  }

  @Test func ratesDelaysAndGapsAreMeasured() throws {
    var made = MadeEvents()
    made.isSilent = { source, t in source == MadeEvents.imu && t > 20 && t < 20.3 }
    let engine = played(made.events())
    let imu = try health(engine, MadeEvents.imu, at: 40)
    #expect(imu.rate.map { abs($0 - 100) < 1 } ?? false)
    #expect(imu.delay.map { $0 > 0.002 && $0 < 0.014 } ?? false)
    #expect(imu.gaps == 1 && abs(imu.longestGap - 0.3) < 0.02)
    #expect(imu.refusals.total == 0)
  }

  @Test func fusionGoesOnWithoutFixesAndWithoutIMU() throws {
    var made = MadeEvents()
    made.isSilent = { source, t in source == MadeEvents.receiver && t > 25 }
    let reckoned = try #require(played(made.events()).solution(at: MadeEvents.host(40)))
    #expect(reckoned.mode == .deadReckoning || reckoned.mode == .stationary)
    made.isSilent = { source, t in source != MadeEvents.receiver && t > 25 }
    let fixed = try #require(played(made.events()).solution(at: MadeEvents.host(40)))
    #expect(fixed.position.isValid && fixed.horizontalAccuracy.isFinite)
    let whole = try #require(played(MadeEvents().events()).solution(at: MadeEvents.host(40)))
    #expect(fixed.position.ned(from: whole.position).horizontalNorm < 30)
  }

  @Test func aSecondIMUIsASpareUntilTheFirstFallsSilent() throws {
    var made = MadeEvents()
    made.isSilent = { source, t in source == MadeEvents.imu && t > 25 }
    var events = made.events()
    // Its twin, turned about, on a source of its own.
    let turn = Quaternion(roll: 1, pitch: 0.4, yaw: 2)
    let other = SourceID(9)
    for case var event in MadeEvents().events() {
      guard case .inertial(var reading) = event.content else { continue }
      reading.angularRate = turn * reading.angularRate
      reading.specificForce = turn * reading.specificForce
      event.source = other
      event.content = .inertial(reading)
      events.append(event)
    }
    events.sort { $0.arrival < $1.arrival }
    let before = played(events.filter { $0.arrival < MadeEvents.host(25) })
    #expect(before.inertialSource == MadeEvents.imu)
    #expect(try health(before, other, at: 25).refusals.spare > 2000)
    #expect(
      before.solution(at: MadeEvents.host(25))
        == played(
          events.filter { $0.source != other && $0.arrival < MadeEvents.host(25) }
        ).solution(at: MadeEvents.host(25)))
    let after = played(events)
    #expect(after.inertialSource == other)
    #expect(after.solution(at: MadeEvents.host(45)) != nil)
  }

  /// What a reader knows to be wrong is not fused: a stuck axis would lead the engine away.
  @Test func samplesOfAFaultyIMUAreNotUsed() throws {
    var events = MadeEvents().events()
    let fault = SensorEvent(
      source: MadeEvents.imu, arrival: MadeEvents.host(30),
      content: .status(SourceStatus(.faulty, "axis x is stuck")))
    events.append(fault)
    events.sort { $0.arrival < $1.arrival }
    let engine = played(events)
    let imu = try health(engine, MadeEvents.imu, at: 40)
    #expect(imu.state == .faulty && imu.message == "axis x is stuck")
    #expect(imu.refusals.unusable > 1000)
  }

  @Test(arguments: [
    Vector3(.nan, 0, 0), Vector3(.infinity, 0, 0), Vector3(0, -.infinity, .nan),
  ])
  func numbersThatAreNoneAreRefusedAndChangeNothing(wrong: Vector3) {
    let clean = MadeEvents().events().filter { $0.arrival < MadeEvents.host(30) }
    var events: [SensorEvent] = []
    for (i, event) in clean.enumerated() {
      events.append(event)
      guard i % 50 == 0 else { continue }
      events.append(
        SensorEvent(
          source: MadeEvents.imu, arrival: event.arrival,
          content: .inertial(
            InertialReading(
              time: event.arrival, clock: .host, angularRate: wrong, specificForce: Vector3(0, 0, -9.8)))))
      events.append(
        SensorEvent(
          source: MadeEvents.wheel, arrival: event.arrival, content: .wheel(WheelReading(speed: wrong.x))))
    }
    let time = MadeEvents.host(30)
    let wheels = wrong.x == 0
    guard !wheels else { return }
    #expect(played(events).solution(at: time) == played(clean).solution(at: time))
  }

  @Test(arguments: [1e6, -1e6, 1.5, -3.5] as [Double])
  func samplesAtImpossibleTimesAreRefusedAndCounted(off: Double) throws {
    let clean = MadeEvents().events().filter { $0.arrival < MadeEvents.host(30) }
    var events: [SensorEvent] = []
    var wrong = 0
    for (i, event) in clean.enumerated() {
      events.append(event)
      guard i % 100 == 0, i > 0 else { continue }
      wrong += 1
      events.append(
        SensorEvent(
          source: MadeEvents.imu, arrival: event.arrival,
          content: .inertial(
            InertialReading(
              time: event.arrival.advanced(bySeconds: off), clock: .host, angularRate: .zero,
              specificForce: Vector3(0, 0, -9.8)))))
    }
    let engine = played(events)
    let time = MadeEvents.host(30)
    #expect(engine.solution(at: time) == played(clean).solution(at: time))
    let imu = try health(engine, MadeEvents.imu, at: 30)
    #expect((off > 0 ? imu.refusals.early : imu.refusals.late) == wrong)
  }

  /// The stamps of an IMU that leap by an hour, late in a drive, are told from an IMU that is broken; once
  /// they are right it is used again.
  @Test(arguments: [3600.0, -3600]) func anIMUWhoseStampsLeapIsUsedOnceTheyAreRight(leap: Double) throws {
    var made = MadeEvents()
    made.inertialClock = .host
    let clean = made.events()
    var engine = LiveEngine()
    var said: [LiveStatus] = []
    for var event in clean {
      let seconds = event.arrival.seconds(since: MadeEvents.host(0))
      for time in [29.0, 32] where said.count == (time < 30 ? 0 : 1) && seconds > time {
        said.append(engine.status(at: event.arrival))
      }
      if case .inertial(var reading) = event.content, seconds > 25, seconds < 30 {
        reading.time = reading.time.advanced(bySeconds: leap)
        event.content = .inertial(reading)
      }
      engine.process(event)
    }
    #expect(said[0].needs.contains(.timedIMU) && !said[0].needs.contains(.soundIMU), "\(said[0].needs)")
    #expect(!said[1].needs.contains(.timedIMU) && !said[1].needs.contains(.soundIMU), "\(said[1].needs)")
    let end = MadeEvents.host(45)
    let (solution, other) = (
      try #require(engine.solution(at: end)), try #require(played(clean).solution(at: end))
    )
    #expect(solution.position.ned(from: other.position).horizontalNorm < other.horizontalAccuracy)
    #expect(try health(engine, MadeEvents.imu, at: 45).refusals.impossible > 450)
  }

  @Test func readingsWithoutAFixAreNotFused() throws {
    var engine = LiveEngine()
    let nowhere = GeodeticPosition(latitude: .nan, longitude: .nan, height: .nan)
    for second in 0..<10 {
      engine.process(
        SensorEvent(
          source: MadeEvents.receiver, arrival: MadeEvents.host(Double(second)),
          content: .fix(
            FixReading(
              fix: GNSSFix(time: Timestamp(nanoseconds: 0), position: nowhere), dimensions: .none))))
    }
    let status = engine.status(at: MadeEvents.host(10))
    #expect(status.solution == nil && status.utc == nil)
    #expect(status.needs.contains(.sky))
    #expect(status.sources.first?.refusals.total == 0)
  }

  @Test func utcIsTheReceiversWithItsUncertainty() throws {
    let made = MadeEvents()
    let engine = played(made.events())
    let utc = try #require(engine.utc(at: MadeEvents.host(40)))
    #expect(utc.authority == .messages)
    let error = abs(utc.time.seconds(since: made.receiverTime(40)))
    #expect(error < 0.02)
    #expect(utc.uncertainty.map { error < $0 && $0 < 0.1 } ?? false)
    var alone = LiveEngine()
    for event in made.comparisons(at: 40) { alone.process(event) }
    let system = try #require(alone.utc(at: MadeEvents.host(40)))
    #expect(system.authority == .system && system.uncertainty == nil)
    #expect(system.time == made.realtime(40))
  }
}
