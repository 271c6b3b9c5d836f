import Drives
import Navigation

extension StressVariant {
  /// Writes the variant as a drive folder in `parent`: the drive's name, the seed and the changes.
  package func write(in parent: String, seed: UInt64) throws {
    let names = changes.map(\.rawValue).joined(separator: "+")
    let name = "\(drive.description.name)-\(seed)-\(names)"
    var description = drive.description
    description.name = name
    description.notes.append("reckon stress, seed \(seed): \(details.joined(separator: ", "))")
    // The samples have been turned into these axes when they were read.
    if description.imu != nil { description.imu?.frame = "FRD" }
    let folder = name.map { $0 == "/" ? "_" : $0 }
    let hasYawRate = drive.wheel.contains { $0.yawRate != nil }
    var writer = try DriveWriter(
      path: "\(parent)/\(String(folder))", description: description, hasWheelYawRate: hasYawRate,
      overwriting: true)
    for sample in drive.inertial { try writer.write(.inertial(sample)) }
    for sample in drive.wheel { try writer.write(.wheel(sample)) }
    for sample in drive.pressure { try writer.write(.pressure(sample)) }
    for fix in drive.fixes { try writer.write(.gnss(fix)) }
    for sample in drive.truth.track.samples { try writer.write(sample) }
    try writer.finish()
  }
}
