// Where there is only noise, p has an exponential density of mean b; with a line of power r times that of the
// noise, one of mean b (1 + r). But b changes from window to window, and the noise is not white: with 1/b
// from a gamma distribution of shape n = 5 the density falls as (1 + x)^−(n+1), x = p / (n b), and that
// with a line over that without is
//   g_r(x) = [(1 + x) / (1 + x / (1 + r))]^(n+1) / (1 + r),
// never more than (1 + r)^n: no single cell decides. A line is there at times, as road and speed
// will: Σ_s w_s g_{r_s}(x).
import CLibrary

/// How strong the wheels' lines have been in each cell against the noise about them.
package struct LineStrength: Sendable {
  package typealias LogLikelihoods = InlineArray<61, Double>

  /// 1 / (1 + r) of the kinds of windows: no line, and ever stronger ones. [chosen]
  private static let share = SIMD4<Float>(1, 0.5, 0.2, 0.07)
  /// Weights before anything was seen, worth 4.5 windows: mostly nothing. [chosen]
  private static let start = SIMD4<Float>(3, 0.5, 0.5, 0.5)
  /// A larger p is taken for this where the mean of noise is learned. [chosen]
  private static let largest: Float = 12
  /// Hypotheses that are this far off the line see noise only. [chosen]
  private static let clear = 18.0

  /// Counts of the kinds, fading over `memory` windows.
  private var counts = InlineArray<12, SIMD4<Float>>(repeating: LineStrength.start)
  /// Mean p of noise.
  private var noise = InlineArray<12, Float>(repeating: 1)
  private var windows: Float = 4
  /// Windows after which the strengths are forgotten. [chosen]
  private static let memory: Float = 60

  /// Multiplies each hypothesis' likelihood over that of no line by what the cells of one harmonic say.
  mutating func multiply(_ likelihoods: inout LogLikelihoods, by scan: inout LineScan, harmonic: Int) {
    for axis in 0..<LineScan.axes {
      let cell = harmonic * LineScan.axes + axis
      let weights = counts[cell] * Self.share / counts[cell].sum()
      let unit = 1 / (5 * noise[cell])
      scan.forEachFour(axis: axis, harmonic: harmonic) { first, powers in
        let sum = Self.mixture(powers * unit, weights)
        for lane in 0..<min(4, LineScan.hypotheses - first) {
          likelihoods[first + lane] *= Double(sum[lane])
        }
      }
    }
  }

  /// Learns the cells of one harmonic from a window whose true hypothesis is known to be
  /// among those of some weight.
  mutating func learn(
    _ scan: inout LineScan, _ logLikelihoods: LogLikelihoods, truth: HypothesisWeights, harmonic: Int
  ) {
    var posterior = LogLikelihoods(repeating: 0)
    var sum = 0.0
    let (logLikelihood, weight) = (logLikelihoods.span, truth.weights.span)
    for j in 0..<LineScan.hypotheses {
      posterior[j] = weight[j] * exp(min(logLikelihood[j], 200))
      sum += posterior[j]
    }
    for axis in 0..<LineScan.axes {
      let cell = harmonic * LineScan.axes + axis
      let unit = 1 / (5 * noise[cell])
      let joints = counts[cell] * Self.share
      var seen = SIMD4<Float>.zero
      scan.forEachFour(axis: axis, harmonic: harmonic) { first, powers in
        for lane in 0..<min(4, LineScan.hypotheses - first) where posterior[first + lane] > 1e-3 * sum {
          let joint = joints * Self.gains(powers[lane] * unit)
          seen += joint * (Float(posterior[first + lane] / sum) / joint.sum())
        }
      }
      counts[cell] = counts[cell] * (1 - 1 / Self.memory) + seen
    }
    learnNoise(&scan, harmonic: harmonic) { abs(Double($0) - truth.middle) > Self.clear }
  }

  /// Learns the noise alone, from the hypotheses that see no line.
  @inline(__always)
  mutating func learnNoise(_ scan: inout LineScan, harmonic: Int, where isClear: (Int) -> Bool) {
    // Once a window: with its first harmonic.
    if harmonic == 0 { windows = min(windows + 1, Self.memory) }
    for axis in 0..<LineScan.axes {
      let cell = harmonic * LineScan.axes + axis
      var (sum, count): (Float, Float) = (0, 0)
      scan.forEachFour(axis: axis, harmonic: harmonic) { first, powers in
        for lane in 0..<min(4, LineScan.hypotheses - first) where isClear(first + lane) {
          sum += min(powers[lane], Self.largest)
          count += 1
        }
      }
      guard count > 0 else { continue }
      noise[cell] = max(0.05, noise[cell] + (sum / count - noise[cell]) / windows)
    }
  }

  /// Density of x = p / (n b) in each kind over that in none, less the factor 1 / (1 + r).
  @inline(__always) private static func gains(_ x: Float) -> SIMD4<Float> {
    let ratio = (1 + x) / (1 + x * share)
    let squared = ratio * ratio
    return squared * squared * squared
  }

  /// Σ_s w_s g_{r_s}(x) of four hypotheses; of no line g is 1.
  @inline(__always)
  private static func mixture(_ x: SIMD4<Float>, _ weights: SIMD4<Float>) -> SIMD4<Float> {
    var sum = SIMD4(repeating: weights[0])
    for kind in 1..<4 {
      let ratio = (1 + x) / (1 + x * share[kind])
      let squared = ratio * ratio
      sum += weights[kind] * (squared * squared * squared)
    }
    return sum
  }
}

extension InlineArray where count == 61, Element == Double {
  /// Each one less the mean of its neighbours well outside a line's width: a spectrum that slopes is no line.
  var contrast: Self {
    var result = Self(repeating: -.infinity)
    let values = span
    for i in 10..<51 { result[i] = values[i] - 0.5 * (values[i - 10] + values[i + 10]) }
    return result
  }

  /// Logarithm of the mean likelihood of hypotheses weighted by these log-weights over
  /// that of all of them alike.
  func predictiveGain(of logLikelihoods: Self, slope: Double) -> Double {
    let (own, logLikelihood) = (span, logLikelihoods.span)
    var largest = -Double.infinity
    for i in indices { largest = Swift.max(largest, own[i]) }
    var (sum, known, all) = (0.0, 0.0, 0.0)
    var count = 0.0
    for i in indices where logLikelihood[i].isFinite {
      count += 1
      let weight = exp(own[i] - largest)
      let likelihood = exp(slope * logLikelihood[i])
      sum += weight
      known += weight * likelihood
      all += likelihood
    }
    return log((1 - LineCurve.chance) * known / sum * count / all + LineCurve.chance)
  }

  /// Moved towards lower indices by `steps`; what comes in at the edge repeats.
  func shifted(by steps: Int) -> Self {
    var result = self
    let values = span
    for i in indices { result[i] = values[Swift.min(Swift.max(i + steps, 0), count - 1)] }
    return result
  }
}
