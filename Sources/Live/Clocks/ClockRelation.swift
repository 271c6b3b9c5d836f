import Navigation

/// How far the host clock is ahead of another clock, by moments at which both were read.
///
/// Each comparison bounds the offset from both sides; between comparisons the bounds widen by the drift that
/// may be. A comparison outside the bounds means that the clock was set: it holds from then on, and the
/// offset before is kept for samples that were stamped earlier. (Intersection of intervals: Marzullo,
/// "Maintaining the Time in a Distributed System", 1983.)
public struct ClockRelation: Sendable, Equatable {
  /// What is known of a clock beforehand.
  public struct Limits: Sendable, Equatable {
    /// Largest rate at which the offset changes, seconds a second, before it has been measured and after.
    public var drift = 100e-6, measuredDrift = 5e-6
    /// So many comparisons in a row have to contradict before the clock is taken to have been set.
    public var patience = 1

    /// The defaults: any quartz, and a comparison that is right.
    public init(drift: Double = 100e-6, measuredDrift: Double = 5e-6, patience: Int = 1) {
      (self.drift, self.measuredDrift, self.patience) = (drift, measuredDrift, patience)
    }
  }

  private struct Point: Sendable, Equatable {
    var host: Timestamp
    /// Host less clock, and half the width of its bounds, ns.
    var offset: Int64
    var uncertainty: Int64
  }

  /// A drift is measured over at least this long, s.
  private static let driftBaseline = 60.0

  private let limits: Limits
  private var newest: Point?
  private var anchor: Point?
  private var earlier: Point?
  private var contradictions = 0
  private var isDriftMeasured = false
  /// Seconds that the offset grows by in a second.
  public private(set) var drift = 0.0
  /// How often the clock was set.
  public private(set) var steps = 0

  /// A relation that nothing is known of yet.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether there has been a comparison.
  public var isKnown: Bool { newest != nil }
  /// When the newest comparison was, on the host clock.
  public var lastSeen: Timestamp? { newest?.host }

  /// Takes a comparison: at `host` on the host clock the other showed `clock`, within
  /// `uncertainty` nanoseconds.
  public mutating func add(host: Timestamp, clock: Timestamp, uncertainty: Int64) {
    let width = max(1, uncertainty == .min ? .max : abs(uncertainty))
    let seen = Point(host: host, offset: host.nanoseconds(since: clock), uncertainty: width)
    guard let newest, let offset = offset(at: host), let bound = self.uncertainty(at: host) else {
      begin(seen)
      return
    }
    // A comparison of before, or one that says nothing, changes nothing.
    guard host > newest.host else { return }
    let off = seen.offset.clampedMinus(offset)
    guard abs(Double(off)) <= Double(bound) + Double(width) + 1000 else {
      contradictions += 1
      guard contradictions >= limits.patience else { return }
      earlier = Point(host: host, offset: offset, uncertainty: bound)
      steps += 1
      begin(seen)
      return
    }
    contradictions = 0
    let low = max(offset.clampedMinus(bound), seen.offset.clampedMinus(width))
    let high = min(offset.clampedPlus(bound), seen.offset.clampedPlus(width))
    // Within the tolerance for rounding the two may just miss each other.
    let half = max(0, high.clampedMinus(low)) / 2
    self.newest = Point(host: host, offset: low.clampedPlus(half), uncertainty: max(1, half))
    measureDrift()
  }

  private mutating func begin(_ point: Point) {
    newest = point
    anchor = point
    contradictions = 0
    isDriftMeasured = false
    drift = 0
  }

  private mutating func measureDrift() {
    guard let newest, let anchor else { return }
    let time = newest.host.seconds(since: anchor.host)
    guard time >= Self.driftBaseline else { return }
    let slope = Double(newest.offset.clampedMinus(anchor.offset)) * 1e-9 / time
    let bounded = max(-limits.drift, min(limits.drift, slope))
    drift = isDriftMeasured ? drift + 0.5 * (bounded - drift) : bounded
    isDriftMeasured = true
    self.anchor = newest
  }

  /// Host less clock at `host` on the host clock, ns; nil where nothing is known.
  public func offset(at host: Timestamp) -> Int64? {
    guard let newest else { return nil }
    return newest.offset.clampedPlus(Int64(nanosecondsIn: drift * host.seconds(since: newest.host)))
  }

  /// Half the width of the bounds of ``offset(at:)``, ns.
  public func uncertainty(at host: Timestamp) -> Int64? {
    guard let newest else { return nil }
    let rate = isDriftMeasured ? limits.measuredDrift : limits.drift
    let growth = Int64(nanosecondsIn: rate * abs(host.seconds(since: newest.host)))
    return newest.uncertainty.clampedPlus(growth)
  }

  /// The time that the host clock showed when the other showed `clock`, by a sample that came at `arrival`.
  public func host(_ clock: Timestamp, arrival: Timestamp) -> Timestamp? {
    offset(at: arrival).map { clock.advanced(byNanoseconds: $0) }
  }

  /// The same by the offset from before the clock was last set; nil where that was more than `seconds` ago.
  public func hostBeforeStep(_ clock: Timestamp, arrival: Timestamp, within seconds: Double) -> Timestamp? {
    guard let earlier, arrival.seconds(since: earlier.host) < seconds else { return nil }
    return clock.advanced(byNanoseconds: earlier.offset)
  }
}
