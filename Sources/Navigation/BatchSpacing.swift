/// Spreads samples that bear one stamp, as where a FIFO is read at once, over the time since the last batch.
///
/// For pairing two sensors only, whose batches are of different sizes and times: where the sample holds is
/// the engine's to say, which sees the stamps. Nothing waits: a batch is taken to be of the size of the last.
package struct BatchSpacing: Sendable {
  /// Stamps closer than this are one, s. [chosen: a period at 10 kHz]
  package static let oneStamp = 0.0001
  /// Longest time from one batch to the next, s; what is longer is a gap. [chosen: 25 samples at 50 Hz]
  private static let longest = 0.5

  private var start: Timestamp?, newest: Timestamp?
  /// Samples of this batch so far, and of the one before.
  private var count = 0, usual = 0
  /// From the batch before to this one, s.
  private var step = 0.0

  package init() {}

  /// About when the next sample was taken, which is stamped so: the stamp itself where each has its own.
  package mutating func spaced(_ stamp: Timestamp) -> Timestamp {
    let since = newest.map { stamp.seconds(since: $0) } ?? .infinity
    newest = stamp
    if let start, (0..<Self.oneStamp).contains(since) {
      count += 1
      return placed(start)
    }
    if let start, case let way = stamp.seconds(since: start), (0...Self.longest).contains(way) { step = way }
    (start, usual, count) = (stamp, count, 1)
    return placed(stamp)
  }

  private func placed(_ stamp: Timestamp) -> Timestamp {
    guard count < usual else { return stamp }
    return stamp.advanced(bySeconds: step * (Double(count) / Double(usual) - 1))
  }
}
