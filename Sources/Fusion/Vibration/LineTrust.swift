// A window's log-likelihood ratio L cannot be taken at its word: its cells are not independent, and the noise has larger
// tails than a normal one's. It is bent to
//   λ(L) = log (1 + exp T (L − L₀)):   little below L₀, where chance peaks are, and of slope T above.
// Which T and L₀ are right shows while the speed is known: their score is the sum of log [posterior(truth) /
// prior(truth)] over the windows, each scored before anything is learned from it. Where there are no lines it falls for
// all of them. The exponential of the score is a likelihood ratio against no lines, and so is the mean over several: by
// Ville's inequality it rises above 1/α with a probability under α where there are none.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

  /// Part of a likelihood that is left to chance all the same.
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
  /// Standard deviation of the prior that a window is scored with, in steps of the hypotheses: about 2 % of the speed.
  private static let steps = 16.0
  /// Scores fade over this many windows.
  private static let memory = 100.0
  /// Logarithm of 1/α, α = 0.5 %: a drive has a few independent tries.
  private static let needed = 5.3

  private var scores: InlineArray<9, Double>
  private(set) var windows = 0

  /// A trust that starts with the logarithm of a likelihood ratio by which the lines were found.
  init(score: Double) { scores = InlineArray(repeating: score) }

  /// Logarithm of the likelihood ratio of all the windows to no lines.
  var score: Double {
    let best = scores[self.best]
    var sum = 0.0
    for i in 0..<9 { sum += exp(scores[i] - best) }
    return best + log(sum / 9)
  }

  /// How to take likelihoods; nil while nothing shows that they tell the truth.
  var curve: LineCurve? { score > Self.needed ? Self.curve(best) : nil }

  /// Scores a window whose true hypothesis is known to be among those of some weight, for one of three slopes.
  mutating func add(_ logLikelihoods: LineStrength.LogLikelihoods, truth: HypothesisWeights, slope: Int) {
    if slope == 0 { windows += 1 }
    let vague = HypothesisWeights(middle: truth.middle, sigma: Self.steps)
    for i in 3 * slope..<3 * slope + 3 {
      let curve = Self.curve(i)
      var (evidence, known) = (0.0, 0.0)
      for j in 0..<LineScan.hypotheses {
        let ratio = curve.ratio(logLikelihoods[j])
        evidence += vague[j] * ratio
        known += truth[j] * ratio
      }
      let gain = known / evidence
      scores[i] = scores[i] * (1 - 1 / Self.memory) + log((1 - LineCurve.chance) * gain + LineCurve.chance)
    }
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
