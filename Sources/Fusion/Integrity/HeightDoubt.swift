import LinearAlgebra

/// Notices that the heights of the fixes agree with one another, but lie further from the solution than any
/// error: the first may have had none, or a floor has changed unseen. No car leaves its height alone, so
/// the place on the map stays.
package struct HeightDoubt: Sendable {
  /// For how long heights have to be impossible, s. [chosen]
  private static let patience = 10.0
  /// From the first of these on a distance makes the height doubtful, from the second on it
  /// counts in full, m. [chosen]
  private static let notable = 30.0, doubtful = 60.0
  /// Time over which that is averaged, s. [chosen]
  private static let memory = 3.0

  private var mean = 0.0, last = 0.0, off = DwellTimer()

  package init() {}

  /// Whether the heights have been impossible for long.
  package var isCertain: Bool { off.seconds > Self.patience }

  /// What the accuracy of the height has on top while nobody knows who is right, m².
  package var variance: Double {
    // Neither one fix that is off, nor what was off and is no more.
    let distance = min(abs(mean), abs(last))
    let share = min(1, max(0, (distance - Self.notable) / (Self.doubtful - Self.notable)))
    return share * share * distance * distance
  }

  /// Takes how far above or below a height lay, `elapsed` seconds after the one before, m.
  package mutating func add(_ distance: Double, isOff: Bool, elapsed: Double) {
    let elapsed = max(elapsed, 0)
    last = distance
    mean += (last - mean) * min(1, elapsed / Self.memory)
    off.update(isOff, elapsed: min(elapsed, 1))
  }
}
