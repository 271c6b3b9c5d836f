/// For how long the guard has been where the fixes are.
///
/// It is never bound by what a navigator has come to believe. A jump of the fixes puts it in doubt as well:
/// where none has been, and the navigator finds the fixes elsewhere all the same, either they have drifted or
/// it is the navigator that has left. Which of them, how well that knows its place says.
package struct GuardAgreement: Sendable {
  /// Time after which it counts, and what it counts up to, s. [chosen: faults of receivers last 3 to 30 s]
  private static let enough = 30.0, most = 60.0

  /// Seconds of driving with the fixes and without a doubt.
  private var seconds = 0.0
  private var moves = 0

  package init() {}

  /// Whether that is long enough to speak for the fixes.
  package var isFirm: Bool { seconds >= Self.enough }

  /// Takes what the guard made of a fix.
  ///
  /// - Parameters:
  ///   - isAtFixes: whether it believes the fix, and the fixes of late do not lean to one side of it.
  ///   - moves: how often it has gone to another place so far.
  ///   - isStanding: whether the car stands: fixes that drift then take the guard along unnoticed.
  ///   - elapsed: since the fix before, s.
  @inline(__always) package mutating func observe(
    isAtFixes: Bool, moves: Int, isStanding: Bool, elapsed: Double
  ) {
    let step = DwellTimer.counted(elapsed)
    if isAtFixes, moves == self.moves {
      seconds = isStanding ? max(0, seconds - step) : min(seconds + step, Self.most)
    } else {
      seconds = 0
    }
    self.moves = moves
  }
}
