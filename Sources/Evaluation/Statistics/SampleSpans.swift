import Navigation

/// From when to when the motion sensors and the fixes of a drive hold.
public struct SampleSpans: Sendable, Equatable {
  /// Of the IMU, or of the wheels where there is none, and of the fixes; nil where there is no sample.
  public private(set) var inertial: ClosedRange<Timestamp>?, wheel: ClosedRange<Timestamp>?
  /// See ``inertial``.
  public private(set) var fixes: ClosedRange<Timestamp>?

  /// No sample yet.
  public init() {}

  /// Takes the next sample.
  public mutating func add(_ sample: SensorSample) {
    switch sample {
    case .inertial(let sample): inertial = Self.grown(inertial, sample.time)
    case .wheel(let sample): wheel = Self.grown(wheel, sample.time)
    case .gnss(let fix): fixes = Self.grown(fixes, fix.time)
    }
  }

  private static func grown(_ span: ClosedRange<Timestamp>?, _ time: Timestamp) -> ClosedRange<Timestamp> {
    guard let span else { return time...time }
    return min(span.lowerBound, time)...max(span.upperBound, time)
  }

  /// A sentence where fixes and motion sensors have no time in common: then their clocks differ.
  package var remark: String? {
    guard let motion = inertial ?? wheel, let fixes, !motion.overlaps(fixes) else { return nil }
    let cell = { (time: Timestamp) in TextTable.cell(time.seconds, digits: 1) }
    let text = { (span: ClosedRange<Timestamp>) in "\(cell(span.lowerBound)) to \(cell(span.upperBound)) s" }
    let file = inertial == nil ? "wheel.csv" : "imu.csv"
    return
      "\(file) holds from \(text(motion)) and gnss.csv from \(text(fixes)): they have no time in common, so "
      + "nothing could be fused; bring time_s of both to one clock."
  }
}
