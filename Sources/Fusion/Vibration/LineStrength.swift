// Where there is only noise, p has an exponential density of mean b; with a line of power r times that of the noise, one
// of mean b (1 + r). A line is there at times, as road and speed will: the density with a line is a mixture
//   Σ_s w_s exp(−x / (1 + r_s)) / (1 + r_s),  x = p / b,
// and its ratio to that of noise is Σ_s w_s exp(x r_s / (1 + r_s)) / (1 + r_s). The r_s are such that the exponents are
// multiples of 0.3 x.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How strong the wheels' lines have been in each cell against the noise about them.
struct LineStrength: Sendable {
  typealias LogLikelihoods = InlineArray<61, Double>

  /// 1 / (1 + r) of the kinds of windows: no line, and ever stronger ones.
  private static let share = SIMD4<Float>(1, 0.5, 0.2, 0.07)
  /// Weights before anything was seen, worth 4.5 windows: mostly nothing.
  private static let start = SIMD4<Float>(3, 0.5, 0.5, 0.5)
  /// A larger p is taken for this: bumps are no lines.
  private static let largest: Float = 25
  /// Hypotheses that are this far off the line see noise only.
  private static let clear = 18.0

  /// Counts of the kinds, fading over `memory` windows.
  private var counts = InlineArray<12, SIMD4<Float>>(repeating: LineStrength.start)
  /// Mean p of noise.
  private var noise = InlineArray<12, Float>(repeating: 1)
  private var windows: Float = 4
  /// Windows after which the strengths are forgotten.
  private static let memory: Float = 60

  /// Logarithm of each hypothesis' likelihood over that of no line at all.
  func logLikelihoods(_ scan: borrowing LineScan) -> LogLikelihoods {
    var product = LogLikelihoods(repeating: 1)
    for cell in 0..<LineScan.cells {
      let weights = counts[cell] * Self.share / counts[cell].sum()
      for j in 0..<LineScan.hypotheses {
        product[j] *= Double((weights * gains(scan.power(cell, j), cell)).sum())
      }
    }
    for j in 0..<LineScan.hypotheses { product[j] = log(product[j]) }
    return product
  }

  /// Learns from a window whose true hypothesis is known to be among those of some weight.
  mutating func learn(_ scan: borrowing LineScan, _ logLikelihoods: LogLikelihoods, truth: HypothesisWeights)
  {
    var posterior = LogLikelihoods(repeating: 0)
    var sum = 0.0
    for j in 0..<LineScan.hypotheses {
      posterior[j] = truth[j] * exp(min(logLikelihoods[j], 200))
      sum += posterior[j]
    }
    for cell in 0..<LineScan.cells {
      var seen = SIMD4<Float>.zero
      for j in 0..<LineScan.hypotheses where posterior[j] > 1e-3 * sum {
        let joint = counts[cell] * Self.share * gains(scan.power(cell, j), cell)
        seen += joint * (Float(posterior[j] / sum) / joint.sum())
      }
      counts[cell] = counts[cell] * (1 - 1 / Self.memory) + seen
    }
    learnNoise(scan) { abs(Double($0) - truth.middle) > Self.clear }
  }

  /// Learns the noise alone, from the hypotheses that see no line.
  mutating func learnNoise(_ scan: borrowing LineScan, where isClear: (Int) -> Bool) {
    windows = min(windows + 1, Self.memory)
    for cell in 0..<LineScan.cells {
      var (sum, count): (Float, Float) = (0, 0)
      for j in 0..<LineScan.hypotheses where isClear(j) {
        sum += min(scan.power(cell, j), 12)
        count += 1
      }
      guard count > 0 else { continue }
      noise[cell] = max(0.05, noise[cell] + (sum / count - noise[cell]) / windows)
    }
  }

  /// Density of p in each kind over that in none, less the factor 1 / (1 + r).
  @inline(__always) private func gains(_ power: Float, _ cell: Int) -> SIMD4<Float> {
    let x = power / (noise[cell] * 5)
    let ratio = (1 + x) / (1 + x * Self.share)
    let squared = ratio * ratio
    return squared * squared * squared
  }
}

extension InlineArray where count == 61, Element == Double {
  /// Each one less the mean of its neighbours well outside a line's width: a spectrum that slopes is no line.
  var contrast: Self {
    var result = Self(repeating: -.infinity)
    for i in 10..<51 { result[i] = self[i] - 0.5 * (self[i - 10] + self[i + 10]) }
    return result
  }

  /// Logarithm of the mean likelihood of hypotheses weighted by these log-weights over that of all of them alike.
  func predictiveGain(of logLikelihoods: Self) -> Double {
    var largest = -Double.infinity
    for i in indices { largest = Swift.max(largest, self[i]) }
    var (sum, known, all) = (0.0, 0.0, 0.0)
    var count = 0.0
    for i in indices where logLikelihoods[i].isFinite {
      count += 1
      let weight = exp(self[i] - largest)
      let likelihood = exp(0.7 * logLikelihoods[i])
      sum += weight
      known += weight * likelihood
      all += likelihood
    }
    return log((1 - LineCurve.chance) * known / sum * count / all + LineCurve.chance)
  }

  /// Moved towards lower indices by `steps`; what comes in at the edge repeats.
  func shifted(by steps: Int) -> Self {
    var result = self
    for i in indices { result[i] = self[Swift.min(Swift.max(i + steps, 0), count - 1)] }
    return result
  }
}
