import CLibrary
import Simulation
import Testing

@Suite struct RandomTests {
  @Test func generatorGivesThePublishedNumbers() {
    var random = RandomSource(state: (1, 2, 3, 4))
    let expected: [UInt64] = [
      41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205,
    ]
    #expect(expected.map { _ in random.next() } == expected)
  }

  @Test func seedsAndStreamsDiffer() {
    func first(_ seed: UInt64, _ name: String) -> UInt64 {
      var random = RandomSource(seed: seed, stream: name)
      return random.next()
    }
    #expect(first(1, "gyroscope") == first(1, "gyroscope"))
    #expect(Set([first(1, "gyroscope"), first(2, "gyroscope"), first(1, "wheel")]).count == 3)
  }

  @Test func normalQuantileInvertsTheDistribution() {
    for x in stride(from: -8.0, through: 8, by: 0.1) {
      let tail = 0.5 * erfc(abs(x) / 2.0.squareRoot())
      let value = NormalQuantile.value(probability: tail)
      #expect(abs(value + abs(x)) < 1e-12 * (1 + abs(x)))
    }
    #expect(NormalQuantile.value(probability: 0.5) == 0)
    #expect(abs(NormalQuantile.value(probability: 0.975) - 1.959963984540054) < 1e-14)
  }

  @Test func normalNumbersAreNormal() {
    var random = RandomSource(seed: 7, stream: "test")
    var (all, fourth, beyondTwo) = (Statistics(), 0.0, 0.0)
    let count = 200_000
    for _ in 0..<count {
      let x = random.normal()
      all.add(x)
      fourth += x * x * x * x
      if abs(x) > 2 { beyondTwo += 1 }
    }
    // Four standard errors each.
    #expect(abs(all.mean) < 4 * 0.0022 && abs(all.sigma - 1) < 4 * 0.0016)
    #expect(abs(fourth / Double(count) - 3) < 4 * 0.022)
    #expect(abs(beyondTwo / Double(count) - 0.0455) < 4 * 0.00047)
  }

  @Test func studentsTailsAreHeavy() {
    var random = RandomSource(seed: 8, stream: "test")
    var beyond = 0.0
    for _ in 0..<100_000 where abs(random.studentT(degrees: 4)) > 4.604 { beyond += 1 }
    // The 99 % quantile of |t| with 4 degrees of freedom.
    #expect(abs(beyond / 100_000 - 0.01) < 4 * 0.00032)
  }

  @Test func logNormalHasTheMedianAndSpread() {
    var random = RandomSource(seed: 9, stream: "test")
    var logs = Statistics()
    for _ in 0..<20_000 { logs.add(log(random.logNormal(median: 8, logSigma: 1))) }
    #expect(abs(logs.mean - log(8)) < 0.03 && abs(logs.sigma - 1) < 0.03)
  }
}
