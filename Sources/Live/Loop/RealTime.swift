import CLibrary
import CScheduler

/// What a thread may ask of the system to be on time. Neither is needed; what is refused
/// is said and done without.
public enum RealTime {
  /// Length of an ordinary thread's turn that needs to run little, but soon, ns: the
  /// shortest that the kernel takes.
  private static let shortTurn: UInt64 = 100_000

  /// Runs `body` with this priority under `SCHED_FIFO`, or with none as a thread of short turns, which the
  /// threads that it starts keep, then goes on as an ordinary thread; so the readers of devices stamp
  /// samples on time as well.
  public static func forThreads<Result>(
    startedAt priority: Int32?, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let priority, askForPriority(priority) == nil else {
      shortenTurns()
      defer { _ = reckon_ask_for_turns(0) }
      return try body()
    }
    defer {
      var ordinary = sched_param()
      pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary)
    }
    return try body()
  }

  /// Lets the calling thread, an ordinary one, run sooner after it has woken where others keep all cores
  /// busy: from Linux 6.12 on a thread of shorter turns comes before those of longer ones, for as much of the
  /// processor as before. Needs no permission; an older kernel takes no notice.
  static func shortenTurns() { _ = reckon_ask_for_turns(shortTurn) }

  /// Lets the calling thread run before all ordinary ones; the reason where that is refused.
  static func askForPriority(_ priority: Int32) -> String? {
    var parameters = sched_param()
    parameters.sched_priority = priority
    let status = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    guard status != 0 else { return nil }
    return
      "no real-time priority (\(SystemError.text(status))): run as root, or allow it with LimitRTPRIO or CAP_SYS_NICE"
  }

  /// Keeps the process's memory from being paged out; the reason where that is refused.
  static func lockMemory() -> String? {
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE)) != 0 else { return nil }
    return
      "memory is not locked (\(SystemError.text())): raise LimitMEMLOCK, or run as root"
  }
}
