#if !hasFeature(Embedded)
  /// The clocks of the system.
  package enum SystemClock {
    /// What `clock` shows, ns: `CLOCK_REALTIME` UTC since 1970, `CLOCK_MONOTONIC` one that never steps.
    package static func nanoseconds(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      let failed = clock_gettime(clock, &time)
      precondition(failed == 0, "the system has no such clock")
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }
#endif
