import CLibrary

/// Independent standard normal numbers from a seed: SplitMix64 (Steele, Lea and Flood,
/// OOPSLA 2014) through the Box–Muller transform. The same seed gives the same numbers; a last
/// bit may differ by the maths library.
package struct NormalGenerator: Sendable {
  private var bits: SplitMix64
  private var spare: Double?

  package init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  package mutating func next() -> Double {
    if let spare {
      self.spare = nil
      return spare
    }
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spare = radius * sin(angle)
    return radius * cos(angle)
  }

  /// 53 random bits as a number in 0 ..< 1.
  private mutating func uniform() -> Double { Double(bits.next() >> 11) * 0x1p-53 }
}

/// 64 random bits after the other (Steele, Lea and Flood).
struct SplitMix64: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
