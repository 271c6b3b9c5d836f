import Locks
import Navigation

/// What the event loop tells other threads of itself.
final class HostGauge: Sendable {
  private let statistics = Mutex(HostStatistics())
  private let engine = Mutex(EngineHealth())
  private let details = Mutex<EngineDetails?>(nil)
  private let beat = Mutex(BootClock.now())
  /// How many fixes wait for the event loop at most.
  private static let mostFixes = 64

  /// When the loop went round last, since boot.
  var lastBeat: Timestamp {
    get { beat.withLock { $0 } }
    set { beat.withLock { $0 = newValue } }
  }

  /// How the engine does, as it was said last.
  var engineHealth: EngineHealth {
    get { engine.withLock { $0 } }
    set { engine.withLock { $0 = newValue } }
  }

  /// Takes the newest details for the live page; fixes that were not fetched yet are added to.
  func add(_ new: EngineDetails) {
    details.withLock { old in
      var new = new
      new.fixes = ((old?.fixes ?? []) + new.fixes).suffix(Self.mostFixes)
      old = new
    }
  }

  /// The details since the last question.
  func takeDetails() -> EngineDetails? {
    details.withLock { value in
      defer { value = nil }
      return value
    }
  }

  /// Sets all but the worst delivery, which counts until it is taken.
  func set(_ count: HostStatistics) {
    statistics.withLock { shared in
      let worst = max(shared.worstDelivery, count.worstDelivery)
      shared = count
      shared.worstDelivery = worst
    }
  }

  /// What has been done; the worst delivery begins anew.
  func take() -> HostStatistics {
    statistics.withLock { value in
      defer { value.worstDelivery = 0 }
      return value
    }
  }
}
