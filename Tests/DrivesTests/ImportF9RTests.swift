import Foundation
import Navigation
import TestParts
import Testing

import Drives

/// Drives of a u-blox F9R: small files in the published form.
struct ImportF9RTests {
  /// A module that lies flat and is turned: forward is its −y, right its −x, down
  /// its −z, and 5° more of yaw.
  private static func files(mountDegrees: String? = nil) -> [String: String] {
    var imu = "t_s,gx_radps,gy_radps,gz_radps,ax_mps2,ay_mps2,az_mps2\n"
    // Up is the module's z, so the force against gravity is there; one row is broken, the first lies before
    // zero.
    for i in 0..<50 { imu += "\(-0.03166989529132843 + Double(i) / 100),0.01,0.02,0.03,0.25,0.5,9.8\n" }
    imu += "0.4,oops,0,0,0,0,0\n"
    var gnss =
      "t_s,lat_deg,lon_deg,height_m,vn_mps,ve_mps,vd_mps,pos_std_n_m,pos_std_e_m,pos_std_d_m,"
      + "vel_std_n_mps,vel_std_e_mps,vel_std_d_mps,heading_rad\n"
    gnss += "0.236,43.48,-79.69,117.7,9.5,8.4,0.3,4.6,4.7,10.7,0.5,0.7,0.9,0.72\n"
    gnss += "0.736000000000004,43.4801,-79.6899,117.7,9.5,8.4,0.3,0,0,0,nan,nan,nan,NaN\n"
    var position = "t_s,lat_deg,lon_deg,height_m,vn_mps,ve_mps,vd_mps,heading_rad\n"
    position += "0.1,43.48,-79.69,118,1,2,0.1,0.5\n0.3,43.4801,-79.69,118,1,2,0.1,nan\n"
    let attitude = "t_s,roll_deg,pitch_deg,yaw_deg\n0.1,1,2,42\n0.2,9,9,9\n"
    var files = [
      "imu.csv": imu, "gnss.csv": gnss, "reference_position.csv": position,
      "reference_attitude.csv": attitude,
      "manifest.json": #"{"schema": "generic-replay-v1", "dataset_id": "a-drive-001", "title": "A drive"}"#,
    ]
    if let mountDegrees {
      files["reference_mount.csv"] = "t_s,roll_deg,pitch_deg,yaw_deg\n0,0,0,0\n9,\(mountDegrees)\n"
    }
    return files
  }

  private func scratch(_ files: [String: String]) throws -> ScratchFolder {
    let scratch = ScratchFolder()
    for (name, text) in files { try scratch.put(name, text) }
    return scratch
  }

  /// Angles that turn the module's axes to forward, left, up: forward is its −y.
  private static let mount = "0,0,95"

  @Test func allOfADriveIsImported() throws {
    let source = try scratch(Self.files(mountDegrees: Self.mount))
    var drive = try ImportFormat.f9r.read(source.path)
    #expect(drive.inertial.count == 50 && drive.fixes.count == 2 && drive.receiver.count == 2)
    #expect(drive.rejections.first { $0.file.hasSuffix("imu.csv") }?.rejected == 1)
    #expect(
      drive.description.imu?.frame?.hasPrefix("-y,-x,-z (") == true, "\(drive.description.imu?.frame ?? "")")
    #expect(drive.description.source?.hasSuffix("web/datasets/a-drive-001") == true)
    #expect(drive.fixes[0].positionSigma == Vector3(4.6, 4.7, 10.7) && drive.fixes[0].speedSigma == 0.7)
    #expect(drive.fixes[1].positionSigma == nil && drive.fixes[1].speedSigma == nil)
    #expect(drive.fixes[1].velocityNED == Vector3(9.5, 8.4, 0.3))
    #expect(isNear(drive.receiver[0].yaw, Angle.radians(degrees: 42), 1e-9), "of the attitude beside it")
    #expect(isNear(drive.receiver[0].pitch, Angle.radians(degrees: 2), 1e-9))
    #expect(drive.receiver[1].yaw == nil && drive.receiver[1].roll == nil, "none is near enough")
    let folder = ScratchFolder()
    try drive.write(to: folder("drive"))
    let contents = try Contents(folder("drive"))
    let first = try #require(contents.inertial.first)
    #expect((first.specificForce - Vector3(-0.5, -0.25, -9.8)).norm < 1e-6)
    #expect(first.angularRate == Vector3(-0.02, -0.01, -0.03))
    var receiver = try DriveReader(path: folder("drive")).receiver()
    let row = try #require(try receiver.next())
    #expect(isNear(row.yaw, Angle.radians(degrees: 42), 1e-6))
    #expect(abs(row.time.seconds - 1.1) < 1e-9, "the drive begins a second before zero")
  }

  @Test func withoutAMountingGravityTellsDown() throws {
    let source = try scratch(Self.files())
    let frame = try #require(try ImportFormat.f9r.read(source.path).description.imu?.frame)
    #expect(
      frame.split(separator: ",")[2].hasPrefix("-z ") && frame.contains("forward is a guess"), "\(frame)")
  }

  @Test func aMountingThatGravityContradictsIsNotUsed() throws {
    let source = try scratch(Self.files(mountDegrees: "180,0,0"))
    let drive = try ImportFormat.f9r.read(source.path)
    #expect(drive.notes.contains { $0.contains("gravity contradicts") })
  }

  @Test func packedTablesAreReadAsTheyArePublished() throws {
    let source = try scratch(Self.files(mountDegrees: Self.mount))
    let plain = try ImportFormat.f9r.read(source.path)
    try #require(try ProgramRun("/bin/sh", ["-c", "gzip -n '\(source.path)'/*.csv"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: source("imu.csv")))
    let packed = try ImportFormat.f9r.read(source.path)
    #expect(packed.inertial == plain.inertial && packed.fixes.count == 2 && packed.receiver == plain.receiver)
    // Cut off or altered anywhere it is refused, or read as it was: never anything else.
    let good = try source.bytes("gnss.csv.gz")
    for count in stride(from: 0, to: good.count, by: 3) {
      try Data(good[..<count]).write(to: URL(fileURLWithPath: source("gnss.csv.gz")))
      #expect(driveError { _ = try ImportFormat.f9r.read(source.path) } != nil, "cut at \(count)")
    }
    for place in 10..<good.count {
      var bad = good
      bad[place] ^= 0x10
      try Data(bad).write(to: URL(fileURLWithPath: source("gnss.csv.gz")))
      #expect(driveError { _ = try ImportFormat.f9r.read(source.path) } != nil, "changed at \(place)")
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    let source = try scratch(["imu.csv": "t_s\n"])
    #expect(
      driveError { _ = try ImportFormat.f9r.read(source.path) }
        == .missingPart(path: source.path, part: "gnss.csv or gnss.csv.gz"))
    #expect(
      driveError { _ = try ImportFormat.f9r.read("/nowhere/at/all") }
        == .notFound(path: "/nowhere/at/all"))
    let other = try scratch(["gnss.csv": "time,lat\n1,2\n"])
    #expect(
      driveError { _ = try ImportFormat.f9r.read(other.path) }?.description.contains("no column t_s") == true)
  }
}
