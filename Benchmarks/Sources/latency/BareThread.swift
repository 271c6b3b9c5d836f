import Foundation
import Live
import Measuring
import Synchronization

/// The floor of every hand-over: a thread that does nothing but wait at a pipe for another's word, each
/// 10 ms. What it takes to wake is the system's, whatever runs in it.
final class BareThread: @unchecked Sendable {
  // Sendable unchecked: the readings belong to the waiting thread until it has ended.

  private let pipe: (read: Int32, write: Int32)
  private let isOver = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private var readings = Readings()

  /// Starts it, and who wakes it; both ask for this.
  init(_ priority: Int32?, shortensTurns: Bool) {
    var ends: [Int32] = [-1, -1]
    precondition(Foundation.pipe(&ends) == 0, "there is no pipe left")
    pipe = (ends[0], ends[1])
    readings.beginRepeat()
    RealTime.startThread(priority: priority, shortensTurns: shortensTurns) { [self] in
      var sent = 0
      while read(pipe.read, &sent, 8) == 8, sent > 0 { readings.add(max(0, Stopwatch.now - sent)) }
      hasEnded.signal()
    }
    RealTime.startThread(priority: priority, shortensTurns: shortensTurns) { [self] in
      var next = Stopwatch.now
      while !isOver.load(ordering: .relaxed) {
        next += 10_000_000
        Stopwatch.sleep(until: next)
        var now = Stopwatch.now
        _ = write(pipe.write, &now, 8)
      }
      var end = 0
      _ = write(pipe.write, &end, 8)
    }
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
  }

  /// Ends it; nanoseconds from each word to its being heard.
  func stop() -> Readings {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
    return readings
  }
}
