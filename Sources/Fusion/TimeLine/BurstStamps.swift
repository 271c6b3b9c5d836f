import Navigation

/// Spaces the IMU's samples evenly where they are stamped in bursts: a driver that empties a FIFO, or a
/// gateway that sends what it has gathered, may stamp all samples of a batch as it reads them.
///
/// The sensor samples evenly, and a stamp may be late and is never early. So each sample is a period after
/// the one before it, but not after its own stamp, and what a batch ends short of its last stamp is made up
/// for: at once where samples were lost, little by little where stamps jitter. A batch that comes late has
/// all samples of that time, or others were lost: it is taken to be as the last such one. Until bursts are
/// clear, and where there are none, stamps stay as they are. Samples come in order of arrival; nothing waits.
package struct BurstStamps: Sendable {
  /// Longest time from one batch to the next, s; what is longer is a gap. [chosen: 25 samples at 50 Hz]
  private static let longest = 0.5
  /// Weight of a step in the mean of steps. [chosen: a few batches]
  private static let weight = 1.0 / 128
  /// Within a batch steps are shorter than so much of their mean, from batch to batch longer than so much.
  /// [chosen: of batches of two a step is twice the mean; jitter to half a period is neither]
  private static let short = 0.5, long = 1.5
  /// Within a batch steps are shorter than this, too, s: a longer one may be a period, and the rest lost.
  /// [chosen: a little less than the period at 400 Hz]
  private static let shortest = 0.0024
  /// Most samples of a batch. [chosen: 0.16 s at 400 Hz]
  private static let most = 64
  /// What a batch says of the period is heard if it is within so much of it.
  /// [chosen: a third of the samples lost]
  private static let steady = 0.5
  /// Bursts are clear after so many seconds of them, and their proof lasts for no more than so many, s.
  /// [chosen: random jitter to five periods and losses to nine of ten, simulated, reach 0.5 s]
  private static let proof = 1.5, memory = 2.0
  /// So many times as fast as by bursts it grows the proof is lost by other batches.
  /// [chosen: two of three batches are to be bursts]
  private static let doubt = 2.0
  /// Weight of a batch in period and size. [chosen: some 16 batches]
  private static let gain = 1.0 / 16
  /// The period that a batch shows counts as off by no more than so much of it.
  /// [chosen: batches that have lost samples are to move it little]
  private static let limit = 0.02
  /// Samples were lost where a batch ends so many periods before its stamp.
  /// [chosen: stamps of who polls the FIFO are late by up to one, and the thread by some ms]
  private static let lost = 2.0
  /// Part of a lesser lag that is made up for at once.
  /// [measured on simulated batches of 10 at 100 Hz, 1 to 5 ms late: 0.7 ms are left, 2 % lost: 4.5 ms]
  private static let leak = 0.25

  /// About how many samples are stamped at once; 0 as long as no bursts have been seen.
  package private(set) var burst = 0
  /// Whether stamps come in bursts.
  private var areProven = false
  /// The newest stamp, and that of the last sample of the batch before.
  private var newest = Timestamp(nanoseconds: .min), end: Timestamp?
  /// Mean of the steps from stamp to stamp, s, and the weight of the next in it.
  /// [chosen: the first is all]
  private var mean = 0.0, nextWeight = 1.0
  /// Samples of this batch so far, and steps among them that are not short.
  private var size = 0, longer = 0
  /// Bursts in a row, and how long they took, s.
  /// [chosen: none at first]
  private var bursts = 0, evidence = 0.0
  /// From sample to sample, s, and samples of a batch.
  /// [chosen: unknown at first]
  private var period = 0.0, usual = 0.0
  /// Whether, when a batch last came late, the samples of that time were lost, and not many at once.
  private var areBatchesLost = false
  /// Where the newest sample was placed, moved on by what of its lag is made up for.
  private var line = Timestamp(nanoseconds: .min)

  package init() {}

  /// When the next sample holds, which is stamped so.
  @inline(__always) package mutating func corrected(_ stamp: Timestamp) -> Timestamp {
    let step = stamp.seconds(since: newest)
    guard step >= 0, step <= Self.longest else { return begin(at: stamp, after: step) }
    mean += (step - mean) * nextWeight
    if nextWeight > Self.weight { nextWeight /= 1 + nextWeight }
    if step > Self.long * mean || size >= Self.most {
      endBatch(step)
    } else if step >= min(Self.short * mean, Self.shortest) {
      longer += 1
    }
    newest = stamp
    size += 1
    return areProven ? placed(stamp) : stamp
  }

  /// The time of a sample: a period after the one before it, or its stamp.
  private mutating func placed(_ stamp: Timestamp) -> Timestamp {
    let next = line.advanced(bySeconds: period)
    line = max(line, min(next, stamp))
    return min(next, stamp)
  }

  /// The same of one after a gap, or of one that comes late.
  @inline(never) private mutating func begin(at stamp: Timestamp, after step: Double) -> Timestamp {
    if step < -Self.longest {
      // The clock went back.
      let known = burst
      self = BurstStamps()
      burst = known
    } else if step < 0 {
      return areProven ? placed(stamp) : stamp
    }
    (newest, end, size, longer) = (stamp, nil, 1, 0)
    guard areProven else { return stamp }
    // As many as ever come at once, the last of them at its stamp.
    line = max(line.advanced(bySeconds: period), stamp.advanced(bySeconds: (1 - usual) * period))
    return line
  }

  /// The newest sample was the last of its batch; the next one was stamped so many seconds later.
  @inline(never) private mutating func endBatch(_ step: Double) {
    if let end { judge(newest.seconds(since: end)) }
    if areProven {
      let lag = newest.seconds(since: line)
      line = lag > Self.lost * period ? newest : line.advanced(bySeconds: Self.leak * lag)
      let way = usual * period
      if areBatchesLost, step > Self.long * way { line = max(line, newest.advanced(bySeconds: step - way)) }
    }
    (end, size, longer) = (newest, 0, 0)
  }

  /// Learns from a batch that took so long, s.
  private mutating func judge(_ duration: Double) {
    let spacing = duration / Double(size)
    let isSteady = bursts == 0 || abs(spacing - period) < Self.steady * period
    let isBurst = 2..<Self.most ~= size && longer == 0 && duration <= Self.longest
    if areProven, duration > Self.long * usual * period { areBatchesLost = !isSteady }
    // After a batch that was lost the next seems long.
    if isBurst, areProven, !isSteady { return }
    guard isBurst, isSteady else {
      evidence -= Self.doubt * min(duration, Self.longest)
      if evidence <= 0 { (areProven, bursts, evidence) = (false, 0, 0) }
      return
    }
    bursts += 1
    evidence = min(Self.memory, evidence + duration)
    let limit = areProven ? Self.limit * period : .infinity
    let gain = max(Self.gain, 1 / Double(bursts))
    period += gain * max(-limit, min(limit, spacing - period))
    usual += gain * (Double(size) - usual)
    if !areProven, evidence >= Self.proof { (areProven, line) = (true, newest) }
    if areProven { burst = Int(usual.rounded()) }
  }
}
