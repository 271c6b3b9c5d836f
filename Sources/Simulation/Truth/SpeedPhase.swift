/// A time of constant jerk.
struct SpeedPhase: Sendable {
  /// Seconds since the start of the drive, and how long.
  let start: Double
  let duration: Double
  /// Distance driven, speed (never negative) and acceleration at its start.
  let distance: Double
  let speed: Double
  let acceleration: Double
  let jerk: Double
  let isReverse: Bool
  let engineRuns: Bool
  /// Whether the wheels turn as the car moves.
  var wheelsRoll = true
  /// What carries the car meanwhile, and what surrounds it there.
  var carriage: Carriage?
  var environment: RadioEnvironment?
  /// By how much carriages before have turned the car, and raised its nose, rad.
  var turned = 0.0
  var raised = 0.0

  /// Distance driven, speed and acceleration at a time.
  func evaluate(_ time: Double) -> (distance: Double, speed: Double, acceleration: Double) {
    let t = time - start
    return (
      distance + t * (speed + t * (acceleration / 2 + t * jerk / 6)),
      speed + t * (acceleration + t * jerk / 2),
      acceleration + t * jerk
    )
  }
}
