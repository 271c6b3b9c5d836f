// A window's log-likelihood ratio L cannot be taken at its word: its cells are not independent, and the noise
// has larger tails than a normal one's. It is bent to
//   λ(L) = log (1 + exp T (L − L₀)):   little below L₀, where chance peaks are, and of slope T above.
// Which T and L₀ are right shows while the speed is known: their score is the sum of log [posterior(truth)
// / prior(truth)] over the windows, each scored before anything is learned from it.
import CLibrary

/// How log-likelihoods are bent to what they are worth.
package struct LineCurve: Sendable {
  /// Slope where lines are clear.
  package var slope: Double
  /// Log-likelihood from which a line counts.
  package var threshold: Double

  package init(slope: Double, threshold: Double) {
    self.slope = slope
    self.threshold = threshold
  }

  /// Part of a likelihood that is left to chance all the same. [chosen]
  static let chance = 0.05

  /// The likelihood ratio that a log-likelihood stands for.
  @inline(__always) func ratio(_ logLikelihood: Double) -> Double {
    1 + exp(min(slope * (logLikelihood - threshold), 200))
  }
}

/// How far the lines may be believed.
struct LineTrust: Sendable {
  private static let slopes: InlineArray<3, Double> = [0.35, 0.7, 1]
  private static let thresholds: InlineArray<3, Double> = [0, 3, 6]
  /// Standard deviation of the prior that a window is scored with, in steps of the hypotheses: about
  /// 2 % of the speed. [chosen]
  private static let steps = 16.0
  /// Scores fade over this many windows. [chosen]
  private static let memory = 100.0
  private var scores = InlineArray<9, Double>(repeating: 0)
  private(set) var windows = 0
  /// The best curve before the window that is being scored.
  private var chosen = 0

  /// How to take likelihoods.
  var curve: LineCurve { Self.curve(best) }

  /// Scores a window whose true hypothesis is known to be among those of some weight, for one of three
  /// slopes. Gives what the window gains with the curve that was the best before, if it has that slope.
  mutating func add(_ logLikelihoods: LineStrength.LogLikelihoods, truth: HypothesisWeights, slope: Int)
    -> Double?
  {
    if slope == 0 {
      windows += 1
      chosen = best
    }
    var chosenGain: Double?
    var growth = LineStrength.LogLikelihoods(repeating: 0)
    let logLikelihood = logLikelihoods.span
    for j in 0..<LineScan.hypotheses { growth[j] = exp(min(Self.slopes[slope] * logLikelihood[j], 200)) }
    let prior = HypothesisWeights(middle: truth.middle, sigma: Self.steps)
    let (vague, weight) = (prior.weights.span, truth.weights.span)
    for i in 3 * slope..<3 * slope + 3 {
      let curve = Self.curve(i)
      let part = exp(-curve.slope * curve.threshold)
      var (evidence, known) = (0.0, 0.0)
      for j in 0..<LineScan.hypotheses {
        let ratio = 1 + part * growth[j]
        evidence += vague[j] * ratio
        known += weight[j] * ratio
      }
      let gain = log((1 - LineCurve.chance) * known / evidence + LineCurve.chance)
      if i == chosen { chosenGain = gain }
      scores[i] = scores[i] * (1 - 1 / Self.memory) + gain
    }
    return chosenGain
  }

  private var best: Int {
    var best = 0
    for i in 1..<9 where scores[i] > scores[best] { best = i }
    return best
  }

  private static func curve(_ i: Int) -> LineCurve {
    LineCurve(slope: slopes[i / 3], threshold: thresholds[i % 3])
  }
}
