#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The monotonic clock, and what reading it costs: that cost is part of every reading and is taken off again.
package struct Stopwatch {
  /// Median difference of two readings with nothing between them, in nanoseconds.
  package let overhead: Int

  /// Measures the clock itself, warm.
  package init() {
    let pairs = 200_000
    var differences = [Int]()
    differences.reserveCapacity(pairs)
    for _ in 0..<pairs {
      let start = Stopwatch.now
      differences.append(Stopwatch.now - start)
    }
    overhead = Distribution(differences[(pairs / 2)...]).p50
  }

  /// Nanoseconds since an origin of the system's choice.
  @inline(__always) package static var now: Int { read(CLOCK_MONOTONIC) }

  /// Nanoseconds that the process has had of all cores.
  package static var cpu: Int { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// Sleeps until the monotonic clock shows `nanoseconds`.
  package static func sleep(until nanoseconds: Int) {
    var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    #if os(Linux)
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    #else
      let left = max(0, nanoseconds - now)
      time = timespec(tv_sec: left / 1_000_000_000, tv_nsec: left % 1_000_000_000)
      nanosleep(&time, nil)
    #endif
  }

  /// Nanoseconds since `start` without the clock's own cost, never below 0.
  @inline(__always) package func elapsed(since start: Int) -> Int {
    Swift.max(0, Stopwatch.now - start - overhead)
  }

  @inline(__always) private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
