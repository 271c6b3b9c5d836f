import CLibrary
import Fusion
import Locks
import SensorEvents

/// The one thread that owns a ``LiveEngine``: it takes what is in the mailbox, steps the engine, and says
/// where the car is, so many times a second whatever comes, and as soon as it is known at all.
///
/// A plain thread: handing a sample to a task or an actor was seen to take up to 1.9 s with all cores busy, a
/// mailbox with a condition 0.2 to 20 ms.
public final class FusionThread: @unchecked Sendable {
  // Sendable unchecked: what changes after `init` is behind a lock or an atomic, or belongs to the thread.

  /// Gets every batch in the order in which the engine took it, and the engine as it is after it, on the
  /// fusion thread: it must not block.
  public typealias Tap = @Sendable (_ batch: [SensorEvent], _ engine: LiveEngine) -> Void
  /// Gets solutions on the fusion thread: it must not block.
  public typealias Subscriber = @Sendable (LiveOutput) -> Void

  /// Where the readers put their events.
  public let mailbox: Mailbox
  private let loop: LoopConfiguration
  private let clock: LoopClock
  private let tap: Tap?
  private let output = Newest<LiveOutput>()
  private let state = Newest<LiveStatus>()
  private let subscribers = Mutex<Subscribers>(Subscribers())
  private let remarks = Mutex<[String]>([])
  private let finished = Newest<LiveEngine>()
  private let isStarted = Atomic(false)
  private let isOver = Atomic(false)

  private struct Subscribers: Sendable {
    var list: [(id: Int, call: Subscriber)] = []
    var next = 0
  }

  /// The engine, until the thread takes it.
  private var engine: LiveEngine

  /// A loop about `engine`; `tap` gets every batch of events that it took.
  public init(
    engine: LiveEngine, loop: LoopConfiguration = LoopConfiguration(), clock: LoopClock = .system,
    tap: Tap? = nil
  ) {
    self.engine = engine
    self.loop = loop
    self.clock = clock
    self.tap = tap
    mailbox = Mailbox(capacity: loop.mailboxCapacity)
  }

  /// Starts the thread; a second call does nothing. False where the system has no thread left.
  @discardableResult
  public func start() -> Bool {
    guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return true }
    // It brings all memory in, which was seen to take 0.2 s: before there are samples to wait for it.
    if loop.locksMemory { note(RealTime.lockMemory()) }
    // Engines are passed by value here and there, in debug builds in many copies.
    guard PlainThread.start(stackSize: 8 << 20, { [self] in run() }) == 0 else {
      isStarted.store(false, ordering: .releasing)
      return false
    }
    return true
  }

  /// Ends the thread once it has taken what is in the mailbox, and gives back the engine.
  ///
  /// - Returns: the engine as it was at the end; nil where the thread did not end within `seconds`.
  public func stop(within seconds: Double = 2) -> LiveEngine? {
    mailbox.close()
    guard isStarted.load(ordering: .acquiring) else { return engine }
    let until = LoopClock.system.now().advanced(bySeconds: seconds)
    while !isOver.load(ordering: .acquiring) {
      guard LoopClock.system.now() < until else { return nil }
      usleep(500)
    }
    return finished.load()
  }

  // MARK: What it says

  /// The newest solution; nil before the loop has run once.
  public var newest: LiveOutput? { output.load() }
  /// The newest status; nil before the loop has run once.
  public var status: LiveStatus? { state.load() }
  /// What the system refused, for people.
  public var messages: [String] { remarks.withLock { $0 } }

  /// Calls `call` with solutions from now on; the number is for ``unsubscribe(_:)``.
  public func subscribe(_ call: @escaping Subscriber) -> Int {
    subscribers.withLock {
      $0.next += 1
      $0.list.append(($0.next, call))
      return $0.next
    }
  }

  /// Ends a subscription.
  public func unsubscribe(_ id: Int) {
    subscribers.withLock { $0.list.removeAll { $0.id == id } }
  }

  // MARK: The thread

  private func run() {
    if loop.shortensTurns { RealTime.shortenTurns() }
    if let priority = loop.priority { note(RealTime.askForPriority(priority)) }
    var watch = ClockWatch(clock: clock)
    var batch: [SensorEvent] = []
    batch.reserveCapacity(loop.mailboxCapacity + 8)
    var due = Ticks(rate: loop.outputRate)
    var statusDue = Ticks(rate: loop.statusRate)
    var (isOpen, hasSolution) = (true, false)
    var allocations: UInt64 = 0
    while isOpen {
      batch.removeAll(keepingCapacity: true)
      isOpen = mailbox.drain(into: &batch, waiting: due.remaining(at: clock.now()))
      let now = clock.now()
      BatchOrder.sort(&batch)
      // Before the samples that they are needed for.
      watch.look(at: now) { batch.insert($0, at: 0) }
      let before = loop.allocations?() ?? 0
      for event in batch { engine.process(event) }
      allocations += (loop.allocations?() ?? before) - before
      if !batch.isEmpty { tap?(batch, engine) }
      publish(due: &due, hasSolution: &hasSolution)
      if statusDue.isDue(at: now) { store(engine.status(at: now), allocations) }
    }
    store(engine.status(at: clock.now()), allocations)
    finished.store(engine)
    isOver.store(true, ordering: .releasing)
  }

  private func store(_ status: LiveStatus, _ allocations: UInt64) {
    var status = status
    if loop.allocations != nil { status.allocations = allocations }
    state.store(status)
  }

  private func publish(due: inout Ticks, hasSolution: inout Bool) {
    let time = clock.now()
    let newest = LiveOutput(
      time: time, utc: engine.utc(at: time), solution: engine.solution(at: time),
      newestArrival: engine.newestArrival)
    let isFirst = newest.solution != nil && !hasSolution
    hasSolution = newest.solution != nil
    output.store(newest)
    guard due.isDue(at: time) || isFirst else { return }
    // One who subscribes just now, and is held up in it, must not hold up this thread.
    _ = subscribers.withLockIfAvailable { for subscriber in $0.list { subscriber.call(newest) } }
  }

  private func note(_ refusal: String?) {
    if let refusal { remarks.withLock { $0.append(refusal) } }
  }
}
