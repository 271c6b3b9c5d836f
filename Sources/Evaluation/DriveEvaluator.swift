import Drives
import Navigation

/// Evaluates the engine on a drive folder in one pass, with bounded memory for the sensor samples.
public struct DriveEvaluator: Sendable {
  /// What to evaluate.
  public var settings: EvaluationSettings
  /// Axes of imu.csv, where they differ from what drive.json says.
  public var imuFrame: IMUFrame?

  /// An evaluator with these settings.
  public init(settings: EvaluationSettings = EvaluationSettings(), imuFrame: IMUFrame? = nil) {
    self.settings = settings
    self.imuFrame = imuFrame
  }

  /// The figures of the drive in the folder `path`; `progress` hears the drive's time
  /// in seconds now and then.
  public func evaluate(path: String, progress: (Double) -> Void = { _ in }) throws -> DriveEvaluation {
    let reader = try DriveReader(path: path, imuFrame: imuFrame)
    var truth = try reader.truth()
    var receiver = try reader.receiver()

    var run = EvaluationRun(
      truth: try TruthTrack(&truth), receiver: try TruthTrack(&receiver),
      geometry: .init(reader.description), settings: settings)
    var samples = try reader.samples()
    var count = 0
    while let sample = try samples.next() {
      run.take(sample)
      count += 1
      if count % 10_000 == 0 { progress(sample.arrival.seconds) }
    }
    guard count > 0 else { throw EvaluationError.emptyDrive(path) }
    var figures = run.finish()
    var sky: [RowRejections] = []
    if settings.keepsTracks { sky = reader.sky { figures.diagnostics?.sky.append($0) } }
    return DriveEvaluation(
      description: reader.description, figures: figures,
      rejections: samples.rejections + truth.rejections + receiver.rejections + sky)
  }

  /// The figures of a drive in memory, whose samples stand in order of arrival.
  public func evaluate(
    description: DriveDescription, samples: [SensorSample], truth: [TruthSample],
    receiver: [TruthSample] = []
  ) -> DriveEvaluation {
    var run = EvaluationRun(
      truth: TruthTrack(truth), receiver: TruthTrack(receiver), geometry: .init(description),
      settings: settings)
    for sample in samples { run.take(sample) }
    return DriveEvaluation(description: description, figures: run.finish(), rejections: [])
  }
}

extension EvaluationRun.Geometry {
  /// The geometry that drive.json states; truth whose point is not named is taken to be at the antenna.
  package init(_ description: DriveDescription) {
    let reference: Reference =
      switch description.truth?.reference?.lowercased() {
      case nil, "antenna", "fix", "fixes", "gnss": .antenna
      case "imu": .imu
      default: .other
      }
    self.init(antenna: description.antennaLeverArm, reference: reference)
  }
}

extension TruthTrack {
  /// All that a file holds.
  fileprivate init(_ rows: inout TruthSamples) throws {
    var samples: [TruthSample] = []
    while let sample = try rows.next() { samples.append(sample) }
    self.init(samples)
  }
}
