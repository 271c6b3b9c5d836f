// Sources: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators" (2014):
// SplitMix64; G. Box and M. Muller, "A note on the generation of random normal deviates" (1958); FNV-1a (64
// bits) turns the name of a stream into a number.
import CLibrary
import LinearAlgebra

/// The random numbers of one change to one drive: the same seed and name give the same numbers on any
/// machine, but for the last bit of what comes through the maths library.
package struct StressRandom: Sendable {
  private var bits: SplitMix64

  /// The stream called `name` of `seed`.
  package init(seed: UInt64, stream name: String) {
    var digest = FileDigest()
    digest.add(name.utf8)
    bits = SplitMix64(seed: seed)
    bits = SplitMix64(seed: bits.next() ^ digest.value)
  }

  /// A number in the open interval 0 to 1.
  mutating func uniform() -> Double { (Double(bits.next() >> 11) + 0.5) * 0x1p-53 }

  /// A number from `low` to `high`.
  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * uniform() }

  /// A number whose logarithm is uniform.
  mutating func logUniform(_ low: Double, _ high: Double) -> Double { low * exp(log(high / low) * uniform()) }

  /// A whole number of `range`.
  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(uniform() * Double(range.count))
  }

  /// Whether something of that probability happens.
  mutating func chance(_ probability: Double) -> Bool { uniform() < probability }

  /// A number of the standard normal distribution.
  mutating func normal() -> Double {
    let radius = (-2 * log(uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }

  /// Three of them.
  mutating func normals() -> Vector3 {
    let x = normal()
    let y = normal()
    return Vector3(x, y, normal())
  }

  /// A horizontal vector of `length` in any direction.
  mutating func horizontal(length: Double) -> Vector3 {
    let direction = uniform(0, 2 * .pi)
    return Vector3(length * cos(direction), length * sin(direction), 0)
  }
}
