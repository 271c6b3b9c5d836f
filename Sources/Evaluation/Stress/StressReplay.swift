import Drives
import Fusion

/// Plays a drive in memory to an engine, in order of arrival, and scores the live solution.
package enum StressReplay {
  package static func run(_ drive: StressDrive) -> StressFigures {
    let truth = drive.truth
    var configuration = FusionConfiguration()
    configuration.antennaLeverArm = truth.geometry.antenna
    var engine = FusionEngine(configuration: configuration)
    var scorer = StressScorer(truth)
    let (start, end) = drive.span
    var next = truth.points.firstIndex { $0.sample.time >= start } ?? truth.points.count

    func score(where isDue: (Timestamp) -> Bool) {
      while next < truth.points.count, isDue(truth.points[next].sample.time) {
        let point = truth.points[next]
        let solution = engine.solution(at: point.sample.time)
        scorer.take(solution?.moved(byVehicleOffset: truth.geometry.truthFromIMU), at: point)
        next += 1
      }
    }

    for sample in StressSamples(drive) {
      score { $0 < sample.arrival }
      if case .gnss(let fix) = sample { scorer.take(fix) }
      engine.process(sample)
    }
    score { $0 <= end }
    return scorer.finish(resets: engine.recoveries)
  }
}
