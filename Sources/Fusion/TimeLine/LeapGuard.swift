import Navigation

/// Keeps a leap of a clock from carrying the engine away: one sample that is stamped far ahead is held
/// until another bears it out, and where samples keep coming from before what the engine holds, it
/// begins anew in their time.
struct LeapGuard: Sendable {
  enum Decision: Sendable {
    /// Nothing strange.
    case take
    /// Wait for another; the sample held before, if any, was stamped wrongly.
    case hold(dropping: SensorSample?)
    /// The gap is real: the sample held comes first.
    case takeAfter(SensorSample)
    /// Too old.
    case refuse
    /// Too old, as all for some time: the engine is ahead of its sensors.
    case beginAnew
  }

  /// A gap of this length is believed of two samples only, s. [chosen]
  private static let leap = 60.0
  /// Samples that are too old over this time, and so many, mean that the clock went back. [chosen]
  private static let patience = 3.0, fewest = 5

  private var held: SensorSample?
  private var firstRefused: Timestamp?
  private var refused = 0
  /// Whether a sample is held, or some were refused.
  private var isAlert = false

  /// Whether there is nothing strange about a sample, nor about those before it: what
  /// mostly holds, told cheaply.
  @inline(__always)
  func isInTime(_ time: Timestamp, newest: Timestamp?, oldest: Timestamp, window: Double) -> Bool {
    guard let newest, !isAlert else { return false }
    let ahead = time.seconds(since: newest)
    return ahead >= -window && time >= oldest && ahead <= Self.leap
  }

  mutating func examine(_ sample: SensorSample, newest: Timestamp?, oldest: Timestamp, window: Double)
    -> Decision
  {
    defer { isAlert = held != nil || refused > 0 }
    let time = sample.time
    guard let newest else { return .take }
    if newest.seconds(since: time) > window || time < oldest { return refuse(time) }
    firstRefused = nil
    refused = 0
    let before = held
    held = nil
    guard time.seconds(since: newest) > Self.leap else { return .take }
    if let before, abs(time.seconds(since: before.time)) < Self.leap { return .takeAfter(before) }
    held = sample
    return .hold(dropping: before)
  }

  private mutating func refuse(_ time: Timestamp) -> Decision {
    refused += 1
    let first = firstRefused ?? time
    firstRefused = first
    guard refused >= Self.fewest, time.seconds(since: first) > Self.patience else { return .refuse }
    self = LeapGuard()
    return .beginAnew
  }
}
