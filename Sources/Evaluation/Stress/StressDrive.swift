import Drives
import Navigation

/// A drive in memory: what the sensors said, each kind in order of its arrival, and the
/// truth that stays as it is.
package struct StressDrive: Sendable {
  package let path: String
  package var description: DriveDescription
  /// Of all files of the folder.
  package let digest: String
  package var inertial: [InertialSample] = []
  package var wheel: [WheelSample] = []
  package var pressure: [PressureSample] = []
  package var fixes: [GNSSFix] = []
  package let truth: StressTruth

  /// Reads the drive in the folder `path`, which must have truth.
  package init(path: String) throws {
    let reader = try DriveReader(path: path)
    var rows: [TruthSample] = []
    var truth = try reader.truth()
    while let row = try truth.next() { rows.append(row) }
    guard !rows.isEmpty else { throw EvaluationError.noTruth(path) }
    self.init(
      path: path, description: reader.description, digest: Self.digest(of: path),
      truth: StressTruth(TruthTrack(rows), of: reader.description))
    var samples = try reader.samples()
    while let sample = try samples.next() { append(sample) }
    guard !inertial.isEmpty || !fixes.isEmpty || !wheel.isEmpty else {
      throw EvaluationError.emptyDrive(path)
    }
  }

  package init(path: String, description: DriveDescription, digest: String, truth: StressTruth) {
    (self.path, self.description, self.digest, self.truth) = (path, description, digest, truth)
  }

  package mutating func append(_ sample: SensorSample) {
    switch sample {
    case .inertial(let sample): inertial.append(sample)
    case .wheel(let sample): wheel.append(sample)
    case .pressure(let sample): pressure.append(sample)
    case .gnss(let fix): fixes.append(fix)
    }
  }

  /// When the first sample of all arrived, and the last.
  var span: (first: Timestamp, last: Timestamp) {
    let firsts = [inertial.first?.time, wheel.first?.time, fixes.first?.arrival].compactMap(\.self)
    let lasts = [inertial.last?.time, wheel.last?.time, fixes.last?.arrival].compactMap(\.self)
    let origin = Timestamp(nanoseconds: 0)
    return (firsts.min() ?? origin, lasts.max() ?? origin)
  }

  /// Seconds from the first sample to the last.
  var duration: Double { span.last.seconds(since: span.first) }

  /// IMU samples a second, by their median spacing.
  var inertialRate: Double { Self.rate(inertial.map(\.time)) }

  /// Fixes a second, by their median spacing.
  var fixRate: Double { Self.rate(fixes.map(\.time)) }

  private static func rate(_ times: [Timestamp]) -> Double {
    let spacings = zip(times, times.dropFirst()).map { $1.seconds(since: $0) }.filter { $0 > 0 }.sorted()
    return spacings.isEmpty ? 0 : 1 / spacings[spacings.count / 2]
  }

  private static func digest(of folder: String) -> String {
    var digest = FileDigest()
    // What a drive has not is not in its digest, so that a new kind of sensor changes no other drive's.
    let files = ["drive.json", "imu.csv", "wheel.csv", "gnss.csv", "truth.csv"]
    let pressure = SensorKind.pressure.file
    let hasPressure = (try? DriveReader(path: folder).hasPressure) ?? false
    for file in files + (hasPressure ? [pressure] : []) {
      digest.add(file.utf8)
      digest.add(file: "\(folder)/\(file)")
    }
    return digest.text
  }
}

extension GNSSFix {
  /// When it reached the engine.
  var arrival: Timestamp { received ?? time }
}
