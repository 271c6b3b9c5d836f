/// Whether the fixes have left a place that all the time that counts speaks for, and take the guard along.
///
/// That excuses a navigator from which the guard parts, for as long as faults of receivers last. A navigator
/// that goes astray parts from the guard before it finds the fixes elsewhere, but for one that turns away
/// slowly, as after a knock: until the mounting is proven none is excused.
package struct DepartedFixes: Sendable {
  /// Navigator and guard may part for so long before fixes that drift are seen to have left, s.
  /// [chosen: as far off as is another place of ``PositionHypotheses`` they are after 2 s at 4 m/s]
  private static let leavingTime = 2.5
  /// For so long their drift excuses a navigator, s: faults of receivers last 3 to 30 s. Of 2,000 variants of
  /// `reckon stress` with bursts, 213001:213020, 218001:218020, 219001:219020 and 222001:222020, 1,280 s were
  /// lost where it excuses none.
  /// [measured on these: lost for 1,195 s]
  private static let longestFault = 30.0

  /// What navigator and guard are like at a fix.
  package struct Sight: Sendable {
    /// Whether the newest fixes are of another place than the navigator's.
    package let isContested: Bool
    /// Whether they have left one that is borne out, by a navigator whose mounting is proven.
    package let areAway: Bool
    /// Difference of their velocities, m/s.
    package let speed: Double

    package init(isContested: Bool, areAway: Bool, speed: Double) {
      self.isContested = isContested
      self.areAway = areAway
      self.speed = speed
    }
  }

  /// For how long they have been away.
  private var away = DwellTimer()
  /// Whether they have just come back: the guard comes after them.
  package private(set) var areBack = false

  package init() {}

  /// Whether the navigator is excused.
  package var isExcuse: Bool { away.seconds > 0 && away.seconds < Self.longestFault }

  /// Takes what a fix shows, `elapsed` seconds after the one before.
  ///
  /// - Parameter partedFor: how long navigator and guard have been parting, s.
  @inline(__always) package mutating func observe(_ sight: Sight, partedFor: Double, elapsed: Double) {
    let isSlow = sight.speed < PositionHypotheses.fastest
    let isAway = sight.areAway && isSlow && (away.seconds > 0 || partedFor < Self.leavingTime)
    areBack = away.seconds > 0 && !sight.isContested
    away.update(isAway, elapsed: DwellTimer.counted(elapsed))
  }
}
