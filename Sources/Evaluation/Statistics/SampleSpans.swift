import Navigation

/// From when to when the motion sensors and the fixes of a drive hold.
public struct SampleSpans: Sendable, Equatable {
  private var spans = ByKind<ClosedRange<Timestamp>?>(repeating: nil)
  /// The newest sample of the IMU, whether a fix has come since, and its first long
  /// pause in which fixes came.
  private var newest: Timestamp?, hasFixSince = false, pause: ClosedRange<Timestamp>?
  /// A pause of the IMU that is worth a word, s. [chosen: no real drive at hand has one over 0.2 s]
  private static let longPause = 10.0

  /// Of one kind of sensor; nil where there is no sample.
  public subscript(_ kind: SensorKind) -> ClosedRange<Timestamp>? { spans[kind] }

  /// No sample yet.
  public init() {}

  /// Takes the next sample.
  public mutating func add(_ sample: SensorSample) {
    spans[sample.kind] = Self.grown(spans[sample.kind], sample.time)
    switch sample.kind {
    case .gnss: hasFixSince = true
    case .inertial:
      if let newest, hasFixSince, pause == nil, sample.time.seconds(since: newest) > Self.longPause {
        pause = newest...sample.time
      }
      (newest, hasFixSince) = (sample.time, false)
    case .wheel, .pressure: break
    }
  }

  private static func grown(_ span: ClosedRange<Timestamp>?, _ time: Timestamp) -> ClosedRange<Timestamp> {
    guard let span else { return time...time }
    return min(span.lowerBound, time)...max(span.upperBound, time)
  }

  /// A sentence where fixes and motion sensors have no time in common, or the IMU none for a while: then
  /// their clocks differ, or one of them has leapt.
  package var remark: String? {
    let kind = self[.inertial] == nil ? SensorKind.wheel : .inertial
    let cell = { (time: Timestamp) in TextTable.cell(time.seconds, digits: 1) }
    let text = { (span: ClosedRange<Timestamp>) in "\(cell(span.lowerBound)) to \(cell(span.upperBound)) s" }
    guard let motion = self[kind], let fixes = self[.gnss], !motion.overlaps(fixes) else {
      return pause.map {
        "imu.csv holds nothing from \(text($0)), while fixes come: the IMU was silent, or its clock has leapt."
      }
    }
    return
      "\(kind.file) holds from \(text(motion)) and gnss.csv from \(text(fixes)): they have no time in common, so "
      + "nothing could be fused; bring time_s of both to one clock."
  }
}
