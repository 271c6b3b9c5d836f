import Navigation
import SensorEvents

/// Every clock that samples are stamped by, against the host clock. Pure: it knows what the events tell.
public struct ClockBook: Sendable {
  private struct Receiver: Sendable {
    var source: SourceID
    var clock: ReceiverClock
  }

  /// Samples stamped before a clock was set come for so long after it, s.
  private static let stepOverlap = 5.0

  private let limits: ReceiverClock.Limits
  private(set) var realtime = ClockRelation()
  private(set) var monotonic = ClockRelation()
  private(set) var tai = ClockRelation()
  private var receivers: [Receiver] = []

  /// A book with no entries.
  public init(limits: ReceiverClock.Limits = ReceiverClock.Limits()) {
    self.limits = limits
    receivers.reserveCapacity(8)
  }

  // MARK: Learning

  /// Takes a comparison made by `source` that came at `arrival`.
  public mutating func add(_ comparison: ClockComparison, from source: SourceID, arrival: Timestamp) {
    var (clock, time) = (comparison.clock, comparison.time)
    var (reference, referenceTime) = (comparison.reference, comparison.referenceTime)
    if clock == .host || reference == .receiver {
      (clock, reference) = (reference, clock)
      (time, referenceTime) = (referenceTime, time)
    }
    guard clock != reference else { return }
    guard let host = host(of: referenceTime, on: reference, arrival: arrival) else { return }
    let width = abs(max(comparison.uncertainty, -.max)).clampedPlus(uncertainty(of: reference, at: host) ?? 0)
    switch clock {
    case .host: break
    case .realtime: realtime.add(host: host, clock: time, uncertainty: width)
    case .monotonic: monotonic.add(host: host, clock: time, uncertainty: width)
    case .tai: tai.add(host: host, clock: time, uncertainty: width)
    case .receiver:
      let i = receiver(source)
      if comparison.isPulse {
        receivers[i].clock.addPulse(time, host: host, uncertainty: width)
      } else {
        receivers[i].clock.addMessageStart(time, host: host)
      }
    }
  }

  /// The source was lost: its clock may be another when it comes back.
  public mutating func restart(_ source: SourceID) {
    if let i = receivers.firstIndex(where: { $0.source == source }) { receivers[i].clock.restart() }
  }

  /// Puts a message of a receiver on the host clock, and learns from it.
  public mutating func place(receiverTime: Timestamp, arrival: Timestamp, of source: SourceID)
    -> ReceiverClock.Placing
  {
    receivers[receiver(source)].clock.place(receiverTime, arrival: arrival)
  }

  private mutating func receiver(_ source: SourceID) -> Int {
    if let i = receivers.firstIndex(where: { $0.source == source }) { return i }
    receivers.append(Receiver(source: source, clock: ReceiverClock(limits: limits)))
    return receivers.count - 1
  }

  // MARK: Reading

  /// The relation of one of the host's own clocks.
  public func relation(_ clock: ClockKind) -> ClockRelation? {
    switch clock {
    case .realtime: realtime
    case .monotonic: monotonic
    case .tai: tai
    case .host, .receiver: nil
    }
  }

  /// The clock of a receiver, as far as it is known.
  public func receiverClock(_ source: SourceID) -> ReceiverClock? {
    receivers.first { $0.source == source }?.clock
  }

  private func host(of time: Timestamp, on clock: ClockKind, arrival: Timestamp) -> Timestamp? {
    clock == .host ? time : relation(clock)?.host(time, arrival: arrival)
  }

  private func uncertainty(of clock: ClockKind, at host: Timestamp) -> Int64? {
    clock == .host ? 0 : relation(clock)?.uncertainty(at: host)
  }

  /// The time that the host clock showed when `clock` showed `time`, of a sample that came at `arrival` from
  /// a source whose samples take `delay` seconds, as far as that is known; nil where the clock is not known.
  ///
  /// Just after a clock was set, samples come that were stamped before: of the two times that they could
  /// mean, theirs is the one that fits the delay.
  public func host(
    of time: Timestamp, on clock: ClockKind, arrival: Timestamp, delay: Double?, source: SourceID
  ) -> Timestamp? {
    switch clock {
    case .host: return time
    case .receiver: return receiverClock(source)?.host(time, arrival: arrival)
    case .realtime, .monotonic, .tai:
      guard let relation = relation(clock), let now = relation.host(time, arrival: arrival) else {
        return nil
      }
      guard let before = relation.hostBeforeStep(time, arrival: arrival, within: Self.stepOverlap) else {
        return now
      }
      func misfit(_ host: Timestamp) -> Double { abs(arrival.seconds(since: host) - (delay ?? 0)) }
      return misfit(before) < misfit(now) ? before : now
    }
  }

  /// UTC at `host` on the host clock, by the receiver `source` if it tells, else by the computer's clock.
  public func utc(at host: Timestamp, receiver source: SourceID?) -> UTCReading? {
    if let source, let clock = receiverClock(source), let offset = clock.offset(at: host) {
      return UTCReading(
        time: host.advanced(byNanoseconds: Int64(0).clampedMinus(offset)),
        uncertainty: clock.uncertainty(at: host).map { Double($0) * 1e-9 },
        authority: clock.hasPulse(at: host) ? .pulses : .messages)
    }
    guard let offset = realtime.offset(at: host) else { return nil }
    return UTCReading(
      time: host.advanced(byNanoseconds: Int64(0).clampedMinus(offset)), uncertainty: nil, authority: .system)
  }
}
