import Fusion
import Testing

/// Monte Carlo: where the model is the truth, errors are as large as the filter says, no more and no less.
///
/// NEES and NIS as in Y. Bar-Shalom, X. Li and T. Kirubarajan, "Estimation with Applications to Tracking and
/// Navigation" (2001), section 5.4: the sum over N runs of n components is χ² with N n degrees of freedom.
@Suite struct ConsistencyTests {
  private static let seeds = 60
  private static let times = [1, 10, 25, 45, 70, 100]
  private static let truth = ConsistencyRun.Truth(seconds: 100)

  /// Means over the seeds, per component, at each time.
  private func means(_ run: ConsistencyRun) throws -> (
    scores: [ConsistencyRun.Score], nis: Double, degrees: Double
  ) {
    var sums = Self.times.map { _ in ConsistencyRun.Score() }
    var (nis, degrees) = (0.0, 0.0)
    for seed in 1...UInt64(Self.seeds) {
      let result = try #require(run.scores(Self.truth, seed: seed, times: Self.times))
      for (i, score) in result.scores.enumerated() {
        for block in score.blocks.indices {
          sums[i].blocks[block] += score.blocks[block] / Double(3 * Self.seeds)
        }
        sums[i].all += score.all / Double(States.dimension * Self.seeds)
      }
      nis += result.nis
      degrees += result.degrees
    }
    return (sums, nis / degrees, degrees)
  }

  @Test func errorsAreAsLargeAsTheFilterSays() throws {
    let three = ChiSquare.bounds(degrees: Double(3 * Self.seeds))
    let whole = ChiSquare.bounds(degrees: Double(States.dimension * Self.seeds))
    let result = try means(ConsistencyRun())
    for (time, score) in zip(Self.times, result.scores) {
      for (block, nees) in score.blocks.enumerated() {
        #expect(three.contains(nees), "block \(block) at \(time) s: \(nees)")
      }
      #expect(whole.contains(score.all), "all at \(time) s: \(score.all)")
    }
    #expect(ChiSquare.bounds(degrees: result.degrees).contains(result.nis), "NIS \(result.nis)")
  }

  /// Where the model is the truth, the smoothed errors are as large as the smoother says too,
  /// also long before the end.
  @Test func smoothedErrorsAreAsLargeAsTheSmootherSays() throws {
    var sums = Self.times.map { _ in Array(repeating: 0.0, count: 4) }
    for seed in 1...UInt64(Self.seeds) {
      let scores = try #require(
        ConsistencyRun().smoothedScores(Self.truth, seed: seed, times: Self.times))
      for (i, score) in scores.enumerated() {
        for r in 0..<4 { sums[i][r] += score[r] / Double(3 * Self.seeds) }
      }
    }
    let bounds = ChiSquare.bounds(degrees: Double(3 * Self.seeds))
    for (time, means) in zip(Self.times, sums) {
      for (r, nees) in means.enumerated() {
        #expect(bounds.contains(nees), "block \(RecordedPoint.blocks[r]) at \(time) s: \(nees)")
      }
    }
  }

  /// Control: a filter that believes in half the process noise is caught.
  @Test func tooLittleProcessNoiseIsCaught() throws {
    let result = try means(ConsistencyRun(processBelief: 0.5))
    let last = try #require(result.scores.last)
    #expect(last.all > ChiSquare.bounds(degrees: Double(States.dimension * Self.seeds)).upperBound)
    #expect(last.blocks[StateBlock.velocity] > ChiSquare.bounds(degrees: Double(3 * Self.seeds)).upperBound)
    #expect(result.nis > ChiSquare.bounds(degrees: result.degrees).upperBound)
  }

  /// Control: so is one that believes its measurements twice as good, or twice as bad, as they are.
  @Test func wrongMeasurementNoiseIsCaught() throws {
    let bold = try means(ConsistencyRun(measurementBelief: 0.5))
    #expect(bold.nis > ChiSquare.bounds(degrees: bold.degrees).upperBound)
    #expect(
      bold.scores.last.map(\.all) ?? 0
        > ChiSquare.bounds(degrees: Double(States.dimension * Self.seeds)).upperBound)
    let timid = try means(ConsistencyRun(measurementBelief: 2))
    #expect(timid.nis < ChiSquare.bounds(degrees: timid.degrees).lowerBound)
  }
}
