import Navigation

/// How long the engine took over one sample, by sensor.
public struct SampleLatencies: Sendable {
  private var histograms = ByKind(repeating: LatencyHistogram())

  /// Nothing recorded.
  public init() {}

  /// Those of one kind of sample.
  public subscript(_ kind: SensorKind) -> LatencyHistogram { histograms[kind] }

  /// Inertial samples.
  public var inertial: LatencyHistogram { self[.inertial] }
  /// Fixes.
  public var gnss: LatencyHistogram { self[.gnss] }
  /// Wheel samples.
  public var wheel: LatencyHistogram { self[.wheel] }

  mutating func record(_ sample: SensorSample, nanoseconds: Int64) {
    histograms[sample.kind].record(nanoseconds: nanoseconds)
  }
}
