import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// Files of other programs' own writers, imported.
struct ImportExchangeTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// A bag as ROS 2 writes it, packed in each of the ways.
  @Test(arguments: ["NONE", "LZ4", "ZSTD"]) func bagsOfROS2AreRead(compression: String) throws {
    guard PythonTools.has("mcap_ros2.writer") else { return }
    let path = folder + "/bag.mcap"
    try PythonTools.run(Self.bag, [path, compression])
    let drive = try ImportFormat.mcap.read(path)
    #expect(drive.fixes.count == 50 && drive.inertial.count == 500 && drive.isUTC)
    let fix = drive.fixes[3]
    #expect(fix.time.nanoseconds == 1_772_366_400_600_000_000)
    #expect(abs(fix.position.latitudeDegrees - 52.50003) < 1e-12 && fix.position.height == 43)
    #expect(fix.positionSigma == Vector3(3, 2, 5), "north, east, down of a covariance east, north, up")
    #expect(fix.received.map { $0.nanoseconds - fix.time.nanoseconds } == 50_000_000)
    let sample = drive.inertial[10]
    #expect(sample.angularRate == Vector3(0.25, -0.5, 10) && sample.specificForce == Vector3(1, 2, 9.75))
    #expect(drive.description.imu?.frame == "FLU")
    #expect(drive.notes.contains { $0.hasPrefix("5 fixes of another topic, /other") })
    #expect(drive.rejections[0].rejected == 1, "a fix without satellites")
  }

  private static let bag = """
    import sys
    from mcap_ros2.writer import Writer
    from mcap.writer import CompressionType
    header = "std_msgs/Header header\\n"
    tail = "\\n".join(["", "=" * 80, "MSG: std_msgs/Header", "builtin_interfaces/Time stamp", "string frame_id"])
    fix = header + "\\n".join(["sensor_msgs/NavSatStatus status", "float64 latitude", "float64 longitude", "float64 altitude",
        "float64[9] position_covariance", "uint8 position_covariance_type", "=" * 80, "MSG: sensor_msgs/NavSatStatus", "int8 status",
        "uint16 service"]) + tail
    imu = header + "\\n".join(["geometry_msgs/Quaternion orientation", "float64[9] orientation_covariance",
        "geometry_msgs/Vector3 angular_velocity", "float64[9] angular_velocity_covariance",
        "geometry_msgs/Vector3 linear_acceleration", "float64[9] linear_acceleration_covariance", "=" * 80,
        "MSG: geometry_msgs/Quaternion", "float64 x", "float64 y", "float64 z", "float64 w", "=" * 80,
        "MSG: geometry_msgs/Vector3", "float64 x", "float64 y", "float64 z"]) + tail
    zero = 1772366400
    head = lambda ns: {"stamp": {"sec": zero + ns // 10**9, "nanosec": ns % 10**9}, "frame_id": "some_frame"}
    with open(sys.argv[1], "wb") as f:
        w = Writer(f, compression=CompressionType[sys.argv[2]])
        fixes = w.register_msgdef("sensor_msgs/msg/NavSatFix", fix)
        imus = w.register_msgdef("sensor_msgs/msg/Imu", imu)
        def place(topic, i, status=0):
            ns = i * 200_000_000
            w.write_message(topic, fixes, {"header": head(ns), "status": {"status": status, "service": 1},
                "latitude": 52.5 + i * 1e-5, "longitude": 13.4, "altitude": 40.0 + i,
                "position_covariance": [4.0, 0, 0, 0, 9.0, 0, 0, 0, 25.0], "position_covariance_type": 2},
                log_time=zero * 10**9 + ns + 50_000_000, publish_time=zero * 10**9 + ns)
        for i in range(50):
            place("/fix", i)
            if i < 5: place("/other", i)
        place("/fix", 60, status=-1)
        for i in range(500):
            w.write_message("/imu", imus, {"header": head(i * 10_000_000), "orientation": {"x": 0, "y": 0, "z": 0, "w": 1},
                "orientation_covariance": [0.0] * 9, "angular_velocity": {"x": 0.25, "y": -0.5, "z": float(i)},
                "angular_velocity_covariance": [0.0] * 9, "linear_acceleration": {"x": 1.0, "y": 2.0, "z": 9.75},
                "linear_acceleration_covariance": [0.0] * 9}, log_time=zero * 10**9 + i * 10_000_000)
        w.finish()
    """

  /// Packed by what is not read: said with what to do.
  @Test func aPackingThatIsNotReadIsSaid() throws {
    guard PythonTools.has("mcap_ros2.writer") else { return }
    let path = folder + "/bag.mcap"
    try PythonTools.run(Self.bag, [path, "ZSTD"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    while let name = bytes.range(of: Data("zstd".utf8)) {
      bytes.replaceSubrange(name, with: Data("xstd".utf8))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: DriveError.self) { try ImportFormat.mcap.read(path) }
    do { _ = try ImportFormat.mcap.read(path) } catch {
      #expect("\(error)".contains("mcap compress --compression none"))
    }
  }

  /// Chunks that are damaged, each in another byte, are left out and said.
  @Test(arguments: ["LZ4", "ZSTD"]) func damagedChunksAreLeftOut(compression: String) throws {
    guard PythonTools.has("mcap_ros2.writer") else { return }
    let path = folder + "/bag.mcap"
    try PythonTools.run(Self.bag, [path, compression])
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    // Behind the head of the only chunk, whose packed records are most of the file.
    for place in stride(from: 2000, to: min(whole.count - 2000, 9000), by: 700) {
      var broken = whole
      broken[place] ^= 0xFF
      try broken.write(to: URL(fileURLWithPath: path))
      if let drive = try? ImportFormat.mcap.read(path) { #expect(drive.fixes.count <= 50) }
    }
  }

  /// What we write ourselves, JSON included.
  @Test func ourOwnTrackComesBack() throws {
    let path = folder + "/track.mcap"
    var writer = try TrackWriter(
      path: path, unixTimeOfOrigin: Timestamp(nanoseconds: 1_772_366_400_000_000_000))
    for i in 0..<20 { try writer.write(Made.solution(Double(i), at: Made.origin)) }
    try writer.finish()
    let drive = try ImportFormat.mcap.read(path)
    #expect(drive.fixes.count == 20 && drive.inertial.isEmpty, "the force is not known")
    #expect(drive.fixes[5].position.ned(from: Made.origin).norm < 1e-6)
    #expect(drive.fixes[5].positionSigma == Vector3(1, 1, 1))
    #expect(drive.notes.contains { $0.contains("20 fixes of another topic") })
    // Cut off within a message: what is whole is read.
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.prefix(whole.count - 3000).write(to: URL(fileURLWithPath: path))
    let rest = try ImportFormat.mcap.read(path)
    #expect((15...19).contains(rest.fixes.count) && rest.notes.contains { $0.contains("cut off") })
  }

  /// A length or a code that cannot be: what stands before it is read, and it is said where it is.
  @Test(arguments: [(8, 0xFF), (6, 0xFF), (3, 0xFF), (0, 0)] as [(Int, UInt8)])
  func whatStandsBeforeADamageIsRead(place: Int, value: UInt8) throws {
    let path = folder + "/track.mcap"
    var writer = try TrackWriter(path: path)
    for i in 0..<20 { try writer.write(Made.solution(Double(i), at: Made.origin)) }
    try writer.finish()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var start = 8
    while start < bytes.count / 2 {
      start += 9 + (0..<8).reduce(0) { $0 + Int(bytes[start + 1 + $1]) << (8 * $1) }
    }
    bytes[start + place] = value
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let drive = try ImportFormat.mcap.read(path)
    #expect((5...15).contains(drive.fixes.count))
    let note = "byte \(start): the \(bytes.count - start) bytes from there on were left out"
    #expect(drive.notes.contains { $0.contains(note) && $0.contains("mcap recover") }, "\(drive.notes)")
  }

  /// Any damage is an error or a note, never a trap.
  @Test func damagedFilesDoNoHarm() throws {
    let path = folder + "/track.mcap"
    var writer = try TrackWriter(path: path)
    for i in 0..<3 { try writer.write(Made.solution(Double(i), at: Made.origin)) }
    try writer.finish()
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for (bytes, format) in [(whole, ImportFormat.mcap), (ULogMade.log(), .ulog)] {
      for i in stride(from: 8, to: bytes.count, by: max(1, bytes.count / 300)) {
        var broken = bytes
        broken[i] ^= 0xFF
        try Data(broken).write(to: URL(fileURLWithPath: path))
        _ = try? format.read(path)
      }
    }
  }

  @Test func logsOfPX4AreReadAsPyulogReadsThem() throws {
    let path = folder + "/log.ulg"
    try Data(ULogMade.log()).write(to: URL(fileURLWithPath: path))
    var drive = try ImportFormat.ulog.read(path)
    #expect(drive.inertial.count == 100 && drive.fixes.count == 10 && drive.receiver.count == 10)
    let fix = drive.fixes[4]
    #expect(abs(fix.position.latitudeDegrees - 52.5004) < 1e-9 && abs(fix.position.height - 44.5) < 1e-9)
    #expect(fix.velocityNED == Vector3(1, 2, -0.5) && fix.speedSigma == 0.25)
    #expect(
      drive.inertial[7].angularRate == Vector3(0.5, -0.25, 7) && drive.inertial[7].specificForce.z == -9.75)
    try drive.write(to: folder + "/drive")
    let description = try DriveReader(path: folder + "/drive").description
    #expect(description.startUTC?.nanoseconds == 1_772_366_400_000_000_000)
    guard PythonTools.has("pyulog") else { return }
    let answer = try PythonTools.run(
      """
      import sys, json
      from pyulog import ULog
      log = ULog(sys.argv[1])
      gps, imu = log.get_dataset("vehicle_gps_position").data, log.get_dataset("sensor_combined").data
      print(json.dumps({"lat": int(gps["lat"][4]), "north": float(gps["vel_n_m_s"][4]), "rate": float(imu["gyro_rad[2]"][7]),
        "count": len(imu["timestamp"])}))
      """, [path])
    #expect(answer["lat"] as? Int == 525_004_000 && answer["north"] as? Double == 1)
    #expect(answer["rate"] as? Double == 7 && answer["count"] as? Int == 100)
  }

  /// NMEA as gpsbabel makes it of our own track.
  @Test func sentencesOfGpsbabelAreRead() throws {
    guard OtherTool.has("gpsbabel", package: "gpsbabel") else { return }
    let path = folder + "/track.gpx"
    // Over midnight of 1 March 2026.
    var writer = try TrackWriter(
      path: path, format: .gpx10, unixTimeOfOrigin: Timestamp(nanoseconds: 1_772_409_590_000_000_000))
    let places = (0..<20).map { Made.origin.moved(byNED: Vector3(0, 10 * Double($0), 0)) }
    for (i, place) in places.enumerated() {
      try writer.write(Made.solution(Double(i), at: place, velocity: Vector3(0, 10, 0)))
    }
    try writer.finish()
    let log = folder + "/track.nmea"
    try OtherTool.run("gpsbabel", ["-t", "-i", "gpx", "-f", path, "-o", "nmea", "-F", log])
    let drive = try ImportFormat.nmea.read(log)
    #expect(drive.fixes.count == 20 && drive.rejections[0].rejected == 0)
    for (i, (fix, place)) in zip(drive.fixes, places).enumerated() {
      #expect(fix.time.nanoseconds == 1_772_409_590_000_000_000 + Int64(i) * 1_000_000_000)
      // It writes thousandths of a minute.
      #expect(fix.position.ned(from: place).horizontalNorm < 1.4)
      #expect(((fix.velocityNED ?? .zero) - Vector3(0, 10, .nan)).horizontalNorm < 0.1)
    }
  }
}

/// A log as PX4 writes it.
enum ULogMade {
  private static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
  private static func bytes(_ value: Float) -> [UInt8] { bytes(value.bitPattern) }
  private static func bytes(_ value: Double) -> [UInt8] { bytes(value.bitPattern) }
  private static func message(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    bytes(UInt16(content.count)) + Array(kind.utf8) + content
  }

  static func log() -> [UInt8] {
    var log: [UInt8] = [0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 0x01] + bytes(UInt64(1000))
    log += message("B", [UInt8](repeating: 0, count: 40))
    for format in [
      "sensor_combined:uint64_t timestamp;float[3] gyro_rad;uint32_t gyro_integral_dt;float[3] accelerometer_m_s2;uint8_t[4] _padding0;",
      "vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;int32_t lat;int32_t lon;int32_t alt;int32_t alt_ellipsoid;"
        + "float eph;float epv;float s_variance_m_s;float vel_n_m_s;float vel_e_m_s;float vel_d_m_s;uint8_t fix_type;bool vel_ned_valid;",
      "vehicle_global_position:uint64_t timestamp;double lat;double lon;float alt;float alt_ellipsoid;",
    ] { log += message("F", Array(format.utf8)) }
    for (id, name) in ["sensor_combined", "vehicle_gps_position", "vehicle_global_position"].enumerated() {
      log += message("A", [0] + bytes(UInt16(id)) + Array(name.utf8))
    }
    for i in 0..<100 {
      let time = bytes(UInt64(5_000_000 + i * 10_000))
      let rate = bytes(Float(0.5)) + bytes(Float(-0.25)) + bytes(Float(i))
      let force = bytes(Float(0)) + bytes(Float(0)) + bytes(Float(-9.75))
      log += message("D", bytes(UInt16(0)) + time + rate + bytes(UInt32(10_000)) + force)
      guard i % 10 == 0 else { continue }
      let n = i / 10
      let utc = bytes(UInt64(1_772_366_400_000_000 + i * 10_000))
      let place = bytes(Int32(525_000_000 + n * 1000)) + bytes(Int32(134_000_000)) + bytes(Int32(0))
      let speeds = [Float(1.5), 2.5, 0.25, 1, 2, -0.5].flatMap(bytes)
      log += message(
        "D", bytes(UInt16(1)) + time + utc + place + bytes(Int32(40_500 + n * 1000)) + speeds + [3, 1])
      log += message(
        "D",
        bytes(UInt16(2)) + time + bytes(52.5 + Double(n) * 1e-4) + bytes(13.4) + bytes(Float(0))
          + bytes(Float(40)))
    }
    return log
  }
}
