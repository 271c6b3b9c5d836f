import Evaluation
import Testing

@Suite struct StatisticsTests {
  @Test func percentilesInterpolateBetweenRanks() throws {
    let statistics = try #require(ErrorStatistics(stride(from: 100.0, through: 0, by: -1).map(\.self)))
    #expect(statistics.p50 == 50)
    #expect(abs(statistics.p68 - 68) < 1e-12)
    #expect(abs(statistics.p95 - 95) < 1e-12)
    #expect(abs(statistics.p99 - 99) < 1e-12)
    #expect(statistics.max == 100)
    let two = try #require(ErrorStatistics([10, 20]))
    #expect(two.p50 == 15)
    #expect(abs(two.p95 - 19.5) < 1e-12)
  }

  @Test func magnitudesAreRankedAndTheMeanKeepsItsSign() throws {
    let statistics = try #require(ErrorStatistics([-3, 4, -4, 3]))
    #expect(statistics.p50 == 3.5)
    #expect(statistics.max == 4)
    #expect(statistics.mean == 0)
    #expect(abs(statistics.rms - 12.5.squareRoot()) < 1e-15)
  }

  @Test func oneErrorIsEveryPercentileAndNoneGivesNone() throws {
    let one = try #require(ErrorStatistics([-7]))
    #expect([one.p50, one.p68, one.p95, one.p99, one.max, one.rms] == [7, 7, 7, 7, 7, 7])
    #expect(one.mean == -7)
    #expect(ErrorStatistics([]) == nil)
  }

  @Test func shortLatenciesAreCountedToTheNanosecond() {
    var histogram = LatencyHistogram()
    for value in 1...100 { histogram.record(nanoseconds: Int64(value)) }
    #expect(histogram.percentile(0.5) == 50)
    #expect(histogram.percentile(0.99) == 99)
    #expect(histogram.percentile(1) == 100)
    #expect(histogram.max == 100)
  }

  @Test(arguments: [128, 129, 255, 256, 1_000, 65_535, 1_234_567, 9_876_543_210] as [Int64])
  func longLatenciesAreCountedToOnePartInSixtyFour(value: Int64) throws {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: value)
    histogram.record(nanoseconds: value * 4)
    let median = try #require(histogram.percentile(0.5))
    #expect(abs(median - Double(value)) <= Double(value) / 64)
    #expect(histogram.max == value * 4)
  }

  @Test func extremeLatenciesStayInTheHistogram() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    #expect(histogram.max == nil)
    histogram.record(nanoseconds: -5)
    histogram.record(nanoseconds: .max)
    #expect(histogram.count == 2)
    #expect(histogram.percentile(0.5) == 0)
    #expect(histogram.max == .max)
  }

  @Test func generatorIsNormal() {
    var generator = NormalGenerator(seed: 42)
    let n = 200_000.0
    var sums = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<Int(n) {
      let x = generator.next()
      sums = (sums.0 + x, sums.1 + x * x, sums.2 + x * x * x, sums.3 + x * x * x * x)
    }
    // Five standard errors of each moment: sqrt of 1, 2, 15 and 96 over n.
    #expect(abs(sums.0 / n) < 5 * (1 / n).squareRoot())
    #expect(abs(sums.1 / n - 1) < 5 * (2 / n).squareRoot())
    #expect(abs(sums.2 / n) < 5 * (15 / n).squareRoot())
    #expect(abs(sums.3 / n - 3) < 5 * (96 / n).squareRoot())
  }
}
