// Sources: D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021):
// xoshiro256++; G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators" (2014):
// SplitMix64 for the seed; FNV-1a (64 bits) turns the name of a stream into a number.
import CLibrary

/// A seeded stream of random numbers: the same seed and name give the same numbers, bit for bit.
///
/// Every sensor, and the driver, has a stream of its own, so that a change to one leaves
/// the others as they were.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// The stream called `name` of `seed`.
  public init(seed: UInt64, stream name: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var counter = seed ^ hash
    func splitMix() -> UInt64 {
      counter &+= 0x9e37_79b9_7f4a_7c15
      var z = counter
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
    state = (splitMix(), splitMix(), splitMix(), splitMix())
  }

  /// The stream that goes on from a state of xoshiro256++, which is not all 0.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) { self.state = state }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    func rotated(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
    let result = rotated(state.0 &+ state.3, 23) &+ state.0
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, 45)
    return result
  }

  /// A number of the open interval 0 to 1: never 0, never 1.
  public mutating func uniform() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  /// A number of `range`.
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// A number of the standard normal distribution; takes one draw of the stream.
  public mutating func normal() -> Double { NormalQuantile.value(probability: uniform()) }

  /// A number of Student's t distribution with `degrees` degrees of freedom and scale 1.
  public mutating func studentT(degrees: Int) -> Double {
    let numerator = normal()
    var sum = 0.0
    for _ in 0..<degrees {
      let n = normal()
      sum += n * n
    }
    return numerator / (sum / Double(degrees)).squareRoot()
  }

  /// A number of the lognormal distribution with this median and this standard deviation of the logarithm.
  public mutating func logNormal(median: Double, logSigma: Double) -> Double {
    median * exp(logSigma * normal())
  }
}
