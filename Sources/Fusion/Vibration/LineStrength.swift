// Where there is only noise, p has an exponential density of mean b; with a line of power r times that of the
// noise, one of mean b (1 + r). But b changes from window to window: with 1/b from a gamma distribution of
// shape n = 15 the density falls as (1 + x)^−(n+1), x = p / (n b), and that with a line over that without is
//   g_r(x) = [(1 + x) / (1 + x / (1 + r))]^(n+1) / (1 + r),
// never more than (1 + r)^n. A line is there at times, as road and speed will: G = Σ_s w_s g_{r_s}(x).
//
// The noise of one axis is much that of another: of a harmonic's axes the one that says most counts, and what
// all of them say together, Π G, as far as that is up to twice as much (1/ε): Π G / (1 − ε + ε Π G / max G).
import CLibrary

/// How strong the wheels' lines have been in each cell against the noise about them.
package struct LineStrength: Sendable {
  package typealias LogLikelihoods = InlineArray<61, Double>

  /// 1 / (1 + r) of the kinds of windows: no line, and ever stronger ones. [chosen]
  private static let share = SIMD4<Float>(1, 0.5, 0.2, 0.07)
  /// Weights before anything was seen, worth 4.5 windows: mostly nothing. [chosen]
  private static let start = SIMD4<Float>(3, 0.5, 0.5, 0.5)
  /// Shape n of the noise's spread. With 5 (and ε = 0), 9, 15 the P50 after outages of 30 s is 1.51, 1.43,
  /// 1.36 m. [measured on six drives of boulder and ontario, geometric mean]
  private static let shape: Float = 15
  /// ε. With 0, 0.5, 0.9 that P50 is 1.42, 1.36, 1.44 m, the P95 7.9, 7.7, 8.3 m. [measured on the same]
  private static let common: Float = 0.5
  /// An axis' ratio counts up to this: six of them are a number still. [chosen]
  private static let most = SIMD4<Float>(repeating: 1e6)
  /// A larger p is taken for this where the mean of noise is learned. [chosen]
  private static let largest: Float = 12
  /// Hypotheses that are this far off the first line see noise only; off a harmonic so many times less far.
  /// With 25, 36, 50 that P50 is 1.35, 1.36, 1.39 m. [measured on the same six drives of boulder and ontario]
  private static let clear = 36.0

  /// Counts of the kinds, fading over `memory` windows.
  private var counts = InlineArray<24, SIMD4<Float>>(repeating: LineStrength.start)
  private var noise = LineNoise()
  /// Windows after which the strengths are forgotten. [chosen]
  private static let memory: Float = 60

  /// Multiplies each hypothesis' likelihood over that of no line by what the cells of a part say: with the
  /// last part of a harmonic.
  mutating func multiply(_ reading: inout WindowReading, by scan: inout LineScan, _ part: LinePart) {
    if part.isFirst { reading.ofHarmonic = HarmonicRatios() }
    let places = reading.places(part.harmonic)
    for axis in part.axes {
      let cell = part.harmonic * LineScan.axes + axis
      let weights = counts[cell] * Self.share / counts[cell].sum()
      scan.forEachFour(axis: axis, harmonic: part.harmonic) { first, powers in
        let unit = 1 / (Self.shape * noise.mean(axis: axis, at: places[first / 4]))
        let ratio = Self.lesser(Self.mixture(powers * unit, weights), Self.most)
        reading.ofHarmonic.product[first / 4] *= ratio
        reading.ofHarmonic.largest[first / 4] = Self.greater(reading.ofHarmonic.largest[first / 4], ratio)
      }
    }
    guard part.isLast else { return }
    for first in stride(from: 0, to: LineScan.hypotheses, by: 4) {
      let product = reading.ofHarmonic.product[first / 4]
      let doubled = product / reading.ofHarmonic.largest[first / 4] * Self.common + (1 - Self.common)
      let ratio = product / doubled
      for lane in 0..<min(4, LineScan.hypotheses - first) {
        reading.likelihoods[first + lane] *= Double(ratio[lane])
      }
    }
  }

  /// Learns the cells of a part from a window whose true hypothesis is known to be among those of some
  /// weight.
  mutating func learn(
    _ scan: inout LineScan, _ reading: borrowing WindowReading, truth: HypothesisWeights, _ part: LinePart
  ) {
    var posterior = LogLikelihoods(repeating: 0)
    var sum = 0.0
    let (logLikelihood, weight) = (reading.likelihoods.span, truth.weights.span)
    // Of no weight are most of them, and an exponential is saved.
    for j in 0..<LineScan.hypotheses where weight[j] > 1e-12 {
      posterior[j] = weight[j] * exp(min(logLikelihood[j], 200))
      sum += posterior[j]
    }
    let places = reading.places(part.harmonic)
    for axis in part.axes {
      let cell = part.harmonic * LineScan.axes + axis
      let joints = counts[cell] * Self.share
      var seen = SIMD4<Float>.zero
      scan.forEachFour(axis: axis, harmonic: part.harmonic) { first, powers in
        let unit = 1 / (Self.shape * noise.mean(axis: axis, at: places[first / 4]))
        for lane in 0..<min(4, LineScan.hypotheses - first) where posterior[first + lane] > 1e-3 * sum {
          let joint = joints * Self.gains(powers[lane] * unit)
          seen += joint * (Float(posterior[first + lane] / sum) / joint.sum())
        }
      }
      counts[cell] = counts[cell] * (1 - 1 / Self.memory) + seen
    }
    let clear = Self.clear / Double(part.harmonic + 1)
    learnNoise(&scan, reading, part) { abs(Double($0) - truth.middle) > clear }
  }

  /// Learns the noise alone, from the hypotheses that see no line.
  @inline(__always)
  mutating func learnNoise(
    _ scan: inout LineScan, _ reading: borrowing WindowReading, _ part: LinePart, where isClear: (Int) -> Bool
  ) {
    let places = reading.places(part.harmonic)
    for axis in part.axes {
      scan.forEachFour(axis: axis, harmonic: part.harmonic) { first, powers in
        var (sum, count): (Float, Float) = (0, 0)
        for lane in 0..<min(4, LineScan.hypotheses - first) where isClear(first + lane) {
          sum += min(powers[lane], Self.largest)
          count += 1
        }
        if count > 0 { noise.learn(sum / count, axis: axis, at: places[first / 4]) }
      }
    }
  }

  /// Density of x = p / (n b) in each kind over that in none, less the factor 1 / (1 + r).
  @inline(__always) private static func gains(_ x: Float) -> SIMD4<Float> {
    power((1 + x) / (1 + x * share))
  }

  /// Σ_s w_s g_{r_s}(x) of four hypotheses; of no line g is 1.
  @inline(__always)
  private static func mixture(_ x: SIMD4<Float>, _ weights: SIMD4<Float>) -> SIMD4<Float> {
    var sum = SIMD4(repeating: weights[0])
    for kind in 1..<4 { sum += weights[kind] * power((1 + x) / (1 + x * share[kind])) }
    return sum
  }

  /// As pointwiseMin and pointwiseMax, which are calls.
  @inline(__always) private static func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w))
  }
  @inline(__always) private static func greater(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w))
  }

  /// x to the power of `shape` + 1.
  @inline(__always) private static func power(_ x: SIMD4<Float>) -> SIMD4<Float> {
    var result = x
    for _ in 0..<4 { result *= result }
    return result
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
