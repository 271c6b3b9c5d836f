import Navigation

/// UTC by one receiver against the host clock: by its pulses where they come, else by the
/// arrival of its messages.
///
/// A receiver may set its own clock: leap seconds once its almanac is in, 1024 weeks, or anything when it
/// starts anew. Where messages come on in their rhythm and only the time in them leaps, the leap is taken
/// over at once. Any other is believed once several messages bear it out; until then they are refused rather
/// than put at a wrong time.
public struct ReceiverClock: Sendable {
  /// What is known of receivers beforehand.
  public struct Limits: Sendable {
    /// Time from validity to arrival of the fastest messages, s, where no pulse tells: 60 ms
    /// measured on one drive, 110 and 120 ms for u-blox M8 in PX4 and ArduPilot, and gpsd reports an
    /// epoch when it has come whole.
    public var leastDelay = 0.1
    /// Bound of the error of that, s.
    public var leastDelayError = 0.06
    /// A pulse of this age still tells the time, s.
    public var longestPulseAge = 600.0
    /// A message that is this much early, s, comes by another time than the one learned.
    public var early = 0.5
    /// The same for one that is late, s: so long some wait in a buffer.
    public var late = 0.7
    /// So many such messages in a row that agree to within `agreement` seconds are
    /// believed, if early or late.
    public var fewestEarly = 3, fewestLate = 5
    /// See `fewestEarly`.
    public var agreement = 0.3
    /// A leap of the receiver's time within its rhythm, s: the rhythm itself is irregular by less.
    public var leap = 0.4

    /// The defaults.
    public init() {}
  }

  /// What a message's time came to.
  public enum Placing: Sendable, Equatable {
    /// It held at this time on the host clock.
    case at(Timestamp)
    /// Its time contradicts what the receiver told before.
    case contradicted
  }

  private let limits: Limits
  private var envelope = ArrivalEnvelope()
  private var pulses = Self.noPulses
  private var last: (time: Timestamp, arrival: Timestamp)?
  private var rhythm: Double?
  /// Messages have been held up and come in a bunch.
  private var isStalled = false
  /// The newest one came in a bunch with the one before.
  private var isBunched = false
  private var suspect: (difference: Int64, count: Int)?
  private var lastSeen: Timestamp?
  private var isRestarted = false
  /// How often its time leapt.
  public private(set) var jumps = 0

  /// A clock that nothing is known of yet.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Seconds that the host clock gains on the receiver's in a second.
  public var drift: Double { pulses.isKnown ? pulses.drift : envelope.drift }

  /// The receiver was lost or started anew: its time may be another.
  public mutating func restart() {
    isRestarted = true
    last = nil
    rhythm = nil
  }

  /// Takes a pulse of the receiver: it was `time` at `host` on the host clock, within
  /// `uncertainty` nanoseconds.
  public mutating func addPulse(_ time: Timestamp, host: Timestamp, uncertainty: Int64) {
    // A pulse that is put to the wrong second is off by a whole one; messages come within one after theirs.
    if let least = envelope.difference(at: host), envelope.count > 2 {
      let ahead = Double(least.clampedMinus(host.nanoseconds(since: time))) * 1e-9
      guard ahead > -0.05, ahead < 0.95 else { return }
    }
    pulses.add(host: host, clock: time, uncertainty: uncertainty)
  }

  /// Takes a comparison that is made by the arrival of a message's first byte.
  public mutating func addMessageStart(_ time: Timestamp, host: Timestamp) {
    let difference = host.nanoseconds(since: time)
    if let least = envelope.difference(at: host) {
      guard abs(Double(difference.clampedMinus(least))) * 1e-9 < limits.early else { return }
    }
    envelope.add(arrival: host, difference: difference)
  }

  /// Learns from a message that came at `arrival` and tells `time`, and puts it on the host clock.
  public mutating func place(_ time: Timestamp, arrival: Timestamp) -> Placing {
    let difference = arrival.nanoseconds(since: time)
    follow(time, arrival: arrival)
    guard let excess = excess(difference, arrival) else {
      accept(difference, arrival)
      return placed(time, arrival)
    }
    guard excess > -limits.early, excess < limits.late else {
      return placeSuspect(time, arrival: arrival, difference: difference, isEarly: excess < 0)
    }
    suspect = nil
    isStalled = false
    accept(difference, arrival)
    return placed(time, arrival)
  }

  /// Seconds by which a message comes later than the fastest.
  private func excess(_ difference: Int64, _ arrival: Timestamp) -> Double? {
    envelope.difference(at: arrival).map { Double(difference.clampedMinus($0)) * 1e-9 }
  }

  private mutating func accept(_ difference: Int64, _ arrival: Timestamp) {
    envelope.add(arrival: arrival, difference: difference)
    lastSeen = arrival
    isRestarted = false
  }

  private func placed(_ time: Timestamp, _ arrival: Timestamp) -> Placing {
    guard let host = host(time, arrival: arrival) else { return .contradicted }
    return .at(min(host, arrival))
  }

  private mutating func placeSuspect(
    _ time: Timestamp, arrival: Timestamp, difference: Int64, isEarly: Bool
  ) -> Placing {
    let agrees = suspect.map { abs(Double($0.difference.clampedMinus(difference))) * 1e-9 < limits.agreement }
    let count = agrees == true ? (suspect?.count ?? 0) + 1 : 1
    // Each of a bunch is less late than the one before, as no clock that was set is.
    if !isEarly, isBunched { return isStalled ? placed(time, arrival) : .contradicted }
    suspect = (difference, count)
    // What was learned from two or three late messages gives way at once, and so does
    // the time before a restart.
    let young = envelope.count < 3 && isEarly
    guard young || count >= (isRestarted ? 2 : isEarly ? limits.fewestEarly : limits.fewestLate) else {
      guard !isEarly, isStalled else { return .contradicted }
      return placed(time, arrival)
    }
    if !young { jumps += 1 }
    suspect = nil
    envelope = ArrivalEnvelope()
    pulses = Self.noPulses
    accept(difference, arrival)
    return placed(time, arrival)
  }

  /// Learns the rhythm of the messages. Where they come in it and the time in them leaps, the
  /// receiver's clock was set.
  private mutating func follow(_ time: Timestamp, arrival: Timestamp) {
    defer { last = (time, arrival) }
    isBunched = false
    guard let last else { return }
    let told = time.seconds(since: last.time)
    let took = arrival.seconds(since: last.arrival)
    isBunched = took < told / 2
    if abs(told - took) < limits.leap, told > 0, told < 10 { rhythm = min(rhythm ?? told, told) }
    guard let rhythm, envelope.count >= 3 else { return }
    if took > rhythm + limits.leap { isStalled = true }
    // A time that is told twice is a fix that is repeated. One that comes too late by
    // itself may have been held up.
    guard told != 0, abs(told - took) > limits.leap, abs(took - rhythm) < 0.15 * rhythm + 0.05,
      let excess = excess(arrival.nanoseconds(since: time), arrival), abs(excess) > limits.leap
    else { return }
    envelope.shift(senderBy: time.nanoseconds(since: last.time.advanced(bySeconds: rhythm)))
    pulses = Self.noPulses
    suspect = nil
    jumps += 1
  }

  private static var noPulses: ClockRelation {
    ClockRelation(limits: .init(drift: 100e-6, measuredDrift: 5e-6, patience: 3))
  }

  // MARK: Reading it

  private func arePulsesFresh(at host: Timestamp) -> Bool {
    guard let seen = pulses.lastSeen else { return false }
    return abs(host.seconds(since: seen)) < limits.longestPulseAge
  }

  /// Host less receiver at `host` on the host clock, ns; nil where nothing is known.
  public func offset(at host: Timestamp) -> Int64? {
    if arePulsesFresh(at: host) { return pulses.offset(at: host) }
    return envelope.difference(at: host)?.clampedMinus(Int64(nanosecondsIn: limits.leastDelay))
  }

  /// Bound of the error of ``offset(at:)``, ns; nil where nothing is known.
  public func uncertainty(at host: Timestamp) -> Int64? {
    if arePulsesFresh(at: host) { return pulses.uncertainty(at: host) }
    guard let lastSeen, offset(at: host) != nil else { return nil }
    // An envelope of few messages may be late by more than the fastest.
    let young = envelope.count < 10 ? 0.1 : 0
    return Int64(
      nanosecondsIn: limits.leastDelayError + young + 100e-6 * max(0, host.seconds(since: lastSeen)))
  }

  /// Whether pulses tell the time.
  public func hasPulse(at host: Timestamp) -> Bool { arePulsesFresh(at: host) }

  /// The host's time when it was `time` by the receiver, of a message that came at `arrival`.
  public func host(_ time: Timestamp, arrival: Timestamp) -> Timestamp? {
    offset(at: arrival).map { time.advanced(byNanoseconds: $0) }
  }
}
