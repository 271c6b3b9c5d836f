/// A format that drives can be imported from.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// gpsd's JSON: `gpspipe -w`, with `-uu` for times of arrival, or `gpsdecode -j`.
  case gpsd
  /// The oxts folder of a KITTI raw recording.
  case kitti
  /// A segment of comma2k19.
  case comma2k19
  /// Text files of UrbanNav: Tokyo's imu.csv and reference.csv, Hong Kong's IMU by ROS and SPAN text.
  case urbannav
  /// KF-GINS text: increments of the IMU, positions, reference.
  case kfgins
  /// Drives of a u-blox F9R as yongkyuns/imu_gnss_fusion publishes them, with what the receiver made of them.
  case f9r
  /// A phone's folder of the Google Smartphone Decimeter Challenge.
  case gsdc
  /// NMEA 0183, as a receiver said it.
  case nmea
  /// A text file of Google's GnssLogger for Android.
  case gnsslogger
  /// ROS 2 or Foxglove messages in MCAP.
  case mcap
  /// A log of PX4.
  case ulog
  /// Any tables with a header, by a map of columns.
  case csv

  /// One line about what to give.
  public var summary: String {
    switch self {
    case .gpsd:
      "a file of gpsd's JSON lines, from gpspipe -w (-uu keeps the times of arrival) or gpsdecode -j"
    case .kitti: "a KITTI raw drive, or its oxts folder with timestamps.txt and data/"
    case .comma2k19: "a comma2k19 segment with processed_log/ and global_pose/"
    case .urbannav: "a folder of UrbanNav text files; the fixes as gpsd JSON in it, or by --gnss"
    case .kfgins: "a folder of KF-GINS text files, with its YAML if there is one"
    case .f9r:
      "a folder of imu.csv, gnss.csv and reference_*.csv of a u-blox F9R (imu_gnss_fusion), gzipped or not"
    case .gsdc: "a phone's folder with device_imu.csv and device_gnss.csv"
    case .nmea: "a file of NMEA 0183 with RMC or ZDA for the date; GGA, GST and VTG are used too"
    case .gnsslogger:
      "a text file of Google's GnssLogger with Fix, and UncalAccel and UncalGyro or Accel and Gyro"
    case .mcap:
      "an MCAP file (ROS 2 bag) with sensor_msgs/NavSatFix and Imu in CDR or JSON, or foxglove.LocationFix in JSON; also packed by lz4 or zstd"
    case .ulog: "a PX4 log with sensor_combined and vehicle_gps_position or sensor_gps"
    case .csv: "a folder or file of tables, with --map"
    }
  }

  /// Reads a drive of this format.
  public func read(_ path: String, options: ImportOptions = ImportOptions()) throws(DriveError) -> DriveImport
  {
    let name = options.name ?? Self.name(of: path)
    var drive: DriveImport
    switch self {
    case .gpsd: drive = try GPSDImport.read(path, name: name)
    case .kitti: drive = try KITTIImport.read(path, name: name)
    case .comma2k19: drive = try Comma2k19Import.read(path, name: name)
    case .urbannav: drive = try UrbanNavImport.read(path, name: name, fixes: options.gnss)
    case .kfgins: drive = try KFGINSImport.read(path, name: name)
    case .f9r: drive = try F9RImport.read(path, name: name)
    case .gsdc: drive = try GSDCImport.read(path, name: name)
    case .nmea: drive = try NMEAImport.read(path, name: name)
    case .gnsslogger: drive = try GnssLoggerImport.read(path, name: name)
    case .mcap: drive = try MCAPImport.read(path, name: name)
    case .ulog: drive = try ULogImport.read(path, name: name)
    case .csv: drive = try CSVImport.read(path, name: name, map: options.map)
    }
    if let frame = options.imuFrame, !drive.inertial.isEmpty {
      drive.description.imu = drive.description.imu ?? DriveDescription.IMU()
      drive.description.imu?.frame = frame.description.uppercased()
    }
    return drive
  }

  private static func name(of path: String) -> String {
    let last = path.split(separator: "/").last { $0 != "." && $0 != ".." && $0 != "oxts" } ?? "drive"
    return String(last.split(separator: ".").first ?? last)
  }
}

/// What may be told to an importer.
public struct ImportOptions: Sendable {
  /// Name of the drive; that of the file or folder if not given.
  public var name: String?
  /// Axes of the IMU, against what the format says.
  public var imuFrame: IMUFrame?
  /// A file of fixes as gpsd JSON, where the format has none.
  public var gnss: String?
  /// The map of columns for ``ImportFormat/csv``.
  public var map: String?

  /// Nothing told.
  public init() {}
}
