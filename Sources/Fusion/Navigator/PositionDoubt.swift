import LinearAlgebra

/// Notices that the fixes agree with one another, but lie far from the solution: further, and for longer, than reflected
/// signals put them.
package struct PositionDoubt: Sendable {
  /// Time over which the fixes' distance is averaged, s.
  private static let memory = 10.0
  /// Mean distance in metres that is no multipath any more.
  private static let farOff = 100.0
  /// The fixes agree with one another if they spread by less than this part of their distance.
  private static let coherence = 0.3

  /// From the first of these on a distance makes the position doubtful, from the second on it counts in full, m.
  private static let notable = 30.0, doubtful = 60.0
  /// Time over which that is averaged, s.
  private static let shortMemory = 3.0

  private var mean = Vector3.zero, shortMean = Vector3.zero, last = Vector3.zero
  private var spread = 0.0, heightOffFor = 0.0

  package init() {}

  /// Whether the fixes have been coherent and far off for some time.
  package var isCertain: Bool {
    let distance = mean.horizontalNorm
    return distance > Self.farOff && spread < Self.coherence * distance
  }

  /// Whether the heights have been impossible for as long: no car leaves its height alone, and the place on the map stays.
  package var isHeightWrong: Bool { heightOffFor > Self.memory }

  /// What the accuracy of a position has on top while nobody knows who is right, m².
  package var variance: Vector3 {
    // Neither one fix that is off, nor what was off and is no more.
    func square(_ distance: Double) -> Double {
      let share = min(1, max(0, (distance - Self.notable) / (Self.doubtful - Self.notable)))
      return share * share * distance * distance
    }
    let horizontal = square(min(shortMean.horizontalNorm, last.horizontalNorm))
    return Vector3(horizontal, horizontal, square(min(abs(shortMean.z), abs(last.z))))
  }

  /// Takes a fix's distance from the solution in NED, and what the fix has left of it, `elapsed` seconds after the one before.
  package mutating func add(_ distance: Vector3, left: Vector3, isHeightOff: Bool, elapsed: Double) {
    let elapsed = max(elapsed, 0)
    let gain = min(1, elapsed / Self.memory)
    spread += ((distance - mean).horizontalNorm - spread) * gain
    mean += (distance - mean) * gain
    last = Vector3(left.x, left.y, isHeightOff ? left.z : 0)
    shortMean += (last - shortMean) * min(1, elapsed / Self.shortMemory)
    heightOffFor = isHeightOff ? heightOffFor + min(elapsed, 1) : 0
  }
}
