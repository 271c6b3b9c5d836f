import Fusion

/// What to evaluate beside the drive as it is.
public struct EvaluationSettings: Sendable {
  /// Lengths in seconds of the outages to study; none by default.
  public var outageLengths: [Double] = []
  /// Seconds from the start of one outage to the start of the next.
  public var outageSpacing = 10.0
  /// No outage starts before this time, in seconds on the drive's time line.
  public var outagesFrom = 0.0
  /// Whether outages start at multiples of the spacing, so that those of two runs can be paired
  /// whenever each knew its heading.
  public var pairsOutages = false
  /// How to make the fixes worse; nil leaves them.
  public var degradation: Degradation?
  /// Whether the engine gets the wheel speed.
  public var usesWheel = true
  /// Parts of the engine to do without.
  public var disabled: FusionModelSet = []
  /// Shortest step of the covariance, s; 0 for one a sample.
  public var covarianceInterval = 0.0
  /// Smoothers to score beside the causal engine, at most one of each kind.
  public var smoothers: [SmootherChoice] = []
  /// What the engine starts from; nil for a cold start.
  public var savedState: SavedState?
  /// Whether to keep the tracks for a report.
  public var keepsTracks = false

  /// Whether to measure the time that the engine takes.
  public var measuresLatency = true
  /// What else to change of the engine, for studies of its parameters.
  public var configure: (@Sendable (inout FusionConfiguration) -> Void)?

  /// Heap allocations of the calling thread so far, where the program counts them.
  public var allocationCount: (@Sendable () -> Int)?

  /// The drive as it is.
  public init() {}
}
