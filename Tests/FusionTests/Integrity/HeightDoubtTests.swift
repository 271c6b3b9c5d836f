import Fusion
import Testing

@Suite struct HeightDoubtTests {
  @Test func anOrdinaryHeightIsNotDoubted() {
    var doubt = HeightDoubt()
    for i in 0..<100 { doubt.add(i % 2 == 0 ? 12 : -20, isOff: false, elapsed: 1) }
    #expect(doubt.variance == 0 && !doubt.isCertain)
  }

  @Test func oneAbsurdHeightIsNoDoubt() {
    var doubt = HeightDoubt()
    for _ in 0..<20 { doubt.add(1, isOff: false, elapsed: 1) }
    doubt.add(60, isOff: true, elapsed: 1)
    #expect(doubt.variance == 0)
    doubt.add(1, isOff: false, elapsed: 1)
    #expect(doubt.variance == 0 && !doubt.isCertain)
  }

  @Test(arguments: [100.0, -100]) func heightsThatStayAwayAreDoubtedAndThenCertain(distance: Double) {
    var doubt = HeightDoubt()
    var certainAfter: Int?
    for i in 1...20 {
      doubt.add(distance, isOff: true, elapsed: 1)
      if doubt.isCertain, certainAfter == nil { certainAfter = i }
    }
    #expect(certainAfter == 11)
    // The whole distance, as a standard deviation.
    #expect(abs(doubt.variance.squareRoot() - 100) < 1)
    doubt.add(2, isOff: false, elapsed: 1)
    #expect(doubt.variance == 0 && !doubt.isCertain)
  }

  /// A long pause counts as one second of patience, and a clock that goes back as none.
  @Test func aPauseIsNoEvidence() {
    var doubt = HeightDoubt()
    for _ in 0..<5 { doubt.add(100, isOff: true, elapsed: 300) }
    #expect(!doubt.isCertain)
    for _ in 0..<50 { doubt.add(100, isOff: true, elapsed: -1) }
    #expect(!doubt.isCertain && doubt.variance.isFinite)
  }
}
