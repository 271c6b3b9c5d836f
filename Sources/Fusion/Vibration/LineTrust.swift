// A window's likelihood is raised to a power T under 1, as its cells are not independent. Which T is right shows while
// the speed is known: the score of T is the sum of log [posterior(truth) / prior(truth)] over the windows, each scored
// before anything is learned from it. With T too large it falls; where there are no lines it falls for every T > 0. The
// exponential of the score is a likelihood ratio against no lines: by Ville's inequality it rises above 1/α with a
// probability under α where there are none.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How far the lines may be believed.
struct LineTrust: Sendable {
  private static let tempers = SIMD4<Double>(0.15, 0.3, 0.5, 0.8)
  /// Standard deviation of the prior that a window is scored with, in steps of the hypotheses: about 1.5 % of the speed.
  private static let steps = 6.0
  /// Scores fade over this many windows.
  private static let memory = 100.0
  /// Logarithm of 1/α, α = 0.5 %: a drive has a few independent tries.
  private static let needed = 5.3

  private var scores = SIMD4<Double>.zero
  private(set) var windows = 0

  /// The best score.
  var score: Double { scores.max() }

  /// The power to raise likelihoods to; nil while nothing shows that they tell the truth.
  var temper: Double? {
    guard score > Self.needed else { return nil }
    var best = 0
    for i in 1..<4 where scores[i] > scores[best] { best = i }
    return Self.tempers[best]
  }

  /// Scores a window whose true hypothesis is known.
  mutating func add(_ logLikelihoods: LineStrength.LogLikelihoods, truth: Int) {
    windows += 1
    scores *= 1 - 1 / Self.memory
    for i in 0..<4 {
      var (evidence, prior) = (0.0, 0.0)
      for j in 0..<LineScan.hypotheses {
        let off = Double(j - truth) / Self.steps
        let weight = exp(-0.5 * off * off)
        prior += weight
        evidence += weight * exp(Self.tempers[i] * (logLikelihoods[j] - logLikelihoods[truth]))
      }
      // As with any likelihood that may be wrong, a tenth is left to chance.
      scores[i] += log(0.9 * prior / evidence + 0.1)
    }
  }
}
