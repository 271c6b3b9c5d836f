/// Figures of a set of outages of one length; what cannot be had is nil.
public struct OutageScore: Sendable {
  /// Seconds without fixes.
  public let length: Double
  /// The outages scored, in order of their start.
  public let results: [OutageResult]
  /// Number of outages scored.
  public let count: Int
  /// Number of outages that ended without a finite solution, beside those scored.
  public let lost: Int
  /// Horizontal error at the end in metres.
  public let endError: ErrorStatistics?
  /// The same in percent of the distance driven, of the outages of at least 20 m.
  public let percentOfDistance: ErrorStatistics?
  /// Share of the outages that end with the truth inside the 68 % and the 95 % radius.
  public let coverage68, coverage95: Double?
  /// Where the largest error at the end comes from: seconds on the drive's time line when its fixes stopped.
  public let worstStart: Double?
  /// The same by motion: stop-and-go, curve and steady; empty in these parts themselves.
  public let byMotion: [(motion: String, score: OutageScore)]

  package init(length: Double, lost: Int = 0, results: [OutageResult], splits: Bool = true) {
    self.length = length
    self.results = results
    count = results.count
    self.lost = lost
    endError = ErrorStatistics(results.map(\.endError))
    percentOfDistance = ErrorStatistics(results.compactMap(\.percent))
    let share: (KeyPath<OutageResult, Bool>) -> Double? = { inside in
      results.isEmpty ? nil : Double(results.count { $0[keyPath: inside] }) / Double(results.count)
    }
    coverage68 = share(\.inside68)
    coverage95 = share(\.inside95)
    worstStart = results.max { $0.endError < $1.endError }?.start
    byMotion =
      splits
      ? OutageResult.Motion.allCases.map { motion in
        (
          motion.rawValue,
          OutageScore(length: length, results: results.filter { $0.motion == motion }, splits: false)
        )
      } : []
  }
}
