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

  private var mean = Vector3.zero
  private var spread = 0.0, heightSpread = 0.0

  package init() {}

  /// Whether the fixes have been coherent and far off for some time.
  package var isCertain: Bool {
    let distance = mean.horizontalNorm
    return distance > Self.farOff && spread < Self.coherence * distance
  }

  /// The same of the height, which no car leaves alone: the position on the map stays.
  package var isHeightWrong: Bool {
    abs(mean.z) > Self.farOff && heightSpread < Self.coherence * abs(mean.z)
  }

  /// Takes a fix's distance from the solution in NED, `elapsed` seconds after the one before.
  package mutating func add(_ distance: Vector3, elapsed: Double) {
    let gain = min(1, max(elapsed, 0) / Self.memory)
    spread += ((distance - mean).horizontalNorm - spread) * gain
    heightSpread += (abs(distance.z - mean.z) - heightSpread) * gain
    mean += (distance - mean) * gain
  }
}
