import Navigation
import SensorEvents

/// Gives each sample of a device its time.
package struct DeviceTimeline: Sendable {
  /// Where a sample stands in time.
  package struct Place: Sendable, Equatable {
    /// When it was taken.
    package var time: Timestamp
    /// How many samples are missing before it.
    package var missing: Int
  }

  /// The clock of the times that come out.
  package let clock: ClockKind
  /// Samples refused because they were the one before, time and values.
  package var duplicates: Int { sequence.duplicates }
  /// Samples refused because their timestamp was before that of the one before.
  package var reversals: Int { sequence.reversals }

  private let hasForeignClock: Bool
  private let period: Double
  private var sequence: SampleSequence
  private var arrivals = ArrivalClock()
  private var count = 0.0

  /// For timestamps by `clock`, which is this host's or another's (`isShared`), or for
  /// none (nil), at about `rate`.
  package init(clock: ClockKind?, isShared: Bool, rate: Double) {
    hasForeignClock = clock != nil && !isShared
    self.clock = isShared ? clock ?? .host : .host
    period = 1 / rate
    sequence = SampleSequence(rate: rate)
  }

  /// Places a sample with the device's timestamp, or without, in hand at `arrival`, whose values are those of
  /// the one before or not; nil where it is to be refused.
  package mutating func place(timestamp: Timestamp?, arrival: Timestamp, isRepeat: Bool) -> Place? {
    guard let timestamp else { return place(arrival) }
    switch sequence.judge(time: timestamp, arrival: arrival, isRepeat: isRepeat) {
    case .duplicate, .reversed: return nil
    case .stepped:
      arrivals = ArrivalClock()
      return Place(time: hostTime(timestamp, arrival), missing: 0)
    case .next(let missing): return Place(time: hostTime(timestamp, arrival), missing: missing)
    }
  }

  private mutating func hostTime(_ timestamp: Timestamp, _ arrival: Timestamp) -> Timestamp {
    hasForeignClock ? arrivals.reading(device: timestamp.seconds, arrival: arrival).time : timestamp
  }

  private mutating func place(_ arrival: Timestamp) -> Place {
    let reading = arrivals.reading(device: count * period, arrival: arrival)
    count += 1
    return Place(time: reading.time, missing: max(0, Int((reading.jump / period).rounded())))
  }
}
