import CLibrary
import LinearAlgebra
import Navigation

/// Where the navigator would be had it believed no fix since some time ago, for a few such times.
///
/// A receiver's fault that grows slowly takes the navigator along, and when it ends the fixes jump: nothing
/// in them says that they jump back. What rate, force and wheels alone have made of the time before the fault
/// does. Such a solution is kept as its separation from the navigator, an error state: it moves as the errors
/// do; a correction by a fix widens it, and any other measurement conditions both. It costs a hundredth of a
/// filter. (Brenner, "Integrated GPS/inertial fault detection availability", on solution separation; Diesel
/// and Luu, "GPS/IRS AIME", on fixes averaged for long.)
package struct UnaidedSolutions: Sendable {
  /// One solution that has believed no fix since `since`.
  private struct Solution: Sendable {
    var since = Timestamp(nanoseconds: 0)
    /// What to add to the navigator's state to have this one's.
    var separation = ErrorState()
    var isUsed = false
    /// How often another has begun anew since.
    var age = 0
    /// Standard deviations of speed, m/s, and course, rad, and what they have made of the
    /// place along and across, m.
    var speedSigma = 0.0, courseSigma = 0.0, along = 0.0, across = 0.0

    /// Where it foresees a fix, from where the navigator does, level, m.
    @inline(__always) var offset: Vector3 {
      let sum = separation[StateBlock.position] + separation[StateBlock.gnssPositionBias]
      return Vector3(sum.x, sum.y, 0)
    }

    /// Variance of where it is, per axis, m², but for the scale that is learned.
    @inline(__always) var unscaledVariance: Double { along * along + across * across }
  }

  /// Solutions side by side: one has to have begun before a fault did, and be young enough to know its place.
  /// [measured by `reckon stress` on 1,500 variants: 3, 6 of them alone: lost for 697, 598 s; on 2,500, with
  /// the spread of each age, 6 that begin anew after 50, 60, 75 s: 1251, 1366, 1259 s]
  private static let count = 6
  /// A solution begins anew at this age, s, one after the other. [chosen: faults of receivers last 3 to 30 s]
  private static let longestAge = 75.0
  /// Standard deviations of what rate and force do unaided: of the acceleration along the way, m/s², and of
  /// the turning about gravity, rad/s. [chosen: 0.1° of pitch; 40 °/h]
  private static let acceleration = 0.02, turning = 2e-4
  /// Bounds of how many times their variance is larger than that, and solutions that the
  /// assumption counts for. [chosen]
  private static let bounds = 0.01...30.0, priorCount = 3.0, memory = 20.0
  /// A square counts up to so many times what it was on the average: a fault that is followed would else be
  /// most of what is known of an age.
  /// [measured by `reckon stress` on 1,500 variants: with 9, 4, 3, 2 lost for 600, 591, 592, 555 s]
  private static let clip = 2.0
  /// Logarithm of the odds at which the fixes are back for certain. [measured by `reckon stress`: 150 to 1]
  static let leastEvidence = 5.0
  /// Standard deviations within which they have to be of where it is.
  /// [measured on 500 burst variants of `reckon stress`, 203001:203020: 2, 3, 5 lost for 370, 357, 412 s]
  private static let gate = 3.0

  /// Separation in variances, with this as the least standard deviation, m, that is more than
  /// chance on any car. [chosen: 3 sigma]
  private static let plainAnomaly = 4.5, leastSpread = 2.0
  /// What counts as chance on this car was exceeded by this part of the largest separations, one whenever a
  /// solution begins anew; each that does raises it by so much, as a logarithm, to this at the most.
  /// [measured by `reckon stress` on 500 variants, 161001:161020: misleading for 303 s where it does not
  /// learn, 353, 358, 389 s with a gain of 0.3, 0.5, 1; 95 % radius over 64 m at errors under 4 m for 5.9,
  /// 3.0, 2.6, 2.1 % of the time. Always 10: 391 s, 3.3 %. 0.02 of them instead of 0.05: 377 and not 363 s,
  /// both with 50 at the most]
  private static let rarity = 0.05, rarityGain = 0.5, largestAnomaly = 20.0
  /// How likely it is then that the navigator is wrong.
  /// [chosen: the 95 % radius reaches where the solution is, and no further]
  static let share = 0.14
  /// A receiver's fault leads no further, m. [chosen]
  private static let farthest = 150.0
  /// Nor faster, m/s. [chosen: as a navigator that goes with the fixes, ``PositionHypotheses``]
  private static let fastest = 8.0

  /// Variance per axis in m² by which an honest 95 % radius is larger: the navigator has gone another way
  /// than one of them by more than that one may be off, and either may be wrong. As of ``weigh()``.
  package private(set) var variance = 0.0
  private var solutions = InlineArray<6, Solution>(repeating: Solution())
  /// Separation in variances that is still chance on this car: what the model of their spread leaves out has
  /// long tails on the one and none on the other.
  private var chance = UnaidedSolutions.plainAnomaly
  /// What the strapdown has done since they were last moved on.
  private var pending = ErrorTransition()
  /// How many times the variance of their separation is larger than assumed at each age, and how many that
  /// was seen of.
  private var scales = InlineArray<6, Double>(repeating: 1)
  private var seen = InlineArray<6, Double>(repeating: UnaidedSolutions.priorCount)

  @inline(__always) mutating func append(_ step: ErrorTransition) { pending.append(step) }

  /// Moves them on to the navigator's time.
  @inline(__always) mutating func settle(speed: Double) {
    let dt = pending.duration
    guard dt > 0 else { return }
    for i in 0..<Self.count where solutions[i].isUsed {
      pending.carry(&solutions[i].separation)
      solutions[i].along += solutions[i].speedSigma * dt
      solutions[i].across += solutions[i].courseSigma * speed * dt
      // A car at rest is felt to be.
      if speed > 0.1 { solutions[i].speedSigma += Self.acceleration * dt }
      solutions[i].courseSigma += Self.turning * dt
    }
    pending = ErrorTransition()
  }

  /// The navigator alone was corrected; ``weigh()`` is due then.
  @inline(__always) mutating func widen(by correction: ErrorState) {
    for i in 0..<Self.count where solutions[i].isUsed { solutions[i].separation -= correction }
  }

  /// The navigator alone was put elsewhere.
  mutating func part(by change: ErrorState) {
    widen(by: change)
    weigh()
  }

  /// Navigator and solutions were conditioned on a measurement, with the same gain.
  @inline(__always) mutating func condition(
    on measurement: Measurement<some Relation>, whitened projection: inout ErrorProjection,
    _ whitening: Matrix3
  ) {
    for i in 0..<Self.count where solutions[i].isUsed {
      let foreseen = measurement.selection.moved(solutions[i].separation.value(of: measurement.links))
      projection.subtractCorrection(
        whitening * foreseen, dimension: measurement.dimension, from: &solutions[i].separation)
    }
    weigh()
  }

  /// Rest or wheels have told the speed, within `sigma`, m/s.
  @inline(__always) mutating func boundSpeed(_ sigma: Double) {
    for i in 0..<Self.count { solutions[i].speedSigma = min(solutions[i].speedSigma, sigma) }
  }

  /// A block of all errors was scaled; ``weigh()`` is due then.
  @inline(__always) mutating func scale(_ block: Int, by factors: Vector3) {
    for i in 0..<Self.count where solutions[i].isUsed {
      solutions[i].separation[block] = solutions[i].separation[block].scaled(by: factors)
    }
  }

  /// Begins anew, but for what was learned.
  mutating func forget() {
    for i in 0..<Self.count { solutions[i].isUsed = false }
    pending = ErrorTransition()
    variance = 0
  }

  /// The receiver's velocity bears the navigator out: a solution that goes another way than any fault of the
  /// receiver's would lead the navigator is wrong itself, and shows how far off they may be.
  mutating func dropRunaways() {
    for i in 0..<Self.count where solutions[i].isUsed {
      guard solutions[i].separation[StateBlock.velocity].horizontalNorm > Self.fastest else { continue }
      learn(from: solutions[i])
      solutions[i].isUsed = false
      weigh()
    }
  }

  /// Lets the oldest begin anew, where it is time.
  ///
  /// - Parameters:
  ///   - velocitySigma: of the navigator's velocity, m/s.
  ///   - courseSigma: of its heading, rad.
  mutating func renew(at time: Timestamp, velocitySigma: Double, courseSigma: Double) {
    var (youngest, next) = (Double.infinity, 0)
    for i in 0..<Self.count {
      if solutions[i].isUsed { youngest = min(youngest, time.seconds(since: solutions[i].since)) }
      if solutions[next].isUsed, !solutions[i].isUsed || solutions[i].since < solutions[next].since {
        next = i
      }
    }
    guard youngest > Self.longestAge / Double(Self.count) else { return }
    learnChance()
    for i in 0..<Self.count where solutions[i].isUsed {
      learn(from: solutions[i])
      solutions[i].age = min(solutions[i].age + 1, Self.count - 1)
    }
    solutions[next] = Solution()
    solutions[next].isUsed = true
    solutions[next].since = time
    (solutions[next].speedSigma, solutions[next].courseSigma) = (velocitySigma, courseSigma)
    weigh()
  }

  /// Variance of where a solution is, per axis, m².
  @inline(__always) private func variance(of solution: Solution) -> Double {
    scales[solution.age] * solution.unscaledVariance
  }

  private mutating func learn(from solution: Solution) {
    let variance = variance(of: solution)
    guard variance > 1 else { return }
    let age = solution.age
    seen[age] = min(seen[age] + 1, Self.memory)
    let ratio = min(solution.offset.squaredNorm / (2 * variance), Self.clip)
    let scale = scales[age] * (1 + (ratio - 1) / seen[age])
    scales[age] = min(max(scale, Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  /// Variance per axis, m², that a separation is measured by.
  @inline(__always) private func chanceVariance(of solution: Solution) -> Double {
    variance(of: solution) + Self.leastSpread * Self.leastSpread
  }

  /// Moves what counts as chance toward the quantile that is ``rarity`` from the top (Robbins and Monro, "A
  /// stochastic approximation method").
  private mutating func learnChance() {
    var largest: Double?
    for i in 0..<Self.count where solutions[i].isUsed {
      largest = max(
        largest ?? 0, solutions[i].offset.squaredNorm / (2 * chanceVariance(of: solutions[i])))
    }
    guard let largest else { return }
    let step = Self.rarityGain * ((largest > chance ? 1 : 0) - Self.rarity)
    chance = min(max(chance * exp(step), Self.plainAnomaly), Self.largestAnomaly)
  }

  /// Works `variance` out anew: it is asked for more often than it changes, and a fix changes it three times.
  mutating func weigh() {
    variance = 0
    for i in 0..<Self.count where solutions[i].isUsed {
      let square = solutions[i].offset.squaredNorm / 2
      let common = chance * chanceVariance(of: solutions[i])
      guard square > common else { continue }
      let odds = Self.share * min(1, square / common - 1)
      variance = max(variance, odds * min(square, Self.farthest * Self.farthest / 2))
    }
  }

  /// The solution that tells where the fixes are better than the navigator does, if there is one.
  ///
  /// Either the navigator is right, and that the fixes have leapt to where the solution is is chance; or it
  /// was led astray, and the solution is off by no more than it may be.
  ///
  /// - Parameters:
  ///   - innovation: of a fix, in NED, m.
  ///   - noise: its variance per axis, m².
  /// - Returns: the logarithm of the odds for it, above 0, and its index.
  ///
  /// Nothing changes; but what is not `mutating` would be copied before it is indexed.
  @inline(__always) package mutating func best(
    at innovation: Vector3, noise: Double
  ) -> (evidence: Double, index: Int)? {
    var best: (evidence: Double, index: Int)?
    for i in 0..<Self.count where solutions[i].isUsed {
      let variance = scales[solutions[i].age] * solutions[i].unscaledVariance + noise
      let evidence = Self.evidence(for: solutions[i].offset, at: innovation, variance: variance)
      guard evidence > best?.evidence ?? 0 else { continue }
      best = (evidence, i)
    }
    return best
  }

  /// Logarithm of the odds that a fix is of a place at this level `offset` from where it was foreseen, m, 0
  /// where it is not; its innovation, m, and the variance of both per axis, m².
  @inline(__always) static func evidence(
    for offset: Vector3, at innovation: Vector3, variance: Double
  ) -> Double {
    let off = Vector3(innovation.x - offset.x, innovation.y - offset.y, 0).squaredNorm
    guard off < gate * gate * variance else { return 0 }
    return (offset.squaredNorm - off) / (2 * variance)
  }

  /// What to add to the navigator's state to have that of the solution of this index.
  package func separation(of index: Int) -> ErrorState { solutions[index].separation }
}
