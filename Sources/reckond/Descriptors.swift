import CLibrary

/// The descriptors that the system lets this process have, of which it must never run out: beneath Swift's
/// tasks libdispatch opens files in /proc about once a second, and traps where it cannot.
enum Descriptors {
  /// What the service itself holds at most: about 20, and those of its sensors.
  private static let own = 64

  /// Asks for enough for so many connections: how many there can be.
  static func room(for connections: Int, and others: Int) -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return connections }
    let wanted = rlim_t(own + others + connections)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      _ = setrlimit(files, &limit)
      _ = getrlimit(files, &limit)
    }
    let room = Int(clamping: limit.rlim_cur) - own - others
    return max(1, min(connections, room))
  }
}
