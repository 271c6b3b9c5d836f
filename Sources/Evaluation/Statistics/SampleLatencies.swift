import Navigation

/// How long the engine took over one sample, by sensor.
public struct SampleLatencies: Sendable {
  /// Inertial samples.
  public private(set) var inertial = LatencyHistogram()
  /// Fixes.
  public private(set) var gnss = LatencyHistogram()
  /// Wheel samples.
  public private(set) var wheel = LatencyHistogram()

  /// Nothing recorded.
  public init() {}

  mutating func record(_ sample: SensorSample, nanoseconds: Int64) {
    switch sample {
    case .inertial: inertial.record(nanoseconds: nanoseconds)
    case .gnss: gnss.record(nanoseconds: nanoseconds)
    case .wheel: wheel.record(nanoseconds: nanoseconds)
    }
  }
}
