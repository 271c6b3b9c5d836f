/// A stretch with one wanted speed, and what happens at its end.
struct SpeedZone: Sendable {
  /// Distance driven at its start and its length, metres.
  var start: Double
  var length: Double
  /// Wanted speed, m/s.
  var limit: Double
  /// Whether the car goes backwards.
  var isReverse: Bool
  /// Whether the wheels turn as the car moves.
  var wheelsRoll = true
  /// Acceleration and deceleration in m/s² where they are not the driver's.
  var acceleration: Double?
  /// Standstills at its end.
  var dwells: [Dwell] = []

  /// Whether another zone is the same stretch.
  func continues(into next: SpeedZone) -> Bool {
    dwells.isEmpty && limit == next.limit && isReverse == next.isReverse && wheelsRoll == next.wheelsRoll
      && acceleration == next.acceleration
  }

  /// A standstill.
  struct Dwell: Sendable {
    var seconds: Double
    var engineRuns: Bool
    /// What carries the car meanwhile, and what surrounds it there.
    var carriage: Carriage?
    var environment: RadioEnvironment?
  }
}
