import CLibrary
import Locks

/// A source's one thread: started once, told to stop, waited for no longer than allowed.
package final class ReaderThread: Sendable {
  private let name: String
  private let stop: StopSignal
  private let ended: StopSignal
  private let isStarted = Atomic<Bool>(false)

  /// A thread of that name (the system keeps 15 bytes of it), not started yet.
  package init(name: String) throws(SourceError) {
    self.name = name
    stop = try StopSignal()
    ended = try StopSignal()
  }

  deinit { stop.set() }

  /// Runs `body` on the thread; a second call does nothing. `body` watches the signal and
  /// returns soon after it is set.
  package func start(_ body: @escaping @Sendable (StopSignal) -> Void) throws(SourceError) {
    guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let failure = PlainThread.start { [name, stop, ended] in
      setName(name)
      blockBrokenPipes()
      body(stop)
      ended.set()
    }
    guard failure == 0 else {
      ended.set()
      throw .system(call: "pthread_create", reason: SystemError.text(failure))
    }
  }

  /// Tells the thread to stop and waits for at most `seconds`. Returns whether it has ended; if not,
  /// it ends by itself later.
  @discardableResult package func stop(within seconds: Double) -> Bool {
    stop.set()
    guard isStarted.load(ordering: .acquiring) else { return true }
    return ended.wait(atMost: seconds) == .stopped
  }
}

/// A write to a connection that the other side has closed then fails, and does not end the process: libiio
/// writes without `MSG_NOSIGNAL`, and whoever uses this library may not ignore SIGPIPE.
private func blockBrokenPipes() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Shows the thread under that name in `top -H` and debuggers.
private func setName(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  var name = name
  _ = name.withUTF8 { write(file, $0.baseAddress, min($0.count, 15)) }
  close(file)
}
