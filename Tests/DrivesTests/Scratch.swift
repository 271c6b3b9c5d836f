import Drives
import Foundation
import Navigation
import TestParts

extension ScratchFolder {
  /// A drive folder with drive.json and these files.
  static func drive(_ files: [String: String], json: String? = #"{"name": "made up"}"#) throws
    -> ScratchFolder
  {
    let scratch = ScratchFolder()
    for (name, text) in files { try scratch.put(name, text) }
    if let json { try scratch.put("drive.json", json) }
    return scratch
  }
}

/// Header lines and rows that tests put into drives.
enum Rows {
  static let imuHeader =
    "time_s,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,accel_x_m_s2,accel_y_m_s2,accel_z_m_s2\n"
  static let gnssHeader =
    "time_s,latitude_deg,longitude_deg,height_m,sigma_north_m,sigma_east_m,sigma_down_m,"
    + "velocity_north_m_s,velocity_east_m_s,velocity_down_m_s,speed_m_s,course_deg"

  /// imu.csv with a good row at each time.
  static func imu(_ times: [Double]) -> String {
    imuHeader + times.map { "\($0),0.01,-0.02,0.03,0.1,-0.2,-9.81\n" }.joined()
  }
}

/// Everything a drive holds.
struct Contents {
  var samples: [SensorSample] = []
  var truth: [TruthSample] = []
  var rejections: [RowRejections] = []

  init(_ path: String, imuFrame: IMUFrame? = nil) throws {
    let drive = try DriveReader(path: path, imuFrame: imuFrame)
    var stream = try drive.samples()
    while let sample = try stream.next() { samples.append(sample) }
    var truthStream = try drive.truth()
    while let sample = try truthStream.next() { truth.append(sample) }
    rejections = stream.rejections + truthStream.rejections
  }

  /// What was rejected of one file.
  func rejected(_ file: String) -> RowRejections? { rejections.first { $0.file == file } }

  var fixes: [GNSSFix] { samples.compactMap { if case .gnss(let fix) = $0 { fix } else { nil } } }
  var inertial: [InertialSample] {
    samples.compactMap { if case .inertial(let sample) = $0 { sample } else { nil } }
  }
}

/// The error that `body` throws; nil where it throws none.
func driveError(_ body: () throws -> Void) -> DriveError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DriveError
  }
}

/// Whether a value is there and within `tolerance` of another.
func isNear(_ value: Double?, _ other: Double, _ tolerance: Double) -> Bool {
  value.map { abs($0 - other) < tolerance } ?? false
}
