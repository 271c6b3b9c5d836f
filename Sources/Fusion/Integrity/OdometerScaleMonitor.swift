import CLibrary
import LinearAlgebra
import Navigation

/// Finds wheels whose scale is another than was learned: a spare or an inflated tyre, or a sensor that states
/// more than the speed. Its spread is a few parts in ten thousand by then, and fixes would rather be wrong.
///
/// The speed by the fixes alone is compared with that of the wheels, while the car drives evenly.
package struct OdometerScaleMonitor: Sendable {
  /// Speed that is compared, m/s, and standard deviation of that by the fixes, as a part of it.
  /// [chosen: half a metre a second of multipath is a tenth]
  private static let leastSpeed = 5.0, share = 0.05
  /// Acceleration along the car up to which it drives evenly, m/s².
  /// [chosen: times the lag of the speed by the fixes, 1 to 4 s, a few per cent of the speed]
  private static let evenly = 0.3
  /// Time over which the relative difference is averaged, and for which it has to be certain, s.
  /// [chosen: longer than a reflection at a corner]
  static let memory = 10.0
  private static let patience = 5.0
  /// Standard deviations, and relative difference, from which it is certain. [chosen: slip is a hundredth]
  private static let gate = 4.0, least = 0.02

  private var mean = ExponentialMean(memory: memory)
  private var isOff = DwellTimer()

  package init() {}

  /// Takes a speed by the fixes and its standard deviation, and that by the wheels with the scale that is
  /// believed, m/s, that scale's standard deviation and the acceleration, m/s², `elapsed` seconds after the
  /// last; returns the relative difference where the scale is another for certain.
  package mutating func add(
    speed: Double, sigma: Double, wheels: Double, scaleSigma: Double, acceleration: Double, elapsed: Double
  ) -> Double? {
    guard speed > Self.leastSpeed, sigma < Self.share * speed, abs(acceleration) < Self.evenly else {
      return nil
    }
    mean.add(Vector3(wheels / speed - 1, 0, 0), elapsed: elapsed)
    let spread = rootSumOfSquares(scaleSigma, sigma / speed)
    isOff.update(abs(mean.value.x) > Self.gate * spread + Self.least, elapsed: elapsed)
    guard isOff.seconds > Self.patience else { return nil }
    defer { self = OdometerScaleMonitor() }
    return mean.value.x
  }
}
