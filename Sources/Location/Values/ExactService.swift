/// A service that clients with reduced accuracy have not, because it would tell more.
public enum ExactService: String, Sendable, CaseIterable {
  /// Where the car parks.
  case visits
  /// Which way the car points.
  case heading
}
