import Navigation

/// What gpsd's error estimates mean.
public enum StatedAccuracy: Sendable, Hashable {
  /// Found out for each fix: gpsd's own estimates, which are the dilution times a constant, are 95 % figures
  /// by its manual; any other is the receiver's, which are 68 % figures for nearly all receivers.
  case automatic
  /// One standard deviation an axis; horizontal figures cover both axes.
  case sigma
  /// 95 % of errors are smaller.
  case percent95
}

/// The error estimates of a TPV of gpsd: one rule for a receiver that is read live and
/// for a log that is imported.
package struct GPSDEstimates: Sendable {
  /// gpsd's constants: horizontal error in metres for a dilution of 1, without and with
  /// differential corrections.
  private static let perDilution = (plain: 19.0, differential: 4.75)
  /// Standard deviations of one axis within which 95 % of a circular normal distribution lie, and of a line.
  private static let circle95 = 2.4477, line95 = 1.96

  private let eph, epx, epy, epv: Double?
  private let hdop: Double?
  private let isDifferential: Bool

  /// Horizontal, east, north and vertical, in metres: one that is not stated is nil or not-a-number. `status`
  /// is gpsd's, in which 2 is a fix with differential corrections.
  package init(eph: Double?, epx: Double?, epy: Double?, epv: Double?, hdop: Double?, status: Int?) {
    func known(_ value: Double?) -> Double? { value.flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil } }
    (self.eph, self.epx, self.epy, self.epv) = (known(eph), known(epx), known(epy), known(epv))
    self.hdop = hdop
    isDifferential = status == 2
  }

  /// Standard deviations north, east and down in metres; nil where no horizontal error is stated.
  package func positionSigma(_ meaning: StatedAccuracy = .automatic) -> Vector3? {
    // The figures per axis are gpsd's own, at 95 %: where the receiver states one for
    // both, they only share it out.
    let axes = epy.flatMap { north in epx.map { (north: north, east: $0) } }
    guard eph != nil || axes != nil else { return nil }
    let is95 = isPercent95(meaning)
    let line = is95 ? Self.line95 : 1
    var (north, east) = axes ?? (1, 1)
    if let eph {
      let length = (north * north + east * east).squareRoot()
      let total = is95 ? eph / Self.circle95 * 2.0.squareRoot() : eph
      (north, east) = (total * north / length, total * east / length)
    } else {
      (north, east) = (north / line, east / line)
    }
    // Without a vertical figure: twice the horizontal one, as dilutions are on average. Unused
    // where there is no height.
    return Vector3(north, east, epv.map { $0 / line } ?? 2 * max(north, east))
  }

  private func isPercent95(_ meaning: StatedAccuracy) -> Bool {
    switch meaning {
    case .sigma: return false
    case .percent95: return true
    case .automatic:
      guard let eph else { return true }
      let factor = isDifferential ? Self.perDilution.differential : Self.perDilution.plain
      // Within the rounding of a dilution of 0.5 to two decimals.
      return hdop.map { abs(eph / ($0 * factor) - 1) < 0.012 } ?? false
    }
  }
}
