import Fusion

/// A fix less what the engine predicted for it before it took it.
public struct FixMoment: Sendable {
  /// Seconds on the drive's time line.
  public var time: Double
  /// Metres north, east and up; up is not-a-number where a height is not known.
  public var north: Double, east: Double, up: Double
  /// Standard deviations of these by what both state, metres; those of a fix that states none are left out.
  public var sigma: Vector3
  /// What became of it; nil before the heading was known, when no verdicts are given.
  public var fate: MeasurementMoment.Fate?

  /// `fix` less the prediction of `engine` for its antenna, as much earlier as the engine has found the fixes
  /// to be late; nil where nothing is predicted.
  init?(_ fix: GNSSFix, before engine: FusionEngine) {
    let calibration = engine.calibration
    let held = fix.time.advanced(bySeconds: -(calibration?.positionDelay.value ?? 0))
    guard let here = engine.solution(at: held) else { return nil }
    let arm =
      calibration.flatMap { known in known.vehicleFromBody.map { $0 * known.leverArm.value } } ?? .zero
    let antenna = here.moved(byVehicleOffset: arm)
    let difference = fix.position.displacement(from: antenna.position)
    guard difference.x.isFinite, difference.y.isFinite, fix.time.seconds.isFinite else { return nil }
    time = fix.time.seconds
    (north, east, up) = (difference.x, difference.y, -difference.z)
    let (stated, p) = (fix.positionSigma ?? .zero, antenna.positionCovariance)
    let root = { (variance: Double) in variance > 0 ? variance.squareRoot() : 0 }
    sigma = Vector3(
      root(p.x.x + stated.x * stated.x), root(p.y.y + stated.y * stated.y), root(p.z.z + stated.z * stated.z))
  }
}
