import CLibrary

/// What is known of the hypotheses' truth before a window is looked at: normal weights of sum 1.
struct HypothesisWeights: Sendable {
  /// The likeliest, in steps; it may lie between two.
  let middle: Double
  private(set) var weights = LineStrength.LogLikelihoods(repeating: 0)

  /// Weights of a standard deviation of `sigma` steps, at least half a step.
  init(middle: Double, sigma: Double) {
    self.middle = middle
    weights = Self.bell(middle: middle, sigma: max(sigma, 0.5))
    var sum = 0.0
    for j in 0..<LineScan.hypotheses { sum += weights[j] }
    for j in 0..<LineScan.hypotheses { weights[j] /= sum }
  }

  /// exp(−½ ((j − middle) / sigma)²) of each hypothesis j.
  ///
  /// From the one next to the middle outward, each is the one before times a ratio that falls by a constant
  /// factor: four exponentials instead of one a hypothesis.
  static func bell(middle: Double, sigma: Double) -> LineStrength.LogLikelihoods {
    var bell = LineStrength.LogLikelihoods(repeating: 0)
    let nearest = min(max(Int(middle.rounded()), 0), LineScan.hypotheses - 1)
    let off = Double(nearest) - middle
    let sharpness = 0.5 / (sigma * sigma)
    let fall = exp(-2 * sharpness)
    bell[nearest] = exp(-sharpness * off * off)
    var ratio = exp(-sharpness * (1 + 2 * off))
    for j in nearest + 1..<LineScan.hypotheses {
      bell[j] = bell[j - 1] * ratio
      ratio *= fall
    }
    ratio = exp(-sharpness * (1 - 2 * off))
    for j in stride(from: nearest - 1, through: 0, by: -1) {
      bell[j] = bell[j + 1] * ratio
      ratio *= fall
    }
    return bell
  }
}
