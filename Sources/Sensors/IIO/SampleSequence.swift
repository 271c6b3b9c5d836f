import Navigation

/// Watches the device's own timestamps: repeated and reversed samples are refused, gaps are counted.
package struct SampleSequence: Sendable {
  /// What a sample is.
  package enum Verdict: Sendable, Equatable {
    /// The next one; so many are missing before it.
    case next(missing: Int)
    /// Its time and values are those of the one before, and it is none of a batch that bears one time.
    case duplicate
    /// Its time is before that of the one before.
    case reversed
    /// The device's clock was set: its time has nothing to do with the one before.
    case stepped
  }

  /// Samples refused in sequence after which a reversed time is a clock that was set back.
  static let reversalsBeforeStep = 5
  /// A jump of the timestamps that the arrivals do not show is a clock that was set, in seconds.
  static let largestMismatch = 1.0
  /// Intervals that the median is taken of.
  static let memory = 15

  /// Samples refused so far.
  package private(set) var duplicates = 0
  /// Samples refused so far.
  package private(set) var reversals = 0
  /// Seconds between samples: stated, and then as seen.
  package private(set) var period: Double?
  private var last: (time: Timestamp, arrival: Timestamp)?
  private var reversedInSequence = 0
  private var intervals: [Double] = []
  /// Samples that bear the newest time, as where a FIFO is read at once, and the time before.
  private var batch = 1, usual = 1

  /// A sequence at `rate` samples a second, where it is known.
  package init(rate: Double?) {
    period = rate.flatMap { $0 > 0 && $0.isFinite ? 1 / $0 : nil }
    intervals.reserveCapacity(Self.memory + 1)
  }

  /// Judges a sample with the device's `time`, in hand at `arrival`, whose values are those of the one before
  /// or not.
  package mutating func judge(time: Timestamp, arrival: Timestamp, isRepeat: Bool = false) -> Verdict {
    guard let last else {
      self.last = (time, arrival)
      return .next(missing: 0)
    }
    let interval = time.seconds(since: last.time)
    // In a batch a coarse sensor at rest may well show a value twice.
    if interval == 0, !isRepeat || batch > 1 || usual > 1 {
      batch += 1
      return .next(missing: 0)
    }
    if interval == 0 {
      duplicates += 1
      return .duplicate
    }
    if interval < 0 {
      reversals += 1
      reversedInSequence += 1
      guard reversedInSequence >= Self.reversalsBeforeStep || interval < -Self.largestMismatch else {
        return .reversed
      }
      return step(to: time, arrival)
    }
    if interval - arrival.seconds(since: last.arrival) > Self.largestMismatch {
      return step(to: time, arrival)
    }
    reversedInSequence = 0
    self.last = (time, arrival)
    defer { (usual, batch) = (batch, 1) }
    return .next(missing: missing(in: interval))
  }

  private mutating func step(to time: Timestamp, _ arrival: Timestamp) -> Verdict {
    reversedInSequence = 0
    (usual, batch) = (batch, 1)
    last = (time, arrival)
    return .stepped
  }

  /// Samples that should have come within `interval`, in which a batch as large as the one before is none;
  /// with a jitter of half a period none is missed.
  private mutating func missing(in interval: Double) -> Int {
    let batch = Double(batch)
    defer { learn(interval / batch) }
    guard let period, interval > 1.6 * period * batch else { return 0 }
    return Int(min(max((interval / period).rounded() - batch, 0), 1_000_000))
  }

  private mutating func learn(_ interval: Double) {
    intervals.append(interval)
    guard intervals.count == Self.memory else { return }
    period = intervals.sorted()[Self.memory / 2]
    intervals.removeAll(keepingCapacity: true)
  }
}
