import CLibrary

/// A first-order Gauss-Markov process of variance 1, in steps of any length.
struct GaussMarkov: Sendable {
  /// The present value.
  private(set) var value: Double

  /// A process in its steady state.
  init(_ random: inout RandomSource) { value = random.normal() }

  /// Goes on by `step`, in the unit of the correlation length; a step of 0 leaves the value exactly as it is.
  mutating func advance(by step: Double, correlation: Double, _ random: inout RandomSource) {
    let kept = exp(-step / correlation)
    value = kept * value + (1 - kept * kept).squareRoot() * random.normal()
  }
}
