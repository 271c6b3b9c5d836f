import Evaluation
import Navigation
import Testing

@Suite struct DegradationTests {
  /// What `specification` makes of fixes without error, `rate` a second.
  private func degraded(
    _ specification: String, count: Int, rate: Double = 1, sigma: Vector3? = Vector3(0.01, 0.01, 0.02)
  ) throws -> [GNSSFix] {
    var degrader = FixDegrader(try Degradation(parsing: specification))
    return (0..<count).compactMap { i in
      degrader.degrade(
        GNSSFix(
          time: Made.time(Double(i) / rate), position: Made.origin, positionSigma: sigma,
          velocityNED: Vector3(10, 0, 0)))
    }
  }

  private func errors(_ fixes: [GNSSFix]) -> [Vector3] { fixes.map { $0.position.ned(from: Made.origin) } }

  private func variance(_ values: [Double]) -> Double {
    values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
  }

  @Test func specificationIsReadInFull() throws {
    var expected = Degradation()
    expected.rate = 1
    expected.positionSigma = 1.5
    expected.velocitySigma = 0.1
    expected.seed = 7
    #expect(try Degradation(parsing: "thin:1,white:1.5,velocity:0.1,seed:7") == expected)
    let canyon = try Degradation(parsing: "canyon:8,tau:30")
    #expect(canyon.canyonSigma == 8)
    #expect(canyon.correlationTime == 30)
    #expect(canyon.seed == 1)
  }

  @Test(arguments: [
    "", "white", "white:", "white:-1", "white:0", "white:nan", "white:inf", "white:1,", "white:1,white:2",
    "fog:1",
    "seed:1", "seed:1.5,white:1", "tau:20,white:1", "white:1:2",
  ])
  func unusableSpecificationIsRefused(specification: String) {
    #expect(throws: EvaluationError.self) { try Degradation(parsing: specification) }
  }

  @Test func thinningKeepsTheFirstFixOfEverySecond() throws {
    let fixes = try degraded("thin:1", count: 41, rate: 4)
    #expect(fixes.map(\.time) == (0...10).map { Made.time(Double($0)) })
    #expect(errors(fixes).allSatisfy { $0 == .zero })
    #expect(try degraded("thin:5", count: 20, rate: 1).count == 20)
  }

  @Test func whiteNoiseHasItsSigmaAndIsStated() throws {
    let n = 20_000
    let fixes = try degraded("white:3,velocity:0.5", count: n)
    let tolerance = 5 * (2 / Double(n)).squareRoot()
    for axis in 0..<3 {
      #expect(abs(variance(errors(fixes).map { $0[axis] }) / 9 - 1) < tolerance)
      let velocities = fixes.compactMap { fix in fix.velocityNED.map { $0[axis] - (axis == 0 ? 10 : 0) } }
      #expect(abs(variance(velocities) / 0.25 - 1) < tolerance)
    }
    let north = errors(fixes).map(\.x)
    let shifted = zip(north, north.dropFirst()).map { $0 * $1 }.reduce(0, +) / Double(n) / 9
    #expect(abs(shifted) < 5 / Double(n).squareRoot())
    #expect(abs(try #require(fixes[0].positionSigma).x - 3) < 1e-4)
    #expect(fixes[0].speedSigma == 0.5)
    #expect(abs(try #require(fixes[0].courseSigma) - 0.05) < 1e-12)
  }

  @Test func accuracyThatWasNotStatedIsStatedAsTheNoise() throws {
    let fixes = try degraded("white:2", count: 1, sigma: nil)
    #expect(fixes[0].positionSigma == Vector3(2, 2, 2))
  }

  @Test func canyonErrorIsCorrelatedAndUnstated() throws {
    let n = 200_000
    let fixes = try degraded("canyon:8,tau:20,seed:5", count: n)
    let east = errors(fixes).map(\.y)
    // A Gauss–Markov process of τ = 20 samples has about n / 40 independent values.
    let tolerance = 5 * (2.0 * 40 / Double(n)).squareRoot()
    #expect(abs(variance(east) / 64 - 1) < tolerance)
    for lag in [10, 20, 40] {
      let product = zip(east, east.dropFirst(lag)).map { $0 * $1 }.reduce(0, +) / Double(n) / 64
      #expect(abs(product - exponential(-Double(lag) / 20)) < tolerance)
    }
    #expect(fixes.allSatisfy { $0.positionSigma == Vector3(0.01, 0.01, 0.02) && $0.speedSigma == nil })
  }

  /// eˣ by its series.
  private func exponential(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for n in 1...40 {
      term *= x / Double(n)
      sum += term
    }
    return sum
  }

  @Test func canyonWithWhiteNoiseStaysUnstated() throws {
    let fixes = try degraded("canyon:8,tau:20,white:3,velocity:1", count: 3)
    #expect(fixes.allSatisfy { $0.positionSigma == Vector3(0.01, 0.01, 0.02) })
    #expect(fixes.allSatisfy { $0.speedSigma == nil && $0.courseSigma == nil })
  }

  @Test func seedDecidesTheNoise() throws {
    let first = try degraded("white:1,velocity:1,seed:1", count: 50)
    #expect(try degraded("white:1,velocity:1,seed:1", count: 50) == first)
    #expect(try degraded("white:1,velocity:1,seed:2", count: 50) != first)
  }

  @Test func unknownHeightStaysUnknown() throws {
    var degrader = FixDegrader(try Degradation(parsing: "white:1"))
    var position = Made.origin
    position.height = .nan
    let degraded = degrader.degrade(GNSSFix(time: Made.time(0), position: position))
    let fix = try #require(degraded)
    #expect(fix.position.height.isNaN)
    #expect(fix.position.latitude.isFinite && fix.position.longitude.isFinite)
    #expect(fix.position.latitude != position.latitude)
  }
}
