// Student's t by the incomplete beta function: A(t|ν) = 1 − I_x(ν/2, 1/2), x = ν/(ν + t²) (Abramowitz
// and Stegun 26.7.1), I by its continued fraction (26.5.8) with Lentz's method (Press et al., Numerical
// Recipes, 3rd edition, §6.4).
import CLibrary

/// Student's t distribution.
package enum StudentT {
  /// Probability of a magnitude above |t| with `degrees` of freedom.
  package static func twoSided(_ t: Double, degrees: Double) -> Double {
    guard t.isFinite else { return t.isNaN ? .nan : 0 }
    return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
  }

  /// The magnitude that is exceeded with probability `p`.
  package static func quantile(twoSided p: Double, degrees: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while twoSided(high, degrees: degrees) > p, high < 1e12 { high *= 2 }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if twoSided(middle, degrees: degrees) > p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    // The fraction converges fast below the mean only.
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
    let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    let tiny = 1e-300
    var (c, d) = (1.0, 1 - (a + b) * x / (a + 1))
    d = 1 / (abs(d) < tiny ? tiny : d)
    var h = d
    for i in 1...1000 {
      let m = Double(i)
      for numerator in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 + numerator * d
        d = 1 / (abs(d) < tiny ? tiny : d)
        c = 1 + numerator / c
        if abs(c) < tiny { c = tiny }
        h *= c * d
      }
      if abs(c * d - 1) < 1e-16 { break }
    }
    return front * h
  }
}
