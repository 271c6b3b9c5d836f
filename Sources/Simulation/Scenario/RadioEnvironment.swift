/// What stands around the road, as far as it concerns satellite signals.
public enum RadioEnvironment: String, Sendable, CaseIterable {
  /// Nothing above the horizon.
  case open
  /// Houses and trees.
  case suburban
  /// Streets of four to six floors.
  case urban
  /// Streets of towers.
  case canyon
  /// No sky: a tunnel.
  case tunnel
  /// No sky: a parking garage.
  case garage
}
