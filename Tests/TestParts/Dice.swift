import CLibrary
/// Numbers that are the same for the same seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
package struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A seed that is another in every run, or the one that the environment's RECKON_SEED names. As an argument
  /// of a test it stands with the test's name in what fails, so that the same numbers can be had again.
  package static var newSeed: UInt64 {
    getenv("RECKON_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0 ... .max)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// From 0 to below `count`.
  package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// From 0 to below 1.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A sum of twelve: normal enough, with tails to six standard deviations.
  package mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
