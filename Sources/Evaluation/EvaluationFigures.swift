import Fusion

/// What one pass over a drive gives; what cannot be had is nil.
public struct EvaluationFigures: Sendable {
  /// Time of the first sample.
  public var start: Timestamp?
  /// Seconds from the first sample to the last.
  public var duration: Double?
  /// Metres driven: by truth, or by the fixes of a drive without it.
  public var distance: Double?
  /// Raw fixes, at their own times.
  public var gnss = EstimatorScore()
  /// The engine, live.
  public var causal = EstimatorScore()
  /// The smoothers that were asked for.
  public var fixedLag: EstimatorScore?, full: EstimatorScore?
  /// Another system's own solution, where the drive has receiver.csv.
  public var receiver: EstimatorScore?
  /// A track that was scored beside them.
  public var track: TrackScore?
  /// Gaps that the fixes really have, in order of time.
  public var realGaps: [RealGap] = []
  /// Solutions with a value that is infinite or not a number; they count as missing.
  public var nonFiniteSolutions = 0
  /// The outage study, the shortest length first.
  public var outages: [OutageScore] = []
  /// What became of the measurements, by kind.
  public var measurements: [MeasurementCounts] = []
  /// When the motion sensors and the fixes hold.
  public var spans = SampleSpans()
  /// Whether the files have the same places.
  public var places = PlaceAgreement()
  /// Samples of an IMU that was found broken.
  public var inertialDistrust = InertialDistrust()
  /// What was found of the times that samples are stamped with.
  public var timing = SensorTiming()
  /// What became of the saved state that the engine was started from, if there was one.
  public var warmStart: WarmStartReport?
  /// Time taken by the engine.
  public var latencies = SampleLatencies()
  /// Heap allocations of the engine while it took samples, from the moment heading was known; nil
  /// where they were not counted.
  public var allocations: Int?
  /// Tracks for a report, if they were to be kept.
  public var tracks: [ReportTrack] = []
  /// What else a report draws, if tracks were to be kept.
  public var diagnostics: DriveDiagnostics?

  /// No figures yet.
  public init() {}
}
