#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The monotonic clock, and what reading it costs: that cost is part of every reading and is taken off again.
struct Stopwatch {
  /// Median difference of two readings with nothing between them, in nanoseconds.
  let overhead: Int

  /// Measures the clock itself, warm.
  init() {
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
  @inline(__always) static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Nanoseconds since `start` without the clock's own cost, never below 0.
  @inline(__always) func elapsed(since start: Int) -> Int { max(0, Stopwatch.now - start - overhead) }
}
