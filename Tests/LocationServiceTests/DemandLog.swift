import CLibrary
import Location
import Locks

/// What a host has said last of the hardware that it needs.
final class DemandLog: Sendable {
  private let last = Mutex<HardwareDemand?>(nil)

  func add(_ demand: HardwareDemand) { last.withLock { $0 = demand } }

  /// Whether that is said within 5 s.
  func waits(for demand: HardwareDemand) -> Bool {
    for _ in 0..<250 {
      if last.withLock({ $0 }) == demand { return true }
      usleep(20_000)
    }
    return false
  }
}
