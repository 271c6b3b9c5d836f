import Dispatch
import LocationService
import Logging

/// Looks after the service about once a second, and tells systemd that it is alive; a service that hangs is not said to be, and systemd starts
/// it anew.
final class Watch {
  private let timer: any DispatchSourceTimer

  init(_ daemon: LocationDaemon, _ systemd: SystemdNotifier, _ log: Logger) {
    let interval = min(1, (systemd.watchdog ?? 2) / 2)
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "reckond.watch"))
    timer.setEventHandler {
      if daemon.beat() { systemd.notify("WATCHDOG=1") } else { log.error("the host does not go on") }
    }
    timer.schedule(deadline: .now(), repeating: interval)
    timer.activate()
  }

  /// Ends it.
  func cancel() { timer.cancel() }
}
