/// When a stated accuracy does harm to whoever relies on it.
enum MisleadingInformation {
  /// An error up to this misleads nobody, m.
  private static let harmless = 5.0

  /// Whether an error in metres is above that, and above twice the stated 95 % radius. A radius that is no
  /// number promises nothing that a user could know.
  static func holds(error: Double, radius95: Double) -> Bool { error > harmless && !(error <= 2 * radius95) }
}
