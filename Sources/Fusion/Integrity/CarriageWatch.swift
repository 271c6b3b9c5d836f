import Navigation

/// Whether the car is carried, and what speaks for it.
package struct CarriageWatch: Sendable {
  /// Why the car counts as carried; nil where it drives or stands.
  package private(set) var reason: CarriedReason?
  /// For how long it has been carried, s.
  private(set) var duration = 0.0
  private var suspicion: CarriedReason?
  private var suspected = DwellTimer(), over = DwellTimer()
  /// Seconds of driving that the mounting has agreed with.
  var mountingValidatedTime = 0.0
  /// For how long the motion goes askew to the nose, and the receiver's velocity across it.
  var askew = DwellTimer(), across = DwellTimer()
  /// Angle between the guard's course and the nose, less what it may be wrong by, rad.
  var courseOff = 0.0

  package init() {}

  /// Takes what `elapsed` seconds looked like; true once `suspicion` has lasted for `patience` seconds.
  mutating func suspect(_ suspicion: CarriedReason?, elapsed: Double, patience: Double) -> Bool {
    suspected.update(suspicion != nil && suspicion == self.suspicion, elapsed: elapsed)
    self.suspicion = suspicion
    return suspicion != nil && suspected.seconds >= patience
  }

  mutating func begin(_ reason: CarriedReason) {
    self.reason = reason
    duration = 0
    (over, suspected) = (DwellTimer(), DwellTimer())
    suspicion = nil
  }

  /// Goes on by `elapsed` seconds, and ends once it has seemed over for `patience` seconds.
  mutating func goOn(isOver: Bool, elapsed: Double, patience: Double) {
    duration += elapsed
    over.update(isOver, elapsed: elapsed)
    if over.seconds >= patience { end() }
  }

  mutating func end() {
    reason = nil
    duration = 0
    over = DwellTimer()
  }
}
