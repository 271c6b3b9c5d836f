import Navigation

/// Whether the car is carried, and what speaks for it.
package struct CarriageWatch: Sendable {
  /// Why the car counts as carried; nil where it drives or stands.
  package private(set) var reason: CarriedReason?
  /// For how long it has been carried, s.
  private(set) var duration = 0.0
  private var suspicion: CarriedReason?
  private var suspectedFor = 0.0
  private var overFor = 0.0

  package init() {}

  /// Takes what `elapsed` seconds looked like; true once `suspicion` has lasted for `patience` seconds.
  mutating func suspect(_ suspicion: CarriedReason?, elapsed: Double, patience: Double) -> Bool {
    suspectedFor = suspicion != nil && suspicion == self.suspicion ? suspectedFor + elapsed : 0
    self.suspicion = suspicion
    return suspicion != nil && suspectedFor >= patience
  }

  mutating func begin(_ reason: CarriedReason) {
    self.reason = reason
    (duration, overFor, suspectedFor) = (0, 0, 0)
    suspicion = nil
  }

  /// Goes on by `elapsed` seconds, and ends once it has seemed over for `patience` seconds.
  mutating func goOn(isOver: Bool, elapsed: Double, patience: Double) {
    duration += elapsed
    overFor = isOver ? overFor + elapsed : 0
    if overFor >= patience { end() }
  }

  mutating func end() {
    reason = nil
    (duration, overFor) = (0, 0)
  }
}
