/// What the client's user does: it says how long a stop is before updates may pause.
public enum ActivityType: String, Sendable, CaseIterable {
  /// Anything.
  case other
  /// Guiding a car.
  case automotiveNavigation
  /// On foot.
  case fitness
  /// Guiding another vehicle: a boat, a train.
  case otherNavigation
  /// In the air; never pauses.
  case airborne
}
