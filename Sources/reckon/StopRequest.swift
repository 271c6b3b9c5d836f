import ArgumentParser
import CLibrary
import Locks

/// Whether the user or the system has asked the command to end: SIGINT, SIGTERM or SIGHUP. A
/// second one ends it at once.
enum StopRequest {
  private static let signal = Atomic<Int32>(0)

  /// Takes the signals from now on; a reader of standard output that goes away is
  /// seen as an error of writing.
  static func watch() {
    // Made before a signal can come: a handler may not.
    signal.store(0, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in StopRequest.signal.store(number, ordering: .relaxed) }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    // Whoever started the command may have blocked them, and a blocked signal is inherited.
    var taken = sigset_t()
    sigemptyset(&taken)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      sigaction(number, &action, nil)
      sigaddset(&taken, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    var ignore = sigaction()
    ignore.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGPIPE, &ignore, nil)
  }

  /// Where one has come, ends work that leaves nothing behind, and the program as a shell
  /// sees that a signal ended it.
  static func check() throws(ExitCode) {
    if isMade { throw ExitCode(128 + signal.load(ordering: .relaxed)) }
  }

  /// Whether one has come.
  static var isMade: Bool { signal.load(ordering: .relaxed) != 0 }
}
