/// The figures of several variants together; shares are of the time of all of them.
public struct StressSummary: Sendable {
  /// Variants; those that were ever lost; those that misled for over 2 s; those with a false heading for over
  /// 1 % of the time; those with an impossible solution.
  public var variants = 0, lost = 0, misleading = 0, headingFalse = 0, impossible = 0
  /// Impossible solutions, and how often engines took the position or the heading anew.
  public var impossibleSolutions = 0, resets = 0
  /// Variants without a heading after 20 s of driving.
  public var headingNever = 0
  /// Seconds lost, misleading, without a solution after the first, with a false heading, and with one more
  /// than five stated standard deviations off.
  public var lostTime = 0.0, misleadingTime = 0.0, unavailableTime = 0.0, headingFalseTime = 0.0,
    headingBeyondTime = 0.0
  /// Error against 95 % radius of the position.
  public var diagram = StressDiagram()
  /// 5 % and 50 % of the stretches of six (three at least) minutes have no larger share of the time inside.
  public var window68: (p5: Double, p50: Double)?, window95: (p5: Double, p50: Double)?
  /// Against what was stated.
  public var position = StressCoverage(), heading = StressCoverage(), course = StressCoverage()
  public var speed = StressCoverage(), height = StressCoverage()
  /// Median of variants of the 95 % error with good fixes over that of the fixes.
  public var goodRatio: Double?
  /// Largest error with good fixes, and of all, m.
  public var goodWorst: Double?, worst: Double?
  /// 95 % of variants claim a heading so many seconds after the first second of driving, and
  /// after so many of driving.
  public var headingAfter: Double?, headingAfterDriving: Double?
  /// 95 % of variants know heading or course after so many seconds of driving.
  public var directionAfterDriving: Double?

  /// The figures of `results`.
  public init(_ results: [StressResult]) {
    let all = results.map(\.figures)
    variants = all.count
    for figures in all {
      if figures.isLost { lost += 1 }
      if figures.isMisleading { misleading += 1 }
      if figures.isHeadingFalse { headingFalse += 1 }
      if figures.impossible > 0 { impossible += 1 }
      if figures.headingNever { headingNever += 1 }
      impossibleSolutions += figures.impossible
      resets += figures.resets
      lostTime += figures.lost
      misleadingTime += figures.misleading
      unavailableTime += figures.unavailable
      headingFalseTime += figures.headingFalse
      headingBeyondTime += figures.headingBeyond
      position += figures.position
      diagram += figures.diagram
      heading += figures.heading
      course += figures.course
      speed += figures.speed
      height += figures.height
    }
    let windows = all.flatMap(\.windows).filter { $0.time >= StressScorer.window / 2 }
    window68 = Self.low(windows.compactMap(\.share68))
    window95 = Self.low(windows.compactMap(\.share95))
    goodRatio = ErrorStatistics(all.compactMap(\.goodRatio))?.p50
    goodWorst = all.compactMap(\.goodWorst).max()
    worst = all.compactMap(\.worst).max()
    headingAfter = ErrorStatistics(all.compactMap(\.headingAfter))?.p95
    headingAfterDriving = ErrorStatistics(all.compactMap(\.headingAfterDriving))?.p95
    directionAfterDriving = ErrorStatistics(all.compactMap(\.directionAfterDriving))?.p95
  }

  private static func low(_ shares: [Double]) -> (p5: Double, p50: Double)? {
    guard !shares.isEmpty else { return nil }
    let sorted = shares.sorted()
    return (
      ErrorStatistics.percentile(0.05, ofSorted: sorted), ErrorStatistics.percentile(0.5, ofSorted: sorted)
    )
  }

  /// Share of the scored time; nil where none was scored.
  public func share(_ time: Double) -> Double? { position.time > 0 ? time / position.time : nil }
  /// Share of the time with a heading that it was false; nil where there was none.
  public var headingFalseShare: Double? { heading.time > 0 ? headingFalseTime / heading.time : nil }
  /// Share of that time that it was more than five stated standard deviations off, the
  /// truth's own error included.
  public var headingBeyondShare: Double? { heading.time > 0 ? headingBeyondTime / heading.time : nil }
}
