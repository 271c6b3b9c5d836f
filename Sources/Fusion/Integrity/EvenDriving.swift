import CLibrary

/// For how long this car drives so evenly that its IMU is as steady as at rest.
///
/// The lengths of such spans are learned while it drives for certain: one car never goes on evenly for
/// a second and a half, another does for eight. Those that reach `least` are counted, and how far they
/// go beyond it; with an exponential tail of unknown length the chance of one that goes on for longer
/// has a Lomax distribution.
package struct EvenDriving: Sendable {
  /// Length from which a span counts, s: shorter ones say little of the long.
  /// [measured on 25 drives: ontario-long at 18 m/s is taken for rest in 31 bins with 0.4, in 8 with 0.8]
  private static let least = 0.8
  /// Spans beyond it, and their excess in s, that count as seen before any. [chosen: a smooth road]
  private static let priorSpans = 2.0, priorExcess = 2.0
  /// The same of their number and of the time driven, s, of the rate at which they begin. [chosen]
  private static let priorCount = 0.5, priorTime = 10.0

  /// Time driven, s, spans that ended, and the sum of their excess, s.
  private var driven = 0.0, spans = 0.0, excess = 0.0
  /// For how long it was steady when last looked, and whether the car drove when that began.
  private var steadyFor = 0.0, beganDriving = false

  package init() {}

  /// Takes for how long the IMU has been steady, s, `elapsed` seconds after the last time, and whether
  /// the car drives for certain.
  package mutating func observe(steadyFor now: Double, isDriving: Bool, elapsed: Double) {
    if isDriving { driven += elapsed }
    if now < steadyFor || now == 0 {
      // What ends as the car drives off was a rest.
      if isDriving, beganDriving, steadyFor >= Self.least {
        spans += 1
        excess += steadyFor - Self.least
      }
      beganDriving = isDriving
    }
    steadyFor = now
  }

  /// How often this car drives on so evenly for so many seconds, 1/s.
  package func rate(after seconds: Double) -> Double {
    let (n, sum) = (spans + Self.priorSpans, excess + Self.priorExcess)
    let beyond = max(0, seconds - Self.least)
    return (spans + Self.priorCount) / (driven + Self.priorTime) * exp(-n * log(1 + beyond / sum))
  }
}
