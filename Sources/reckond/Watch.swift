import LocationService
import Logging
import ServiceLifecycle

/// Looks after the service about once a second, and tells systemd that it is alive; a service that hangs is not said to be, and systemd starts
/// it anew. Once the start is over, what only that needed is let go.
struct Watch: Service {
  let daemon: LocationDaemon
  let systemd: SystemdNotifier
  let log: Logger

  func run() async throws {
    let interval = Duration.seconds(min(1, (systemd.watchdog ?? 2) / 2))
    try? await cancelWhenGracefulShutdown {
      let start = ContinuousClock.now
      var settled = CodePages.settled[...]
      while true {
        if daemon.beat() { systemd.notify("WATCHDOG=1") } else { log.error("the host does not go on") }
        if let next = settled.first, start.duration(to: .now) > .seconds(next) {
          CodePages.release()
          settled.removeFirst()
        }
        try await Task.sleep(for: interval)
      }
    }
    systemd.notify("STOPPING=1")
  }
}
