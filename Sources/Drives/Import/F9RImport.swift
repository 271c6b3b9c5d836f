// Format: the "generic replay" data sets of yongkyuns/imu_gnss_fusion (manifest.json with schema
// generic-replay-v1), which hold drives of a u-blox F9R: CSV tables, packed by gzip as published. Times in
// seconds of one clock. imu: rad/s and m/s² in the module's own axes, each sample the end of its interval.
// gnss: the receiver's solution by satellites alone, standard deviations of position and velocity, NED.
// reference_position and reference_attitude: what the receiver itself made of both. reference_mount: roll,
// pitch and yaw that turn the module's axes to forward, left, up, as the receiver found them.
import JSON
import Navigation

enum F9RImport {
  /// A row of reference_position and one of reference_attitude belong together if they are no farther apart
  /// than this, s.
  private static let together = 0.05

  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    try Folder.require(path)
    guard let gnss = file(path, "gnss") else {
      throw .missingPart(path: path, part: "gnss.csv or gnss.csv.gz")
    }
    var drive = DriveImport(name: name)
    drive.description.source = "yongkyuns/imu_gnss_fusion"
    drive.description.licence = "MIT"
    drive.description.redistributable = true
    try readManifest(path, &drive)
    try readFixes(gnss, &drive)
    if let imu = file(path, "imu") {
      try readInertial(imu, &drive)
      let mount = try file(path, "reference_mount").map { file throws(DriveError) in try lastAngles(file) }
      describeFrame(mount ?? nil, &drive)
    } else {
      drive.notes.append("there is no imu.csv: the drive has fixes only")
    }
    if let position = file(path, "reference_position") {
      try readReceiver(position, attitude: file(path, "reference_attitude"), &drive)
    }
    return drive
  }

  /// The table of that name, as it is or packed.
  private static func file(_ folder: String, _ name: String) -> String? {
    [".csv", ".csv.gz"].map { "\(folder)/\(name)\($0)" }.first { Folder.exists($0) }
  }

  private static func readManifest(_ folder: String, _ drive: inout DriveImport) throws(DriveError) {
    let path = folder + "/manifest.json"
    guard Folder.exists(path) else { return }
    let text = try Folder.contents(of: path, limit: 1 << 20)
    guard let manifest = try? JSONParser.read(text[...], limits: .file) else {
      throw .malformedFile(file: path, reason: "not valid JSON")
    }
    for key in ["title", "description"] {
      if let words = manifest[key]?.string, !words.isEmpty { drive.description.notes.append(words) }
    }
    if let id = manifest["dataset_id"]?.string {
      drive.description.source = "yongkyuns/imu_gnss_fusion, web/datasets/\(id)"
    }
  }

  // MARK: Sensors

  private static func readInertial(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    try drive.readTable(path, isRagged: true) { columns throws(DriveError) in
      let time = try columns.require("t_s")
      let rates = try TriadColumns(columns, "gx_radps", "gy_radps", "gz_radps")
      let forces = try TriadColumns(columns, "ax_mps2", "ay_mps2", "az_mps2")
      return { rows, drive throws(DriveError) in
        drive.inertial.append(
          InertialSample(
            time: try rows.time(time, "t_s"), angularRate: try rates.finite(rows),
            specificForce: try forces.finite(rows)))
      }
    }
  }

  private static func readFixes(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    try drive.readTable(path, isRagged: true) { columns throws(DriveError) in
      let time = try columns.require("t_s")
      let place = try position(columns)
      let velocity = try TriadColumns(columns, "vn_mps", "ve_mps", "vd_mps")
      let sigma = try TriadColumns(columns, "pos_std_n_m", "pos_std_e_m", "pos_std_d_m")
      let deviation = try TriadColumns(columns, "vel_std_n_mps", "vel_std_e_mps", "vel_std_d_mps")
      return { rows, drive throws(DriveError) in
        let sigma = try sigma.numbers(rows)
        let deviation = try deviation.numbers(rows)
        let velocity = try velocity.numbers(rows)
        var fix = GNSSFix(
          time: try rows.time(time, "t_s"), position: try place(rows),
          positionSigma: sigma.isFinite && sigma.x > 0 && sigma.y > 0 ? sigma : nil,
          velocityNED: Vector3(horizontal: velocity.x, velocity.y, down: velocity.z))
        if deviation.x > 0, deviation.y > 0, deviation.x.isFinite, deviation.y.isFinite {
          fix.speedSigma = max(deviation.x, deviation.y)
        }
        drive.fixes.append(fix)
      }
    }
    drive.description.gnss = "GNSS-only solution of the receiver, with velocity and stated accuracy"
  }

  // MARK: The receiver's own solution

  private static func readReceiver(
    _ path: String, attitude: String?, _ drive: inout DriveImport
  ) throws(DriveError) {
    var angles: [(time: Timestamp, value: Vector3)] = []
    if let attitude {
      try readAngles(attitude, &drive) { angles.append(($0, $1)) }
      if zip(angles, angles.dropFirst()).contains(where: { $0.1.time < $0.0.time }) {
        angles.sort { $0.time < $1.time }
      }
    }
    var next = 0
    try drive.readTable(path, isRagged: true) { columns throws(DriveError) in
      let time = try columns.require("t_s")
      let place = try position(columns)
      let velocity = try TriadColumns(columns, "vn_mps", "ve_mps", "vd_mps")
      let heading = columns.find("heading_rad")
      return { rows, drive throws(DriveError) in
        let velocity = try velocity.numbers(rows)
        let stamp = try rows.time(time, "t_s")
        let yaw = try heading.map { i throws(DriveError) in try rows.number(i, "heading_rad") }
        var sample = TruthSample(
          time: stamp, position: try place(rows),
          velocityNED: Vector3(horizontal: velocity.x, velocity.y, down: velocity.z), yaw: yaw?.known)
        while next + 1 < angles.count,
          abs(angles[next + 1].time.seconds(since: stamp)) <= abs(angles[next].time.seconds(since: stamp))
        {
          next += 1
        }
        if next < angles.count, abs(angles[next].time.seconds(since: stamp)) <= together {
          let value = angles[next].value
          (sample.roll, sample.pitch, sample.yaw) = (value.x, value.y, value.z)
        }
        drive.receiver.append(sample)
      }
    }
    drive.notes.append("receiver.csv is what the receiver itself made of its IMU and the satellites")
  }

  /// Hands on time and roll, pitch, yaw in radians of each row.
  private static func readAngles(
    _ path: String, _ drive: inout DriveImport, _ body: @escaping (Timestamp, Vector3) -> Void
  ) throws(DriveError) {
    try drive.readTable(path, isRagged: true) { columns throws(DriveError) in
      let time = try columns.require("t_s")
      let angles = try TriadColumns(columns, "roll_deg", "pitch_deg", "yaw_deg")
      return { rows, _ throws(DriveError) in
        let degrees = try angles.finite(rows)
        body(try rows.time(time, "t_s"), degrees * Angle.radians(degrees: 1))
      }
    }
  }

  // MARK: Mounting

  private static func lastAngles(_ path: String) throws(DriveError) -> Vector3? {
    var last: Vector3?
    var unused = DriveImport(name: "")
    try readAngles(path, &unused) { last = $1 }
    return last
  }

  /// Names the nearest signed permutation of the module's axes: what is left of the mounting the engine finds
  /// by itself.
  private static func describeFrame(_ mount: Vector3?, _ drive: inout DriveImport) {
    let count = Double(max(1, drive.inertial.count))
    let force = drive.inertial.reduce(Vector3.zero) { $0 + $1.specificForce } * (1 / count)
    var frdFromModule: Matrix3?
    if let mount {
      let fluFromModule = Quaternion(roll: mount.x, pitch: mount.y, yaw: mount.z).matrix
      frdFromModule = Matrix3(diagonal: Vector3(1, -1, -1)) * fluFromModule
    }
    let isBorneOut = frdFromModule.map { ($0 * force).z < -0.5 * force.norm } ?? false
    let terms = ["x", "y", "z"].flatMap { [$0, "-" + $0] }
    let frames = terms.flatMap { a in terms.flatMap { b in terms.map { "\(a),\(b),\($0)" } } }.compactMap(
      IMUFrame.init)
    let fit = { (frame: IMUFrame) -> Double in
      let matrix = frame.frdFromIMU
      if isBorneOut, let frdFromModule {
        return matrix.x.dot(frdFromModule.x) + matrix.y.dot(frdFromModule.y) + matrix.z.dot(frdFromModule.z)
      }
      // Down is where gravity is; forward cannot be told, and the module's own x is as good as any.
      return -(matrix * force).z / max(force.norm, 1e-9) + 0.1 * matrix.x.x
    }
    let best = frames.max { fit($0) < fit($1) } ?? .frd
    drive.description.imu = .init(
      model: "u-blox F9R",
      frame: "\(best.description) (forward, right and down in the module's axes, by "
        + (isBorneOut ? "the mounting that the receiver found" : "gravity alone: forward is a guess") + ")")
    if mount != nil, !isBorneOut {
      drive.notes.append("gravity contradicts reference_mount, which was not used")
    }
  }

  private static func position(
    _ columns: ColumnIndex
  ) throws(DriveError) -> (borrowing TextRows) throws(DriveError) -> GeodeticPosition {
    let latitude = try columns.require("lat_deg")
    let longitude = try columns.require("lon_deg")
    let height = try columns.require("height_m")
    return { rows throws(DriveError) in
      GeodeticPosition(
        latitudeDegrees: try rows.finite(latitude, "lat_deg"),
        longitudeDegrees: try rows.finite(longitude, "lon_deg"),
        height: try rows.number(height, "height_m").known ?? .nan)
    }
  }
}
