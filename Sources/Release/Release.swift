/// Which Reckon this is: the one place where its number stands. scripts/package reads it from here.
public enum Release {
  /// Semantic version of the programs, the library and what they write.
  public static let version = "0.1.0"
}
