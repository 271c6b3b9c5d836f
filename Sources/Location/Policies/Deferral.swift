import Navigation

/// Holds locations back and hands them over in one batch; says once for each call how it ended.
public struct Deferral: Sendable, Equatable {
  /// One thing that comes out.
  public enum Output: Sendable, Equatable {
    /// The locations held, oldest first.
    case deliver([Location])
    /// The call `number` has ended, and why.
    case finished(number: Int64, DeferralReason)
  }

  /// How many locations are held: 10 minutes at 10 Hz. Then the call ends with ``DeferralReason/full``.
  public static let capacity = 6000

  private struct Call: Sendable, Equatable {
    var number: Int64
    var distance: Double
    var deadline: Timestamp
    var traveled = 0.0
  }

  private var call: Call?
  private var held: [Location] = []

  /// Nothing held.
  public init() {}

  /// Whether locations are held back.
  public var isActive: Bool { call != nil }

  /// Begins the call `number`, in place of one that goes on, which ends with ``DeferralReason/replaced``;
  /// what that one held is held on.
  ///
  /// - Parameters:
  ///   - number: of the client's own, by which the end is told.
  ///   - now: time of the call.
  ///   - traveled: metres along the way, infinite for no such limit.
  ///   - timeout: seconds, infinite for no such limit.
  ///   - refusal: why it cannot be; the call then ends at once.
  public mutating func allow(
    number: Int64, untilTraveled traveled: Double, timeout: Double, at now: Timestamp,
    refusal: DeferralReason? = nil
  ) -> [Output] {
    var outputs: [Output] = []
    let isSane = traveled > 0 && timeout > 0
    if let refusal = refusal ?? (isSane ? nil : .invalid) {
      // The call before is replaced all the same: the client can count on one finish a call, in their order.
      outputs = end(.replaced, deliver: true)
      return outputs + [.finished(number: number, refusal)]
    }
    if let call { outputs.append(.finished(number: call.number, .replaced)) }
    call = Call(
      number: number, distance: traveled,
      deadline: timeout.isFinite
        ? now.advanced(bySeconds: timeout) : Timestamp(nanoseconds: .max))
    return outputs
  }

  /// The client calls it off: what is held is delivered.
  public mutating func disallow() -> [Output] { end(.disallowed, deliver: true) }

  /// Drops what is held; the call goes on.
  public mutating func forgetPlaces() { held = [] }

  /// Updates end, by `reason`: what is held is not delivered, because nothing may come after a stop.
  public mutating func stop(_ reason: DeferralReason) -> [Output] { end(reason, deliver: false) }

  /// What to do with a new location: while no call goes on, it is delivered at once.
  public mutating func offer(_ location: Location, at now: Timestamp) -> [Output] {
    guard var call else { return [.deliver([location])] }
    if let last = held.last, location.mode != .stationary {
      call.traveled += location.distance(from: last)
      self.call = call
    }
    held.append(location)
    if call.traveled >= call.distance { return end(.traveled, deliver: true) }
    if now >= call.deadline { return end(.timedOut, deliver: true) }
    return held.count >= Self.capacity ? end(.full, deliver: true) : []
  }

  /// Time goes by, also where no locations come.
  public mutating func tick(at now: Timestamp) -> [Output] {
    guard let call, now >= call.deadline else { return [] }
    return end(.timedOut, deliver: true)
  }

  private mutating func end(_ reason: DeferralReason, deliver: Bool) -> [Output] {
    guard let call else { return [] }
    self.call = nil
    let batch = held
    held = []
    let finish = Output.finished(number: call.number, reason)
    return deliver && !batch.isEmpty ? [.deliver(batch), finish] : [finish]
  }
}
