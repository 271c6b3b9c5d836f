// [measured]: from drives in Berlin, Hong Kong and Odaiba with a reference. [published]: receiver makers and
// papers. [chosen]: no published figure found.

/// How well a receiver does in one kind of surroundings.
///
/// The position error is a sum of a white, a short and a long part with the given shares of the
/// variance. The long and the short part go on with the distance driven and stand still with the car,
/// for they come from reflections.
public struct ReceptionModel: Sendable, Equatable {
  /// Standard deviation north and east, each, of the sum, m [chosen, after measured drives].
  public var horizontalSigma: Double
  /// The same, down: about 1.7 times as large, the usual ratio of vertical to horizontal dilution.
  public var verticalSigma: Double
  /// Shares of the variance: 15 % white, 25 % short, 60 % long in the canyon [measured]; 5 %, 15 %, 80 %
  /// where the error comes more from the sky than from walls [chosen].
  public var whiteNoiseRatio: Double
  /// Share of the short part.
  public var shortShare: Double
  /// Correlation of the short part in s at 10 m/s: 3 s [measured].
  public var shortTime = 3.0
  /// Correlation of the long part in s at 10 m/s: 60, 30, 20, 15 s [chosen, within the measured 10 to 40 s].
  public var longTime: Double
  /// Whether the error also goes on while the car stands: so it does where it comes from
  /// the atmosphere and orbits.
  public var goesOnAtRest = false
  /// Jumps per minute of driving [measured: 1 to 3 in canyons].
  public var jumpsPerMinute = 0.0
  /// Outages per minute; their length is lognormal with median 8 s and σ of ln 1 [chosen].
  public var outagesPerMinute = 0.0
  /// Standard deviation of each component of velocity, m/s: 0.05 open, 0.3 urban, 1.0 dense [published].
  public var velocitySigma: Double
  /// Whether velocity errors have the tails of Student's t with 4 degrees of freedom [measured: they do].
  public var velocityIsHeavyTailed = false
  /// Standard deviation north and east that an optimistic receiver states, m: in the canyon a fifth of the
  /// true one, so that true error over stated has the median 5.5 [measured].
  public var statedSigma: Double
  /// Whether there are signals at all.
  public var hasSignal = true

  /// The same small white error everywhere: what a filter assumes.
  public static func white(horizontal: Double, vertical: Double, velocity: Double) -> ReceptionModel {
    ReceptionModel(
      horizontalSigma: horizontal, verticalSigma: vertical, whiteNoiseRatio: 1, shortShare: 0, longTime: 1,
      velocitySigma: velocity, statedSigma: horizontal)
  }

  /// The usual receiver.
  public static func usual(in environment: RadioEnvironment) -> ReceptionModel {
    switch environment {
    case .open:
      ReceptionModel(
        horizontalSigma: 1.5, verticalSigma: 2.5, whiteNoiseRatio: 0.05, shortShare: 0.15, longTime: 60,
        goesOnAtRest: true, velocitySigma: 0.05, statedSigma: 1.5)
    case .suburban:
      ReceptionModel(
        horizontalSigma: 3, verticalSigma: 5, whiteNoiseRatio: 0.05, shortShare: 0.15, longTime: 30,
        velocitySigma: 0.15, statedSigma: 2)
    case .urban:
      ReceptionModel(
        horizontalSigma: 6, verticalSigma: 10, whiteNoiseRatio: 0.1, shortShare: 0.2, longTime: 20,
        jumpsPerMinute: 0.2, velocitySigma: 0.3, velocityIsHeavyTailed: true, statedSigma: 2.3)
    case .canyon:
      ReceptionModel(
        horizontalSigma: 12, verticalSigma: 20, whiteNoiseRatio: 0.15, shortShare: 0.25, longTime: 15,
        jumpsPerMinute: 1, outagesPerMinute: 0.5, velocitySigma: 1, velocityIsHeavyTailed: true,
        statedSigma: 2.7)
    case .tunnel, .garage:
      ReceptionModel(
        horizontalSigma: 12, verticalSigma: 20, whiteNoiseRatio: 0.15, shortShare: 0.25, longTime: 15,
        velocitySigma: 1, statedSigma: 2.7, hasSignal: false)
    }
  }
}
