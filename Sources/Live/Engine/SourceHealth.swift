import Navigation
import SensorEvents

/// How a source is doing, by what it has said and by what its samples show.
public struct SourceHealth: Sendable, Equatable {
  /// Why samples were not used.
  public struct Refusals: Sendable, Equatable {
    /// Stamped well after their arrival.
    public var early = 0
    /// Older than what can still be put in its place.
    public var late = 0
    /// Stamped by a clock that nothing is known of yet, or against what it told before.
    public var untimed = 0
    /// Not a number, or none that can be.
    public var unusable = 0
    /// Of a source beside the one in use.
    public var spare = 0

    /// Those whose times cannot be.
    public var impossible: Int { early + late + untimed }
    /// All of them.
    public var total: Int { early + late + untimed + unusable + spare }
  }

  /// Its number.
  public let id: SourceID
  /// Its name for people.
  public var name: String
  /// What it gives; nil while that is not known.
  public var role: SourceRole?
  /// Its state: what its reader says, and silence.
  public var state = SourceStatus.State.connecting
  /// Why, for people.
  public var message = ""
  /// Samples that came.
  public private(set) var received = 0
  /// Samples that are known to be lost, by its reader and the mailbox.
  public internal(set) var lost = 0
  /// Pauses of more than three times the usual interval, and the longest of them, s.
  public private(set) var gaps = 0, longestGap = 0.0
  /// Samples that were not used.
  public internal(set) var refusals = Refusals()
  /// When anything last came from it, and when a sample did, on the host clock.
  public internal(set) var lastSeen: Timestamp?
  /// See `lastSeen`.
  public private(set) var lastSample: Timestamp?
  /// Seconds from a sample's time to its arrival: lately, and at most.
  public private(set) var delay: Double?, longestDelay = 0.0
  /// In degrees Celsius, where it tells.
  public internal(set) var temperature: Double?
  private var lastTime: Timestamp?
  /// Samples that bear that time, as where a FIFO is read at once.
  private var batch = 1
  private var interval: Double?
  private var intervals = 0
  /// Share of the newest samples whose times cannot be, and how many there were with the last one.
  private var refusedShare = 0.0, refusedBefore = 0
  /// Samples over which that share is taken. [chosen: half a second at 100 Hz]
  private static let refusalMemory = 50

  /// A source that has said nothing yet.
  public init(id: SourceID, name: String, role: SourceRole?) {
    (self.id, self.name, self.role) = (id, name, role)
  }

  /// Samples a second; nil until two have come.
  public var rate: Double? { interval.map { 1 / $0 } }

  /// Whether most of its samples are of late refused for their times, so that it is of no use.
  public var isMostlyRefused: Bool { received >= Self.refusalMemory && refusedShare > 0.5 }

  /// No sample for so long is silence, s: it takes a sensor a few intervals.
  public var longestSilence: Double {
    guard let interval else { return 2 }
    return min(10, max(0.5, 2.5 * interval))
  }

  /// A sample came; one that tells of nothing measured is no sign of streaming.
  mutating func note(arrival: Timestamp, isMeasured: Bool = true) {
    received += 1
    let refused = refusals.impossible
    refusedShare += ((refused > refusedBefore ? 1 : 0) - refusedShare) / Double(Self.refusalMemory)
    refusedBefore = refused
    if lastSample.map({ arrival > $0 }) ?? true { lastSample = arrival }
    guard isMeasured else {
      if state == .connecting { state = .connected }
      return
    }
    if state != .streaming, state != .faulty { (state, message) = (.streaming, "") }
  }

  /// A sample that came at `arrival` was found to hold at `time`.
  mutating func note(time: Timestamp, arrival: Timestamp) {
    let took = arrival.seconds(since: time)
    delay = delay.map { $0 + 0.05 * (took - $0) } ?? took
    longestDelay = max(longestDelay, took)
    guard let last = lastTime else {
      lastTime = time
      return
    }
    let way = time.seconds(since: last)
    guard way >= BatchSpacing.oneStamp else {
      if way >= 0 { batch += 1 }
      return
    }
    let dt = way / Double(batch)
    (lastTime, batch) = (time, 1)
    if let interval, intervals >= 3, dt > 3 * interval {
      gaps += 1
      longestGap = max(longestGap, way)
      // A device that has really become slower is believed after a while.
      intervals = max(3, intervals / 2)
      if dt < 10 * interval { self.interval = interval + 0.02 * (dt - interval) }
      return
    }
    intervals += 1
    interval = interval.map { $0 + max(0.02, 1 / Double(intervals)) * (dt - $0) } ?? dt
  }

  /// What comes next may come in another rhythm, and after a pause that is nobody's fault.
  mutating func forgetRhythm() { (lastTime, batch, interval, intervals) = (nil, 1, nil, 0) }

  /// The health at `now`: one that says that it streams, and does not, is faulty.
  func seen(at now: Timestamp) -> SourceHealth {
    var seen = self
    if state == .streaming, let lastSample {
      let silence = now.seconds(since: lastSample)
      if silence > longestSilence {
        seen.state = .faulty
        seen.message = "nothing for \(Int(silence.rounded())) s"
        if silence < 1 { seen.message = "nothing for half a second" }
      }
    }
    return seen
  }
}
