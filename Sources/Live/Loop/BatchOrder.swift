import Navigation
import SensorEvents

/// Puts the events of a batch in order of arrival.
enum BatchOrder {
  /// By insertion: those of one reader come in order, so there is little to do, it takes no memory, and
  /// events of the same arrival stay as they are. None goes further than `reach` places, or a wrong
  /// arrival would cost a second.
  static func sort(_ batch: inout [SensorEvent], reach: Int = 256) {
    guard batch.count > 1 else { return }
    for i in 1..<batch.count {
      var j = i
      while j > 0, i - j < reach, batch[j].arrival < batch[j - 1].arrival {
        batch.swapAt(j, j - 1)
        j -= 1
      }
    }
  }
}
