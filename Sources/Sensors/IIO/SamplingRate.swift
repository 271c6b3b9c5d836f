/// The rates that a device offers.
package enum SamplingRate {
  /// The rate nearest to `wanted` in the text of `sampling_frequency_available`: a list, or "[least step
  /// greatest]". Nil where the text names none.
  package static func nearest(to wanted: Double, available text: String) -> Double? {
    let isRange = text.first == "["
    let numbers = text.split { "[], \n\t".contains($0) }.compactMap { Double($0) }
      .filter { $0.isFinite && $0 >= 0 }
    if isRange, numbers.count == 3 {
      let (least, step, greatest) = (numbers[0], numbers[1], numbers[2])
      guard least <= greatest else { return nil }
      let steps = step > 0 ? ((wanted - least) / step).rounded() * step : wanted - least
      return min(max(least + steps, least), greatest)
    }
    // 0 switches some devices off.
    return numbers.filter { $0 > 0 }.min { abs($0 - wanted) < abs($1 - wanted) }
  }

  /// As the kernel reads it: no exponent, six decimals at most.
  package static func text(_ rate: Double) -> String {
    let millionths = Int64((min(max(rate.isNaN ? 0 : rate, 0), 1e9) * 1e6).rounded())
    guard millionths % 1_000_000 != 0 else { return String(millionths / 1_000_000) }
    let decimals = String(millionths % 1_000_000 + 1_000_000).dropFirst()
    return "\(millionths / 1_000_000).\(decimals)"
  }
}
