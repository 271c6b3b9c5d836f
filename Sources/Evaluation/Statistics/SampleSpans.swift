import Navigation

/// From when to when the motion sensors and the fixes of a drive hold.
public struct SampleSpans: Sendable, Equatable {
  private var spans = ByKind<ClosedRange<Timestamp>?>(repeating: nil)

  /// Of one kind of sensor; nil where there is no sample.
  public subscript(_ kind: SensorKind) -> ClosedRange<Timestamp>? { spans[kind] }

  /// No sample yet.
  public init() {}

  /// Takes the next sample.
  public mutating func add(_ sample: SensorSample) {
    spans[sample.kind] = Self.grown(spans[sample.kind], sample.time)
  }

  private static func grown(_ span: ClosedRange<Timestamp>?, _ time: Timestamp) -> ClosedRange<Timestamp> {
    guard let span else { return time...time }
    return min(span.lowerBound, time)...max(span.upperBound, time)
  }

  /// A sentence where fixes and motion sensors have no time in common: then their clocks differ.
  package var remark: String? {
    let kind = self[.inertial] == nil ? SensorKind.wheel : .inertial
    guard let motion = self[kind], let fixes = self[.gnss], !motion.overlaps(fixes) else { return nil }
    let cell = { (time: Timestamp) in TextTable.cell(time.seconds, digits: 1) }
    let text = { (span: ClosedRange<Timestamp>) in "\(cell(span.lowerBound)) to \(cell(span.upperBound)) s" }
    return
      "\(kind.file) holds from \(text(motion)) and gnss.csv from \(text(fixes)): they have no time in common, so "
      + "nothing could be fused; bring time_s of both to one clock."
  }
}
