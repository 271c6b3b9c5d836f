/// For how long something has held without a break.
package struct DwellTimer: Sendable {
  /// s.
  package private(set) var seconds = 0.0

  package init() {}

  /// Takes whether it held for `elapsed` seconds more.
  @inline(__always) package mutating func update(_ holds: Bool, elapsed: Double) {
    seconds = holds ? seconds + elapsed : 0
  }
}
