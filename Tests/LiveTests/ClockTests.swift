import Live
import Navigation
import SensorEvents
import TestParts
import Testing

/// Times in seconds on a host clock, and a made-up other clock.
private func at(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

struct ClockRelationTests {
  @Test func comparisonsNarrowTheOffsetAndTellItsUncertainty() throws {
    var relation = ClockRelation()
    #expect(relation.offset(at: at(0)) == nil)
    var noise = Dice(seed: 1)
    // The other clock is 5 s ahead; each reading errs by up to 20 µs, and says so.
    for second in 0..<30 {
      let error = Int64((noise.uniform() - 0.5) * 40_000)
      relation.add(
        host: at(Double(second)), clock: Timestamp(nanoseconds: Int64(second + 5) * 1_000_000_000 + error),
        uncertainty: 20_000)
      let offset = try #require(relation.offset(at: at(Double(second))))
      let bound = try #require(relation.uncertainty(at: at(Double(second))))
      #expect(abs(offset + 5_000_000_000) <= bound)
      #expect(bound <= 20_000)
    }
    #expect(relation.steps == 0)
    let later = try #require(relation.uncertainty(at: at(129)))
    #expect(later > 100 * 5_000, "it widens by the drift that may be")
  }

  @Test func driftIsMeasured() {
    var relation = ClockRelation()
    for second in 0..<600 {
      let t = Double(second)
      relation.add(host: at(t), clock: at(t * (1 - 40e-6)), uncertainty: 1000)
    }
    #expect(abs(relation.drift - 40e-6) < 1e-7)
    #expect(relation.steps == 0)
  }

  @Test func aStepIsTakenAtOnceAndTheOldOffsetKeptForAWhile() {
    var relation = ClockRelation()
    relation.add(host: at(0), clock: at(100), uncertainty: 1000)
    relation.add(host: at(1), clock: at(86_501), uncertainty: 1000)
    #expect(relation.steps == 1)
    #expect(relation.host(at(86_501.5), arrival: at(1.5)) == at(1.5))
    #expect(relation.hostBeforeStep(at(100.9), arrival: at(1.5), within: 5) == at(0.9))
    #expect(relation.hostBeforeStep(at(100.9), arrival: at(9), within: 5) == nil)
  }

  @Test(
    arguments: [
      (Int64.min, Int64.max), (.max, .min), (0, .min), (.min, .min), (.max, .max), (0, 0),
    ] as [(Int64, Int64)])
  func timesOfAnyBitsDoNotTrap(host: Int64, clock: Int64) {
    var relation = ClockRelation()
    var receiver = ReceiverClock()
    for (h, c) in [(host, clock), (clock, host), (0, clock), (host, 0), (5, 5)] {
      relation.add(host: Timestamp(nanoseconds: h), clock: Timestamp(nanoseconds: c), uncertainty: c)
      _ = relation.host(Timestamp(nanoseconds: c), arrival: Timestamp(nanoseconds: h))
      _ = relation.uncertainty(at: Timestamp(nanoseconds: h))
      _ = receiver.place(Timestamp(nanoseconds: c), arrival: Timestamp(nanoseconds: h))
      receiver.addPulse(Timestamp(nanoseconds: c), host: Timestamp(nanoseconds: h), uncertainty: c)
      receiver.addMessageStart(Timestamp(nanoseconds: c), host: Timestamp(nanoseconds: h))
      _ = receiver.uncertainty(at: Timestamp(nanoseconds: h))
    }
  }
}

struct ReceiverClockTests {
  /// A receiver that is `offset` ahead of the host, with messages that come 100 to 200 ms after their time.
  struct Sender {
    var clock = ReceiverClock()
    var offset = 1_772_000_000.0
    var drift = 0.0
    var delay = { (noise: inout Dice) in 0.1 + 0.1 * noise.uniform() * noise.uniform() }
    var noise = Dice(seed: 3)
    var arrival = Timestamp(nanoseconds: .min)

    /// Error in seconds of where the message of host time `t` is put; nil where it is refused.
    mutating func send(_ t: Double, late: Double = 0, at told: Double? = nil) -> Double? {
      arrival = max(arrival, at(t + delay(&noise) + late))
      let time = at((told ?? t) * (1 - drift) + offset)
      guard case .at(let host) = clock.place(time, arrival: arrival) else { return nil }
      return host.seconds(since: at(t))
    }

    /// Worst error over some seconds, one message each; what is refused is counted.
    mutating func run(_ range: Range<Int>) -> (worst: Double, refused: Int) {
      var worst = 0.0
      var refused = 0
      for t in range {
        if let error = send(Double(t)) { worst = max(worst, abs(error)) } else { refused += 1 }
      }
      return (worst, refused)
    }
  }

  @Test(arguments: [0.0, 80e-6, -80e-6])
  func offsetAndDriftAreLearnedFromArrivals(drift: Double) {
    var sender = Sender()
    sender.drift = drift
    _ = sender.run(0..<60)
    let (worst, refused) = sender.run(60..<1800)
    print("drift \(drift): worst \(worst) s, learned \(sender.clock.drift)")
    #expect(refused == 0)
    // Of ten messages the fastest comes within some milliseconds of the least delay; the line
    // through 32 such follows.
    #expect(worst < 0.02)
    #expect(abs(sender.clock.drift - drift) < 25e-6)
    let bound = Double(sender.clock.uncertainty(at: sender.arrival) ?? 0) * 1e-9
    #expect(worst < bound && bound < 0.1)
  }

  /// Receivers differ: where one is taken for another, the error is within what is said of it.
  @Test(arguments: [0.05, 0.1, 0.15])
  func theDelayThatNobodyKnowsIsInTheUncertainty(least: Double) {
    var sender = Sender()
    sender.delay = { noise in least + 0.1 * noise.uniform() * noise.uniform() }
    _ = sender.run(0..<60)
    let (worst, _) = sender.run(60..<600)
    let bound = Double(sender.clock.uncertainty(at: sender.arrival) ?? 0) * 1e-9
    #expect(worst < bound && bound < 0.07, "\(worst) of \(bound)")
  }

  @Test func pulsesTellTheTimeToMicroseconds() {
    var sender = Sender()
    for t in 0..<100 {
      _ = sender.send(Double(t))
      sender.clock.addPulse(at(Double(t) + sender.offset), host: at(Double(t)), uncertainty: 5000)
    }
    let (worst, _) = sender.run(100..<200)
    #expect(sender.clock.hasPulse(at: sender.arrival))
    #expect(worst < 1e-6)
  }

  @Test func aPulsePutToTheWrongSecondIsNotBelieved() {
    var sender = Sender()
    _ = sender.run(0..<20)
    for t in 20..<60 {
      sender.clock.addPulse(at(Double(t + 1) + sender.offset), host: at(Double(t)), uncertainty: 5000)
      sender.clock.addPulse(at(Double(t - 1) + sender.offset), host: at(Double(t)), uncertainty: 5000)
    }
    let (worst, refused) = sender.run(60..<80)
    #expect(refused == 0 && worst < 0.1)
  }

  /// Week rollover, leap seconds, and a clock that was off by days.
  @Test(arguments: [619_315_200.0, -619_315_200, 1, -1, 3, -3, 250_000.25] as [Double])
  func aLeapInTheRhythmIsTakenOverAtOnce(seconds: Double) {
    var sender = Sender()
    _ = sender.run(0..<60)
    sender.offset += seconds
    let (worst, refused) = sender.run(60..<120)
    // One second back tells the same time twice, as a receiver does that repeats its fix:
    // that takes some messages.
    #expect(refused <= (seconds == -1 ? 4 : 0))
    #expect(worst < 0.15)
    #expect(sender.clock.jumps == 1)
  }

  @Test(arguments: [18.0, -18, 1, -1, 1e8] as [Double])
  func anotherTimeAfterARestartIsLearnedWithoutOneWildTime(seconds: Double) {
    var sender = Sender()
    _ = sender.run(0..<60)
    sender.clock.restart()
    sender.offset += seconds
    let (worst, refused) = sender.run(75..<120)
    print("restart \(seconds): worst \(worst), refused \(refused)")
    #expect(refused <= 5)
    #expect(worst < 0.2)
  }

  @Test func oneWrongTimeIsRefusedAndChangesNothing() {
    var sender = Sender()
    _ = sender.run(0..<60)
    #expect(sender.send(60.4, at: 1e6) == nil)
    #expect(sender.send(60.7, at: -1e6) == nil)
    let (worst, refused) = sender.run(61..<90)
    #expect(refused == 0 && worst < 0.05)
    #expect(sender.clock.jumps == 0)
  }

  /// The host was busy for two seconds: messages come in a bunch, and hold when they say.
  @Test func messagesThatWereHeldUpKeepTheirTimes() {
    var sender = Sender()
    _ = sender.run(0..<60)
    for (t, late) in [(60.0, 2.0), (61, 1.0), (62, 0)] {
      let error = sender.send(t, late: late)
      #expect(error.map { abs($0) < 0.05 } ?? false, "\(t)")
    }
    let (worst, refused) = sender.run(63..<90)
    #expect(refused == 0 && worst < 0.05)
    #expect(sender.clock.jumps == 0)
  }

  /// The same of ten messages a second, of a process that was stopped for four.
  @Test func aLongBunchIsNoClockThatWasSet() {
    var sender = Sender()
    for i in 0..<600 { _ = sender.send(Double(i) / 10) }
    for i in 0..<40 {
      let t = 60 + Double(i) / 10
      let error = sender.send(t, late: 64 - t + Double(i) / 1000)
      #expect(error.map { abs($0) < 0.05 } ?? false, "\(t)")
    }
    let (worst, refused) = sender.run(65..<90)
    #expect(refused == 0 && worst < 0.05)
    #expect(sender.clock.jumps == 0)
  }

  /// The second of a leap is told twice, by most receivers.
  @Test func aLeapSecondIsNoWildTime() {
    var sender = Sender()
    _ = sender.run(0..<60)
    _ = sender.send(60, at: 60)
    _ = sender.send(61, at: 60)
    sender.offset -= 1
    let (worst, refused) = sender.run(62..<120)
    print("leap second: worst \(worst), refused \(refused)")
    #expect(refused <= 5)
    #expect(worst < 0.15)
  }

  /// A receiver that has lost the sky goes on with its last fix and its time.
  @Test func aRepeatedFixDoesNotMoveTheClock() {
    var sender = Sender()
    _ = sender.run(0..<60)
    for t in 60..<70 { _ = sender.send(Double(t), at: 59) }
    let (worst, refused) = sender.run(70..<100)
    print("repeated: worst \(worst), refused \(refused), jumps \(sender.clock.jumps)")
    #expect(refused <= 3)
    #expect(worst < 0.05)
  }

  @Test func firstMessagesThatWereHeldUpAreSoonForgotten() {
    var sender = Sender()
    _ = sender.send(0, late: 5)
    _ = sender.send(1, late: 4)
    let (worst, refused) = sender.run(6..<60)
    #expect(refused <= 3)
    #expect(worst < 0.1)
  }
}
