import Navigation

/// Whether a barometer measures: it has not stuck, and its bias does not leap about.
package struct BarometerWatch: Sendable {
  private var value: Double?
  /// Seconds of driving over which the value was the same.
  private var stuckFor = 0.0
  /// Seconds for which no mean was of the bias, nor of another.
  private var astray = DwellTimer()
  private var steps = 0, firstStep: Timestamp?
  private var restUntil: Timestamp?
  private var rest: Double?
  /// What it has moved the height by of late, and the way driven meanwhile, m.
  package private(set) var moved = 0.0
  private var way = 0.0
  /// Seconds for which the fixes' heights have been far off.
  private var apart = DwellTimer(), lastFix: Timestamp?
  /// The smallest change that was seen, Pa.
  package private(set) var resolution = Double.infinity

  package init() {}

  /// Whether the same value has come for too long.
  package func isStuck(_ settings: BarometerConfiguration) -> Bool { stuckFor > settings.stuckAfter }

  /// Whether it is left alone after it leapt about.
  package func isResting(at time: Timestamp) -> Bool { restUntil.map { time < $0 } ?? false }

  /// Takes a pressure, `elapsed` seconds after the one before, of a car that drives or not.
  package mutating func add(_ pressure: Double, elapsed: Double, isDriving: Bool) {
    if pressure != value { stuckFor = 0 } else if isDriving { stuckFor += min(max(elapsed, 0), 1) }
    if let value, pressure != value { resolution = min(resolution, abs(pressure - value)) }
    value = pressure
  }

  /// Notes by how much the height was moved against what the other sensors made of it, m, over `elapsed`
  /// seconds on `way` metres; whether that is more than slopes that are not known can explain.
  package mutating func move(
    _ metres: Double, way: Double, elapsed: Double, _ settings: BarometerConfiguration
  ) -> Bool {
    let kept = max(0, 1 - elapsed / settings.moveMemory)
    moved = moved * kept + metres
    self.way = self.way * kept + way
    return abs(moved) > settings.mostMoved + settings.unknownSlope * self.way
  }

  /// Notes how far off the height of a fix lies, in squares of standard deviations; whether it has been too
  /// far for long.
  package mutating func note(
    fix square: Double, at time: Timestamp, _ settings: BarometerConfiguration
  ) -> Bool {
    let elapsed = lastFix.map { min(1, time.seconds(since: $0)) } ?? 0
    lastFix = time
    apart.update(square > settings.largestFixRatio * settings.largestFixRatio, elapsed: elapsed)
    return apart.seconds > settings.fixPatience
  }

  /// Notes whether a mean was an outlier; whether there is nothing else for long.
  package mutating func note(
    outlier isOutlier: Bool, elapsed: Double, _ settings: BarometerConfiguration
  ) -> Bool {
    astray.update(isOutlier, elapsed: elapsed)
    return astray.seconds > settings.longestAstray
  }

  /// Notes a step of the bias; whether that was one too many.
  package mutating func step(at time: Timestamp, _ settings: BarometerConfiguration) -> Bool {
    if let firstStep, time.seconds(since: firstStep) < settings.stepMemory {
      steps += 1
    } else {
      (firstStep, steps) = (time, 1)
    }
    return steps >= settings.mostSteps
  }

  /// Leaves it alone from now on, for longer each time.
  package mutating func leave(at time: Timestamp, _ settings: BarometerConfiguration) {
    let duration = rest ?? settings.rest
    restUntil = time.advanced(bySeconds: duration)
    rest = min(2 * duration, settings.longestRest)
    (firstStep, steps) = (nil, 0)
    (moved, way, apart, astray) = (0, 0, DwellTimer(), DwellTimer())
  }
}
