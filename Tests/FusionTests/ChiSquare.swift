import CLibrary

/// Where a sum of squared normal numbers lies with 99.9 % probability, by E. Wilson and M. Hilferty,
/// "The distribution of chi-square", PNAS 17 (1931): good to a thousandth for the 90 and more
/// degrees of freedom here.
enum ChiSquare {
  /// The two-sided 99.9 % bounds of χ² / `degrees`.
  static func bounds(degrees: Double) -> ClosedRange<Double> {
    let spread = 2 / (9 * degrees)
    func quantile(_ z: Double) -> Double { pow(1 - spread + z * spread.squareRoot(), 3) }
    return quantile(-3.2905)...quantile(3.2905)
  }
}
