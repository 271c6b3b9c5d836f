import Locks
import Navigation

/// The host clock of a loop whose time goes with the events.
final class Now: Sendable {
  /// UTC less the host clock, ns.
  static let utc: Int64 = (1_772_000_000 - 5000) * 1_000_000_000
  private let nanoseconds = Atomic<Int64>(0)

  var time: Timestamp {
    get { Timestamp(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
    set { nanoseconds.store(newValue.nanoseconds, ordering: .relaxed) }
  }
}
