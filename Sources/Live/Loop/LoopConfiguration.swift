/// How the real-time loop runs.
public struct LoopConfiguration: Sendable {
  /// Solutions a second to subscribers, at least and, but for the newest itself, at most.
  public var outputRate: Double
  /// Statuses a second.
  public var statusRate = 5.0
  /// Events that may wait.
  public var mailboxCapacity = 8192
  /// Priority under `SCHED_FIFO`, 1 to 99; nil for an ordinary thread.
  public var priority: Int32?
  /// Whether an ordinary thread asks for short turns, which come sooner.
  public var shortensTurns = true
  /// Whether the process's memory is kept from being paged out.
  public var locksMemory = false
  /// How many blocks of memory the thread that asks has taken from the heap so far; nil where nobody counts
  /// them. Called on the fusion thread, before and after each batch: it must not block.
  public var allocations: (@Sendable () -> UInt64)?

  /// Priority for the threads that read the sensors, so that samples are stamped on time: before the
  /// loop, which waits for them.
  public var readerPriority: Int32? { priority.map { min($0 + 1, 99) } }

  /// The defaults, with an ordinary thread unless real time is asked for.
  public init(realtime: Bool = false, outputRate: Double = 100) {
    self.outputRate = outputRate
    priority = realtime ? 50 : nil
    locksMemory = realtime
  }
}
