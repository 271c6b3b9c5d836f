import Navigation

/// What a navigator keeps of a barometer.
package struct Barometer: Sendable {
  /// The bias while it is in use.
  package internal(set) var bias: BarometricBias? {
    didSet { heightVariance = bias?.heightVariance ?? 0 }
  }
  /// Variance of a height that rests on the bias, m²; 0 without one. Kept beside it, because each answer
  /// needs it, and to ask an optional copies it.
  /// [chosen: no barometer, no error of its own]
  private(set) var heightVariance = 0.0
  var watch = BarometerWatch()
  var test = BarometricStep()
  var floor = FloorCounter()
  /// What is left of the fixes' lasting error since the last height that was taken, 0 to 1: all of it at
  /// first.
  var fade = 1.0
  /// When the newest sample held.
  private(set) var newest: Timestamp?
  private var begin: Timestamp?, sum = 0.0, count = 0.0

  /// Variance of a mean of its heights, m²: coarse steps last for as long as the car is level.
  func noise(_ settings: BarometerConfiguration) -> Double {
    let step = watch.resolution.isFinite ? watch.resolution * Self.metresPerPascal : 0
    return settings.noise * settings.noise + step * step
  }

  /// Whether its smallest step is too coarse for a height.
  func isCoarse(_ settings: BarometerConfiguration) -> Bool {
    watch.resolution.isFinite && watch.resolution * Self.metresPerPascal > settings.coarsestStep
  }

  /// Of air at sea level.
  private static let metresPerPascal = 1 / (StandardAtmosphere.density * 9.80665)

  /// Whether samples still come at `time`.
  func isHeard(at time: Timestamp, _ settings: BarometerConfiguration) -> Bool {
    newest.map { time.seconds(since: $0) < settings.lostAfter } ?? false
  }

  /// Takes a sample; at the end of a window how far the barometer's height lay above `height` on average, m,
  /// and the window's length, s.
  mutating func add(
    _ sample: PressureSample, height: Double, isDriving: Bool, _ settings: BarometerConfiguration
  ) -> (offset: Double, elapsed: Double)? {
    if !isHeard(at: sample.time, settings) { (begin, sum, count) = (nil, 0, 0) }
    watch.add(
      sample.pressure, elapsed: newest.map { sample.time.seconds(since: $0) } ?? 0, isDriving: isDriving)
    newest = sample.time
    guard let start = begin else {
      begin = sample.time
      return nil
    }
    sum += StandardAtmosphere.altitude(pressure: sample.pressure) - height
    count += 1
    let elapsed = sample.time.seconds(since: start)
    guard elapsed >= settings.window else { return nil }
    defer { (begin, sum, count) = (sample.time, 0, 0) }
    return (sum / count, elapsed)
  }
}
