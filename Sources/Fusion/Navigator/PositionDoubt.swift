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

  /// What is further off than this makes the position doubtful at once, m.
  private static let notable = 50.0
  /// Time over which that is averaged, s.
  private static let shortMemory = 3.0

  private var mean = Vector3.zero, shortMean = Vector3.zero
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
    func square(_ distance: Double) -> Double {
      let beyond = max(0, distance - Self.notable)
      return beyond * beyond
    }
    let horizontal = square(shortMean.horizontalNorm)
    return Vector3(horizontal, horizontal, square(abs(shortMean.z)))
  }

  /// Takes a fix's distance from the solution in NED, `elapsed` seconds after the one before.
  package mutating func add(_ distance: Vector3, isHeightOff: Bool, elapsed: Double) {
    let elapsed = max(elapsed, 0)
    let gain = min(1, elapsed / Self.memory)
    spread += ((distance - mean).horizontalNorm - spread) * gain
    mean += (distance - mean) * gain
    let doubtful = Vector3(distance.x, distance.y, isHeightOff ? distance.z : 0)
    shortMean += (doubtful - shortMean) * min(1, elapsed / Self.shortMemory)
    heightOffFor = isHeightOff ? heightOffFor + min(elapsed, 1) : 0
  }
}
