import CLibrary
import Locks
import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReaderThreadTests {
  @Test func itIsToldToStopAndWaitedFor() throws {
    let thread = try ReaderThread(name: "a name that is too long")
    let flag = EndFlag()
    try thread.start { stop in while stop.wait(atMost: 100) != .stopped {} }
    try thread.start { _ in flag.set() }
    let before = HostClock.now()
    #expect(thread.stop(within: 5))
    #expect(HostClock.now().seconds(since: before) < 2)
    #expect(!flag.isSet)
  }

  @Test func oneThatDoesNotEndIsNotWaitedForLongerThanAllowed() throws {
    let thread = try ReaderThread(name: "stubborn")
    try thread.start { _ in usleep(4_000_000) }
    let before = HostClock.now()
    #expect(!thread.stop(within: 0.1))
    #expect(HostClock.now().seconds(since: before) < 3)
    #expect(thread.stop(within: 10))
  }

  @Test func oneThatIsDroppedStops() throws {
    let flag = EndFlag()
    do {
      let thread = try ReaderThread(name: "dropped")
      try thread.start { stop in
        while stop.wait(atMost: 100) != .stopped {}
        flag.set()
      }
    }
    #expect(becomesTrue(within: 5) { flag.isSet })
  }

  /// Not by a write to a closed pipe: that tells nothing once another test of the process ignores the signal.
  @Test func aBrokenPipeDoesNotEndTheProcess() throws {
    let flag = EndFlag()
    let thread = try ReaderThread(name: "writes")
    try thread.start { _ in
      var blocked = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &blocked)
      if sigismember(&blocked, SIGPIPE) == 1 { flag.set() }
    }
    #expect(thread.stop(within: 5))
    #expect(flag.isSet)
    var outside = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &outside)
    #expect(sigismember(&outside, SIGPIPE) == 0)
  }

  @Test func aWaitEndsByTimeByDataAndBySignal() throws {
    let signal = try StopSignal()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let before = HostClock.now()
    #expect(signal.wait(for: ends[0], atMost: 0.05) == .timedOut)
    #expect(HostClock.now().seconds(since: before) >= 0.05)
    _ = write(ends[1], "x", 1)
    #expect(signal.wait(for: ends[0], atMost: 5) == .ready)
    signal.set()
    signal.set()
    #expect(signal.wait(for: ends[0], atMost: 5) == .stopped)
    #expect(signal.isSet)
  }

  private final class EndFlag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}
