import Evaluation
import Navigation
import Testing

@Suite struct SmootherEvaluationTests {
  private func figures(_ smoothers: [SmootherChoice], truth: TruthTrack, keepsTracks: Bool = false)
    -> EvaluationFigures
  {
    var settings = EvaluationSettings()
    settings.smoothers = smoothers
    settings.keepsTracks = keepsTracks
    var run = EvaluationRun(truth: truth, geometry: .init(), settings: settings)
    for sample in Made.drive(until: 60) { run.take(sample) }
    return run.finish()
  }

  @Test func onlyWhatIsAskedForIsScored() throws {
    let truth = Made.track(until: 60)
    let none = figures([], truth: truth)
    #expect(none.fixedLag == nil && none.full == nil)
    let lag = figures([.fixedLag(seconds: 20)], truth: truth)
    #expect(lag.fixedLag != nil && lag.full == nil)
    let both = figures([.full, .fixedLag(seconds: 20)], truth: truth)
    #expect(try #require(both.fixedLag?.horizontal) == (try #require(lag.fixedLag?.horizontal)))
    // The causal engine is not touched by any of it.
    #expect(try #require(both.causal.horizontal) == (try #require(none.causal.horizontal)))
  }

  /// Every truth sample is scored once, as it is for the causal engine, and the zigzag of
  /// the fixes is averaged out.
  @Test func everyTimeOfTheTruthIsScoredOnce() throws {
    let figures = figures([.full, .fixedLag(seconds: 20)], truth: Made.track(until: 60))
    for score in [figures.full, figures.fixedLag] {
      let score = try #require(score)
      #expect(score.count == 601 && score.availability == 1)
      #expect(try #require(score.horizontal).rms < (try #require(figures.causal.horizontal)).rms)
      #expect(score.coverage95 == 1)
    }
  }

  @Test func driveWithoutTruthHasItsTracks() {
    let figures = figures(
      [.full, .fixedLag(seconds: 20)], truth: TruthTrack([]), keepsTracks: true)
    #expect(figures.full?.horizontal == nil && figures.full?.availability == 1)
    for role in [ReportTrack.Role.full, .fixedLag, .causal] {
      let points = figures.tracks.first { $0.role == role }?.points ?? []
      #expect(abs(points.count - 601) <= 2, "\(role): \(points.count)")
    }
  }
}
