import Drives
import Navigation

/// From when to when the files of a drive hold.
public struct SampleSpans: Sendable, Equatable {
  private var spans = ByKind<ClosedRange<Timestamp>?>(repeating: nil)
  private var silence = InertialSilence()

  /// Of the truth and of another system's solution, which are no samples; nil where there is none.
  package var truth: ClosedRange<Timestamp>?, receiver: ClosedRange<Timestamp>?

  /// Of one kind of sensor; nil where there is no sample.
  public subscript(_ kind: SensorKind) -> ClosedRange<Timestamp>? { spans[kind] }

  /// No sample yet.
  public init() {}

  /// Takes the next sample.
  public mutating func add(_ sample: SensorSample) {
    spans[sample.kind] = Self.grown(spans[sample.kind], sample.time)
    silence.add(sample)
  }

  private static func grown(_ span: ClosedRange<Timestamp>?, _ time: Timestamp) -> ClosedRange<Timestamp> {
    guard let span else { return time...time }
    return min(span.lowerBound, time)...max(span.upperBound, time)
  }

  /// Sentences about files that have no time in common with the fixes, or without fixes with the IMU, or
  /// theirs in another unit, about an IMU that is silent for a while, and about a drive without a fix.
  package var remarks: [String] {
    var remarks = [remark].compactMap(\.self)
    if self[.gnss] == nil, SensorKind.allCases.contains(where: { self[$0] != nil }) {
      remarks.append("no fix: there is nothing to position by; give the drive a gnss.csv with rows.")
    }
    let (base, name) = self[.gnss].map { ($0, "fixes") } ?? (self[.inertial], "samples of imu.csv")
    guard let base else { return remarks }
    let files = [
      (SensorKind.inertial.file, self[.gnss] == nil ? nil : self[.inertial]),
      (SensorKind.wheel.file, self[.wheel]), (SensorKind.pressure.file, self[.pressure]),
      (TruthSample.file, truth), (TruthSample.receiverFile, receiver),
    ]
    for case (let file, let span?) in files where Self.differByThousand(span, base) {
      remarks.append(
        "\(file) holds from \(Self.text(span)), the \(name) from \(Self.text(base)), a thousand times as long: is "
          + "the time of one of them in ms?")
    }
    let motion = self[.inertial] == nil ? SensorKind.wheel.file : SensorKind.inertial.file
    for case (let file, let span?) in files where file != motion && !span.overlaps(base) {
      remarks.append(
        "\(file) holds from \(Self.text(span)), the \(name) from \(Self.text(base)): no time in common; give all "
          + "files one clock, in seconds.")
    }
    return remarks
  }

  /// Whether one is about a thousand times as long as the other.
  private static func differByThousand(_ a: ClosedRange<Timestamp>, _ b: ClosedRange<Timestamp>) -> Bool {
    let lengths = [a, b].map { $0.upperBound.seconds(since: $0.lowerBound) }.sorted()
    return lengths[0] > 1 && 900...1100 ~= lengths[1] / lengths[0]
  }

  /// A sentence where fixes and motion sensors have no time in common: then their clocks differ; or where the
  /// IMU is silent for a while.
  private var remark: String? {
    let kind = self[.inertial] == nil ? SensorKind.wheel : .inertial
    guard let fixes = self[.gnss], let motion = self[kind] else { return nil }
    guard !motion.overlaps(fixes) else {
      return self[.inertial].flatMap { silence.remark(inertial: $0, fixes: fixes) }
    }
    return
      "\(kind.file) holds from \(Self.text(motion)) and gnss.csv from \(Self.text(fixes)): they have no time in common, so "
      + "nothing could be fused; bring time_s of both to one clock."
  }

  static func text(_ span: ClosedRange<Timestamp>) -> String {
    let cell = { (time: Timestamp) in TextTable.cell(time.seconds, digits: 1) }
    return "\(cell(span.lowerBound)) to \(cell(span.upperBound)) s"
  }
}
