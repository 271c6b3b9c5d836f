import Navigation

/// What gpsd's error estimates mean.
public enum StatedAccuracy: Sendable, Hashable {
  /// Found out for each fix: gpsd's own estimates, which are the dilution times a constant, are 95 % figures by its manual;
  /// any other is the receiver's, which are 68 % figures for nearly all receivers.
  case automatic
  /// One standard deviation an axis; horizontal figures cover both axes.
  case sigma
  /// 95 % of errors are smaller.
  case percent95

  /// gpsd's constants: horizontal error in metres for a dilution of 1, without and with differential corrections.
  private static let perDilution = (plain: 19.0, differential: 4.75)

  /// Standard deviations north, east and down in metres of a TPV; nil where no horizontal error is stated.
  func positionSigma(_ position: GPSDPosition, hdop: Double?) -> Vector3? {
    guard let (north, east) = horizontal(position, hdop: hdop) else { return nil }
    let is95 = isPercent95(position, hdop: hdop)
    // Without a vertical figure: twice the horizontal one, as dilutions are on average. Unused where there is no height.
    let up = error(position.epv).map { $0 / (is95 ? 1.96 : 1) } ?? 2 * max(north, east)
    return Vector3(north, east, up)
  }

  /// The horizontal figure is the receiver's own where it has one, those per axis are gpsd's guesses: so these only share it out.
  private func horizontal(_ position: GPSDPosition, hdop: Double?) -> (north: Double, east: Double)? {
    let is95 = isPercent95(position, hdop: hdop)
    let axes = error(position.epy).flatMap { y in error(position.epx).map { (y, $0) } }
    guard let radial = error(position.eph) else {
      guard let (y, x) = axes else { return nil }
      let scale = self == .sigma ? 1 : 1 / 1.96  // always gpsd's own
      return (y * scale, x * scale)
    }
    // Of a circular normal distribution: 95 % lie within 2.45 standard deviations of an axis.
    let total = is95 ? radial / 2.4477 * 2.0.squareRoot() : radial
    guard let (y, x) = axes else { return (total / 2.0.squareRoot(), total / 2.0.squareRoot()) }
    let length = (x * x + y * y).squareRoot()
    return (total * y / length, total * x / length)
  }

  private func isPercent95(_ position: GPSDPosition, hdop: Double?) -> Bool {
    switch self {
    case .sigma: return false
    case .percent95: return true
    case .automatic:
      guard let hdop, let eph = error(position.eph) else { return false }
      let factor = position.status == .differential ? Self.perDilution.differential : Self.perDilution.plain
      return abs(eph / (hdop * factor) - 1) < 0.012  // two decimals of a dilution of 0.5
    }
  }

  private func error(_ value: Double) -> Double? { value > 0 && value < 1e6 ? value : nil }
}
