import CLibrary

/// What this process takes of the computer, by the names that Prometheus's own clients give it.
enum ProcessUsage {
  static var prometheus: String {
    var text = PrometheusText()
    text.add("cpu_seconds_total", "counter", "seconds of a core, user and system", cpu, prefix: "process_")
    if let resident {
      text.add("resident_memory_bytes", "gauge", "memory in use", resident, prefix: "process_")
    }
    return text.text
  }

  private static var cpu: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// Pages in memory are the second number of /proc/self/statm.
  private static var resident: Double? {
    guard let text = SystemFile.bytes(of: "/proc/self/statm") else { return nil }
    let words = text.split(separator: UInt8(ascii: " "))
    guard words.count > 1, let pages = Double(String(decoding: words[1], as: UTF8.self)) else { return nil }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }
}
