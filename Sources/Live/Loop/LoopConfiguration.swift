/// How the real-time loop runs.
public struct LoopConfiguration: Sendable {
  /// Solutions a second to subscribers, at least and, but for the newest itself, at most.
  public var outputRate = 100.0
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

  /// The defaults: an ordinary thread, 100 Hz.
  public init() {}
}
