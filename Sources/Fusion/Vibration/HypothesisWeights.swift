#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is known of the hypotheses' truth before a window is looked at: normal weights of sum 1.
struct HypothesisWeights: Sendable {
  /// The likeliest, in steps; it may lie between two.
  let middle: Double
  private var weights = LineStrength.LogLikelihoods(repeating: 0)

  /// Weights of a standard deviation of `sigma` steps, at least half a step.
  init(middle: Double, sigma: Double) {
    self.middle = middle
    let sigma = max(sigma, 0.5)
    var sum = 0.0
    for j in 0..<LineScan.hypotheses {
      let off = (Double(j) - middle) / sigma
      weights[j] = exp(-0.5 * off * off)
      sum += weights[j]
    }
    for j in 0..<LineScan.hypotheses { weights[j] /= sum }
  }

  subscript(_ j: Int) -> Double { weights[j] }
}
