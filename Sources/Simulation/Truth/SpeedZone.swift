/// A stretch with one wanted speed, and what happens at its end.
struct SpeedZone: Sendable {
  /// Distance driven at its start and its length, metres.
  var start: Double
  var length: Double
  /// Wanted speed, m/s.
  var limit: Double
  /// Whether the car goes backwards.
  var isReverse: Bool
  /// Standstills at its end.
  var dwells: [Dwell] = []

  /// A standstill.
  struct Dwell: Sendable {
    var seconds: Double
    var engineRuns: Bool
  }
}
