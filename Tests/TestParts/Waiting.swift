import CLibrary
import Navigation
import Sensors

/// Waits until `condition` holds, for at most `seconds`, and returns whether it does.
package func becomesTrue(within seconds: Double, _ condition: () -> Bool) -> Bool {
  let end = HostClock.now().advanced(bySeconds: seconds)
  while !condition() {
    if HostClock.now() > end { return false }
    usleep(2000)
  }
  return true
}
