import Fusion
import Testing

@Suite struct DwellTimerTests {
  @Test func timeAddsUpWhileSomethingHolds() {
    var timer = DwellTimer()
    timer.update(true, elapsed: 0.5)
    timer.update(true, elapsed: 0.25)
    #expect(timer.seconds == 0.75)
  }

  @Test func aBreakBeginsAnew() {
    var timer = DwellTimer()
    timer.update(true, elapsed: 0.5)
    timer.update(false, elapsed: 10)
    #expect(timer.seconds == 0)
    timer.update(true, elapsed: 0.125)
    #expect(timer.seconds == 0.125)
  }

  /// 1 − 1/e of a step after the memory, in however many parts.
  @Test func exponentialMeanForgetsByTimeAndNotByCount() {
    var once = ExponentialMean(memory: 4)
    once.add(Vector3(1, -2, 0), elapsed: 4)
    var often = ExponentialMean(memory: 4)
    for _ in 0..<100 { often.add(Vector3(1, -2, 0), elapsed: 0.04) }
    #expect((once.value - often.value).norm < 1e-12)
    #expect(abs(once.value.x - 0.6321205588285577) < 1e-15)
  }
}
