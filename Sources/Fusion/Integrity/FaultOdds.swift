import LinearAlgebra

/// Log odds of one fault of a sensor against its being sound, the sum of what each step says, from zero up
/// (Page, Biometrika 41, 1954).
///
/// What a step says is bounded: one that neither explains says nothing, and no leap of the fixes convicts.
struct FaultOdds: Sendable {
  /// What a step is off by at most, as half the square in standard deviations.
  /// [chosen: 2.8 of them, and no step is worth a third of what makes certain]
  static let bound = 4.0
  /// What each step takes off the odds.
  /// [chosen: faults are rare; a step that a fault explains as well as the sensor speaks against it]
  private static let rarity = 0.3
  /// Odds at which it is certain: four steps at least. Tried were, on 17 and 25 drives, jumps and drifts of
  /// 15 to 120 m in 3 to 30 s every 90 s, some with fixes that wander by 3 to 15 m and velocities up to 1.5 s
  /// late.
  /// [measured on sound sensors: at most 12.1 in 572 trials of a velocity, 10.5 in 630 of a yaw rate]
  private static let certain = 14.0
  /// By how much a receiver's velocity may be late, or early, s.
  /// [chosen: a phone's is 1.2 s late]
  private static let lags = -0.5...2.0

  private var odds = 0.0

  var isCertain: Bool { odds > Self.certain }

  /// Takes what a step is off by where the sensor is sound, and where it has the fault.
  @inline(__always) mutating func add(sound: Double, faulty: Double) {
    odds = max(0, odds + min(sound, Self.bound) - min(faulty, Self.bound) - Self.rarity)
  }

  /// Square of what is left of `off` where the velocity is late, with the `change` over the step of what is.
  static func square(of off: Vector3, late change: Vector3) -> Double {
    let lag = off.dot(change) / max(change.squaredNorm, .leastNormalMagnitude)
    return (off - change * min(max(lag, lags.lowerBound), lags.upperBound)).squaredNorm
  }
}
