import Navigation
import SensorEvents

/// Compares the computer's clocks with the host clock once a second, and at once where one of them has been
/// set: samples that are stamped by it are at hand at the same time.
struct ClockWatch: Sendable {
  private static let kinds: [ClockKind] = [.realtime, .monotonic, .tai]
  /// Seconds between comparisons.
  private static let interval = 1.0
  /// A change of the offset that is no slewing and no error of reading, ns.
  private static let step: Int64 = 1_000_000

  private let clock: LoopClock
  private var last: Timestamp?
  private var offsets: [Int64] = Self.kinds.map { _ in .min }

  init(clock: LoopClock) { self.clock = clock }

  /// Calls `post` with the comparisons that are due at `now`.
  mutating func look(at now: Timestamp, post: (SensorEvent) -> Void) {
    let isDue = last.map { now.seconds(since: $0) >= Self.interval } ?? true
    for i in Self.kinds.indices {
      let offset = clock.now().nanoseconds(since: clock.read(Self.kinds[i]))
      let moved = abs(max(-.max, offset.clampedMinus(offsets[i]))) > Self.step
      guard isDue || moved else { continue }
      let comparison = clock.compare(Self.kinds[i])
      // A pause between the two readings is no step.
      guard isDue || comparison.uncertainty < Self.step / 4 else { continue }
      offsets[i] = comparison.referenceTime.nanoseconds(since: comparison.time)
      post(SensorEvent(source: .loop, arrival: now, content: .clocks(comparison)))
    }
    if isDue { last = now }
  }
}

extension SourceID {
  /// The loop itself, which compares the computer's clocks.
  public static let loop = SourceID(255)
}
