/// For how long something has held without a break.
package struct DwellTimer: Sendable {
  /// s.
  package private(set) var seconds = 0.0

  package init() {}

  /// What the time between two fixes counts as at most, s.
  /// [chosen: a fix a second, half a second late; of a longer pause nobody knows what held in it]
  private static let longestStep = 1.5

  /// What `elapsed` seconds between two fixes count as, s.
  @inline(__always) static func counted(_ elapsed: Double) -> Double { min(max(elapsed, 0), longestStep) }

  /// Takes whether it held for `elapsed` seconds more.
  @inline(__always) package mutating func update(_ holds: Bool, elapsed: Double) {
    seconds = holds ? seconds + elapsed : 0
  }
}
