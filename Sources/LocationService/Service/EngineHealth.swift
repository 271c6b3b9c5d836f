import Location
import Navigation

/// How the engine behind a host and its sensors do, for those who look after the service.
public struct EngineHealth: Sendable, Equatable {
  /// A sensor, or a file that stands for one.
  public struct Source: Sendable, Equatable {
    /// Its name in the configuration.
    public var name: String
    /// What it gives: `fix`, `inertial`, `wheel`, `pressure`.
    public var role: String
    /// Whether it delivers, or may be about to.
    public var isDelivering: Bool
    /// Samples a second; nil until that is known.
    public var rate: Double?
    /// Samples that came, and those that are known to be lost.
    public var received = 0, lost = 0
    /// Pauses of more than three times the usual interval, and the longest of them in seconds.
    public var gaps = 0, longestGap = 0.0
    /// Samples that were not used, by reason.
    public var refused: [(reason: String, count: Int)] = []

    /// A source that has given nothing yet.
    public init(name: String, role: String, isDelivering: Bool) {
      (self.name, self.role, self.isDelivering) = (name, role, isDelivering)
    }

    /// Whether all figures are the same.
    public static func == (a: Self, b: Self) -> Bool {
      a.name == b.name && a.role == b.role && a.isDelivering == b.isDelivering && a.rate == b.rate
        && a.received == b.received && a.lost == b.lost && a.gaps == b.gaps && a.longestGap == b.longestGap
        && a.refused.elementsEqual(b.refused, by: ==)
    }
  }

  /// What became of the measurements of one kind.
  public struct Measurements: Sendable, Equatable {
    /// The model: `gnssPosition` and so on.
    public var kind: String
    /// How many ended how: `used`, `weighedDown`, and why they were not used.
    public var outcomes: [(outcome: String, count: Int)]
    /// Sum of the normalized innovations squared, and of their dimensions: where noise is as the engine takes
    /// it to be, they grow alike.
    public var innovations: Double, dimensions: Int

    /// Of one kind, so many a way.
    public init(kind: String, outcomes: [(outcome: String, count: Int)], innovations: Double, dimensions: Int)
    {
      (self.kind, self.outcomes, self.innovations, self.dimensions) = (
        kind, outcomes, innovations, dimensions
      )
    }

    /// Whether all figures are the same.
    public static func == (a: Self, b: Self) -> Bool {
      a.kind == b.kind && a.innovations == b.innovations && a.dimensions == b.dimensions
        && a.outcomes.elementsEqual(b.outcomes, by: ==)
    }
  }

  /// Whether an engine runs: none does while nobody needs one.
  public var isRunning = false
  /// Where the engine stands; nil before its first fix.
  public var mode: NavigationMode?
  /// Radius in metres that holds the place with 68 %; nil while there is none.
  public var horizontalAccuracy: Double?
  /// Seconds since the newest fix came; nil before the first.
  public var fixAge: Double?
  /// How often the fixes contradicted the place until it was given up.
  public var recoveries = 0
  /// Blocks of memory that the engine has taken from the heap while it took samples; nil
  /// where nobody counts them.
  public var allocations: UInt64?
  /// In the order of the configuration.
  public var sources: [Source] = []
  /// Of each kind.
  public var measurements: [Measurements] = []

  /// No engine.
  public init() {}
}
