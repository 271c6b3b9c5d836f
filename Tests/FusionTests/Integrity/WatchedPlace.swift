import Fusion

/// Fixes once a second of 2 m, against a navigator that stays where it is believed to be.
struct WatchedPlace {
  var hypotheses = PositionHypotheses()
  var isVelocityBorneOut: Bool?
  var isInertial = false, isStanding = false, isGuardThere = false, isAskew = false
  /// Logarithm of the odds that it would be where the fixes are without them.
  var evidence = 0.0
  /// Variance of that per axis, m².
  var own = 1.0
  /// Where the navigator believes to be, and which fix is the next, s.
  private(set) var believed = Vector3.zero
  private(set) var second = 0.0
  private(set) var moves: [(at: Double, rate: Vector3?)] = []

  /// Takes `count` fixes, each where `place` says at its time.
  @discardableResult mutating func fixes(
    _ count: Int, at place: (Double) -> Vector3
  ) -> [PositionHypotheses.Decision] {
    (0..<count).map { _ in
      let distance = place(second) - believed
      var fix = SightedFix(
        distance, innovation: distance, at: Timestamp(seconds: second), own: Matrix3(scalar: own), white: 4,
        velocitySigma: 0.1, isVelocityBorneOut: isVelocityBorneOut, isInertial: isInertial)
      (fix.evidence, fix.isStanding, fix.isGuardThere) = (evidence, isStanding, isGuardThere)
      fix.isAskew = isAskew
      let decision = hypotheses.judge(fix)
      if case .move(let offset, let rate) = decision {
        believed += offset
        moves.append((second, rate))
      }
      second += 1
      return decision
    }
  }

  @discardableResult mutating func fixes(_ count: Int, at place: Vector3) -> [PositionHypotheses.Decision] {
    fixes(count) { _ in place }
  }

  /// Goes on without fixes.
  mutating func pause(_ seconds: Double) { second += seconds }
}

extension PositionHypotheses.Decision {
  var name: String {
    switch self {
    case .use: "use"
    case .weigh: "weigh"
    case .exclude: "exclude"
    case .move: "move"
    }
  }
}
