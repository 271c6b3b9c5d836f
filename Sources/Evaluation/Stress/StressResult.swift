import Drives

/// What became of one variant of one drive.
public struct StressResult: Sendable, Equatable, Codable {
  /// Name of the drive, and the seed of the variant.
  public var drive: String, seed: UInt64
  /// What was changed, in the order in which it was, and with which parameters.
  public var changes: [StressChange], details: [String]
  /// What the engine made of it.
  public var figures: StressFigures
}

extension StressResult {
  /// Runs an engine of its own over the variant.
  package init(of variant: StressVariant, seed: UInt64) {
    self.init(
      drive: variant.drive.description.name, seed: seed, changes: variant.changes, details: variant.details,
      figures: StressReplay.run(variant.drive))
  }
}
