import Navigation
import Sensors
import Testing

@Suite struct SampleSequenceTests {
  private func at(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

  @Test func gapsAreCountedThoughTheRateIsStatedWrong() {
    // Stated 100 Hz, in truth 104 Hz: after some samples the period is known.
    var sequence = SampleSequence(rate: 100)
    for index in 0..<200 {
      let time = at(Double(index) / 104)
      #expect(sequence.judge(time: time, arrival: time) == .next(missing: 0))
    }
    #expect(abs(sequence.period! - 1 / 104.0) < 1e-6)
    let late = at(299.0 / 104)
    #expect(sequence.judge(time: late, arrival: late) == .next(missing: 99))
  }

  @Test func batchOfAFIFOIsNoGap() {
    var sequence = SampleSequence(rate: 100)
    for index in 0..<100 {
      // Ten samples arrive together, each with its own time.
      let arrival = at(Double(index / 10) * 0.1 + 0.1)
      #expect(sequence.judge(time: at(Double(index) * 0.01), arrival: arrival) == .next(missing: 0))
    }
  }

  /// A driver may stamp all of a FIFO as it reads it; at rest a coarse sensor shows a value twice.
  @Test func batchThatBearsOneTimeIsKeptAndItsLossCounted() {
    var sequence = SampleSequence(rate: 100)
    for index in 0..<400 where index / 10 != 30 {
      let time = at(Double(index / 10) * 0.1)
      let verdict = sequence.judge(time: time, arrival: time, isRepeat: index % 10 == 5)
      #expect(verdict == .next(missing: index == 310 ? 10 : 0), "\(index)")
    }
    #expect(sequence.duplicates == 0 && abs((sequence.period ?? 0) - 0.01) < 1e-6)
  }

  @Test func repeatedAndReversedTimesAreRefusedAndCounted() {
    var sequence = SampleSequence(rate: 100)
    _ = sequence.judge(time: at(1), arrival: at(1))
    #expect(sequence.judge(time: at(1), arrival: at(1.01), isRepeat: true) == .duplicate)
    #expect(sequence.judge(time: at(0.995), arrival: at(1.01)) == .reversed)
    #expect(sequence.judge(time: at(1.01), arrival: at(1.01)) == .next(missing: 0))
    #expect(sequence.duplicates == 1 && sequence.reversals == 1)
  }

  @Test(arguments: [86_400.0, -86_400])
  func clockThatIsSetByADayIsNoGap(step: Double) {
    var sequence = SampleSequence(rate: 100)
    for index in 0..<50 {
      _ = sequence.judge(time: at(1e5 + Double(index) * 0.01), arrival: at(Double(index) * 0.01))
    }
    #expect(sequence.judge(time: at(1e5 + step + 0.5), arrival: at(0.5)) == .stepped)
    #expect(sequence.judge(time: at(1e5 + step + 0.51), arrival: at(0.51)) == .next(missing: 0))
  }

  @Test func clockThatCreepsBackForGoodIsTakenUpAgain() {
    var sequence = SampleSequence(rate: 100)
    _ = sequence.judge(time: at(10), arrival: at(10))
    let verdicts = (1...6).map {
      sequence.judge(time: at(9.5 + Double($0) * 0.01), arrival: at(10 + Double($0) * 0.01))
    }
    #expect(verdicts == [.reversed, .reversed, .reversed, .reversed, .stepped, .next(missing: 0)])
  }
}
