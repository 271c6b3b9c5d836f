import CLibrary
import Navigation
import SensorEvents

/// Events on their way from the readers' threads to the fusion thread: bounded, in order, and
/// nothing lost in silence.
///
/// Each source may fill its share only. What does not fit is counted, and said in its place as
/// `.lost` once there is room.
public final class Mailbox: @unchecked Sendable {
  // Sendable unchecked: all that changes is behind `mutex`.

  /// Room kept for states, which must not be lost among samples.
  private static let reserve = 64

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let capacity: Int
  private let share: Int
  /// Room for all is reserved and not touched: memory is taken by those that have ever waited together.
  private var events: [SensorEvent] = []
  /// By source: events that wait, lost since the last `.lost`, and lost at all.
  private var waiting = [Int](repeating: 0, count: 256)
  private var pending = [Int](repeating: 0, count: 256)
  private var overflow = [Int](repeating: 0, count: 256)
  private var isClosed = false

  /// A mailbox for `capacity` events, of which one source may have half.
  public init(capacity: Int = 8192) {
    precondition(capacity >= 4 * Self.reserve, "a mailbox needs room for states beside samples")
    self.capacity = capacity
    share = (capacity - Self.reserve) / 2
    events.reserveCapacity(capacity)
    var mutexKind = pthread_mutexattr_t()
    pthread_mutexattr_init(&mutexKind)
    // A reader that holds the lock must not keep a real-time fusion thread waiting behind ordinary threads.
    pthread_mutexattr_setprotocol(&mutexKind, Int32(PTHREAD_PRIO_INHERIT))
    pthread_mutex_init(mutex, &mutexKind)
    pthread_mutexattr_destroy(&mutexKind)
    var conditionKind = pthread_condattr_t()
    pthread_condattr_init(&conditionKind)
    pthread_condattr_setclock(&conditionKind, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &conditionKind)
    pthread_condattr_destroy(&conditionKind)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Puts an event in, from any thread. False where there was no room for it, or the mailbox is closed.
  @discardableResult
  public func post(_ event: SensorEvent) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !isClosed else { return false }
    let source = Int(event.source.rawValue)
    guard hasRoom(for: event, needing: pending[source] > 0 ? 2 : 1) else {
      lose(event, of: source)
      return false
    }
    if pending[source] > 0 {
      append(
        SensorEvent(source: event.source, arrival: event.arrival, content: .lost(count: pending[source])))
      pending[source] = 0
    }
    append(event)
    pthread_cond_signal(condition)
    return true
  }

  private func hasRoom(for event: SensorEvent, needing places: Int) -> Bool {
    if case .status = event.content { return events.count + places <= capacity }
    return events.count + places <= capacity - Self.reserve
      && waiting[Int(event.source.rawValue)] + places <= share
  }

  private func lose(_ event: SensorEvent, of source: Int) {
    var items = 1
    if case .lost(let count) = event.content { items = max(0, count) }
    pending[source] += items
    overflow[source] += items
  }

  private func append(_ event: SensorEvent) {
    events.append(event)
    waiting[Int(event.source.rawValue)] += 1
  }

  /// Moves all events to the end of `batch`; where there are none it waits for them, at most `seconds`.
  ///
  /// - Returns: false once the mailbox is closed and empty.
  public func drain(into batch: inout [SensorEvent], waiting seconds: Double) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if events.isEmpty, !isClosed, seconds > 0 { wait(seconds) }
    guard !events.isEmpty else { return !isClosed }
    batch += events
    events.removeAll(keepingCapacity: true)
    // Sources are few; the rest of the list stays at zero.
    for i in waiting.indices { waiting[i] = 0 }
    return true
  }

  /// Once: a wake-up without an event is as good as the end of the time.
  private func wait(_ seconds: Double) {
    let end = SystemClock.nanoseconds(CLOCK_MONOTONIC) + Int64(min(seconds, 3600) * 1e9)
    var until = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    pthread_cond_timedwait(condition, mutex, &until)
  }

  /// Wakes the consumer and takes nothing more.
  public func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// How many items of `source` did not fit so far.
  public func overflow(of source: SourceID) -> Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return overflow[Int(source.rawValue)]
  }
}
