import LinearAlgebra

/// A variance that falls only as far as what it is compared with could have disproved it.
///
/// A sample in which something else of variance d is as well has the part q² = (σ² / (σ² + d))² of the information about
/// σ² that one without has (components of variance by Fisher scoring).
/// Where nothing can be told, because the track follows the fixes, the first guess stays; the likeliest variance goes to
/// nothing there. What was disproved grows back as fast as the likeliest does, up to the first guess.
struct UndisprovedVariance: Sendable {
  private(set) var variance: Double
  /// What was believed at first.
  private let guess: Double
  /// Samples without anything else that the variance is known as well as from.
  private var information: Double

  init(_ variance: Double, information: Double) {
    (self.variance, guess) = (variance, variance)
    self.information = information
  }

  /// Takes the square of an error, clipped as ``ReceiverModel/LearnedVariance`` clips it, as `share` of a sample.
  ///
  /// - Parameters:
  ///   - drift: variance of what else is in the error.
  ///   - memory: samples after which what was learned is forgotten.
  ///   - least: the first guess counts as so many.
  mutating func add(_ square: Double, drift: Double, share: Double, memory: Double, least: Double) {
    let expected = variance + drift + 1e-12
    let excess = min(square, ReceiverModel.LearnedVariance.clip * expected) - expected
    let own = variance / expected
    let told = excess > 0 ? own : own * own
    information = min(information + share * told, max(memory * told, least))
    variance = min(variance + share * told / (information + 1e-9) * excess, guess)
  }
}

/// What the lasting part of a receiver's errors may be for all that was seen, in units of the stated variances.
///
/// The track that fixes are compared with follows them where the receiver states no velocity and the IMU is poor, and shows
/// nothing then: what is likely is no bound.
struct UndisprovedLasting: Sendable {
  private var horizontal: UndisprovedVariance
  private var vertical: UndisprovedVariance

  init(_ guess: ReceiverModel.LearnedVariance) {
    horizontal = .init(guess.horizontal, information: guess.weight)
    vertical = .init(guess.vertical, information: guess.weight)
  }

  /// Takes how far fixes are off the track, with the variances of the track's own drift meanwhile.
  mutating func add(_ off: Vector3, drift: Vector3, share: Double, memory: Double, least: Double) {
    horizontal.add(
      (off.x * off.x + off.y * off.y) / 2, drift: (drift.x + drift.y) / 2, share: share, memory: memory,
      least: least)
    vertical.add(off.z * off.z, drift: drift.z, share: share, memory: memory, least: least)
  }

  /// By how much it may be more than what is likely of it, or than the white part, which is in both.
  func excess(over likely: ReceiverModel.LearnedVariance, white: ReceiverModel.LearnedVariance) -> Vector3 {
    let h = max(0, horizontal.variance - max(likely.horizontal, white.horizontal))
    return Vector3(h, h, max(0, vertical.variance - max(likely.vertical, white.vertical)))
  }

  /// What it may grow to between two fixes, in variances so far and m²: some fixes that state something absurd are no
  /// reason. [chosen]
  private static let growth = 4.0, leastGrowth = 1.0

  /// Variances so far, moved by a part of the way to `excess`, m².
  static func followed(_ unseen: Vector3, _ excess: Vector3, gain: Double, largest: Double) -> Vector3 {
    func next(_ unseen: Double, _ excess: Double) -> Double {
      unseen + (min(excess, growth * unseen + leastGrowth, largest * largest) - unseen) * gain
    }
    return Vector3(next(unseen.x, excess.x), next(unseen.y, excess.y), next(unseen.z, excess.z))
  }
}
