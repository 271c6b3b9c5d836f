import LocationService
import Logging
import ServiceLifecycle

/// Looks after the service about once a second, and tells systemd that it is alive; a service that hangs is
/// not said to be, and systemd starts it anew.
struct Watch: Service {
  let daemon: LocationDaemon
  let systemd: SystemdNotifier
  let log: Logger

  func run() async throws {
    let interval = Duration.seconds(min(1, (systemd.watchdog ?? 2) / 2))
    try? await cancelWhenGracefulShutdown {
      while true {
        if daemon.beat() { systemd.notify("WATCHDOG=1") } else { log.error("the host does not go on") }
        try await Task.sleep(for: interval)
      }
    }
    systemd.notify("STOPPING=1")
  }
}
