import CLibrary
import Locks
import Navigation

/// Tells a thread to stop, and wakes it from its wait.
package final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)
  /// Read by nobody: once it is woken, every wait ends at once.
  private let wakeup: Wakeup

  /// Not set yet; fails where no descriptor is to be had.
  package init() throws(SourceError) {
    guard let wakeup = Wakeup() else { throw .system(call: "pipe", reason: SystemError.text()) }
    self.wakeup = wakeup
  }

  /// Whether it has been set; it stays so.
  package var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Sets it, for good.
  package func set() {
    flag.store(true, ordering: .releasing)
    wakeup.wake()
  }

  /// How a wait ended.
  package enum Waited: Sendable {
    /// The descriptor is ready, or has an error to be read.
    case ready
    /// The time is over.
    case timedOut
    /// The signal was set.
    case stopped
  }

  /// Waits until `descriptor` has one of the `poll` events, for at most `seconds`; without a
  /// descriptor only for the time.
  package func wait(for descriptor: Int32 = -1, events: Int32 = Int32(POLLIN), atMost seconds: Double)
    -> Waited
  {
    let end = HostClock.now().advanced(bySeconds: seconds)
    var descriptors = [
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
    ]
    while !isSet {
      let left = max(0, end.seconds(since: HostClock.now()))
      let count = poll(&descriptors, 2, Int32(min((left * 1e3).rounded(.up), 1e6)))
      if isSet { break }
      if count > 0, descriptors[1].revents != 0 { return .ready }
      if left == 0 { return .timedOut }  // also where poll was only interrupted: the loop ends by the clock
    }
    return .stopped
  }
}
