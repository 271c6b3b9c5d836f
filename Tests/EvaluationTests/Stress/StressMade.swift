import Drives
import Evaluation
import Navigation

/// A made-up drive for the tests of the stress study: 240 s straight on at 10 m/s with every sensor.
enum StressMade {
  static func description(_ name: String = "made", kind: DriveDescription.Kind = .simulated)
    -> DriveDescription
  {
    var description = DriveDescription(name: name, kind: kind)
    description.truth = DriveDescription.Truth(reference: "antenna", yaw: "exact", independentOfGNSS: true)
    return description
  }

  static func truth(_ seconds: Double, kind: DriveDescription.Kind = .simulated) -> StressTruth {
    let rows = (0...Int(seconds * 10)).map { Made.truth(Double($0) / 10, yaw: 0) }
    return StressTruth(TruthTrack(rows), of: description(kind: kind))
  }

  static func drive(_ name: String = "made", seconds: Double = 240) -> StressDrive {
    var drive = StressDrive(
      path: name, description: description(name), digest: "0", truth: truth(seconds))
    for i in 0...Int(seconds * 50) {
      // A known ripple, so that smoothing and thinning show.
      let ripple = Double(i % 7) / 10
      drive.append(
        .inertial(
          InertialSample(
            time: Made.time(Double(i) / 50), angularRate: Vector3(0, 0, 0.01 * ripple),
            specificForce: Vector3(ripple, 0, -9.81))))
      if i % 5 == 0 { drive.append(.wheel(WheelSample(time: Made.time(Double(i) / 50), speed: 10))) }
      if i % 25 == 0 {
        var fix = Made.fix(Double(i) / 50)
        fix.position = Made.truth(Double(i) / 50).position
        fix.received = Made.time(Double(i) / 50 + 0.05)
        fix.speedSigma = 0.1
        drive.append(.gnss(fix))
      }
    }
    return drive
  }

  /// What one change of the made drive with `seed` leaves.
  static func variant(_ change: StressChange, seed: UInt64 = 1) -> StressDrive {
    StressVariant(of: drive(), seed: seed, only: [change]).drive
  }

  /// Metres by which each fix was moved.
  static func offsets(_ drive: StressDrive) -> [Double] {
    drive.fixes.compactMap { fix in drive.truth.error(of: fix) }
  }

  /// Writes the drive, and gives its folder.
  static func write(_ drive: StressDrive, in parent: String, truth hasTruth: Bool = true) throws -> String {
    let path = "\(parent)/\(drive.description.name)"
    var writer = try DriveWriter(path: path, description: drive.description)
    for sample in drive.inertial { try writer.write(.inertial(sample)) }
    for sample in drive.wheel { try writer.write(.wheel(sample)) }
    for fix in drive.fixes { try writer.write(.gnss(fix)) }
    if hasTruth { for sample in drive.truth.track.samples { try writer.write(sample) } }
    try writer.finish()
    return path
  }
}
