import Drives
import Foundation
import Navigation
import TestParts
import Testing

/// Tracks as other programs read them.
struct TrackExchangeTests {
  /// 1 March 2026, 12:00:00 UTC.
  private static let origin = Timestamp(nanoseconds: 1_772_366_400_000_000_000)
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  /// A curve at 10 Hz.
  private static let solutions = (0..<200).map { (i: Int) -> NavigationSolution in
    let t = Double(i) / 10
    let place = Made.origin.moved(byNED: Vector3(8 * t, 30 * sin(t / 8), -0.1 * t))
    return NavigationSolution(
      time: Timestamp(nanoseconds: Int64(i) * 100_000_000), mode: .aided, position: place,
      velocityNED: Vector3(8, 30 / 8 * cos(t / 8), -0.1),
      navFromVehicle: Quaternion(roll: 0.01 * sin(t), pitch: 0.02, yaw: 0.4 + t / 40),
      angularRate: Vector3(0.01, 0.02, 0.03),
      positionCovariance: Matrix3(
        columns: Vector3(4, 0.5, 0.25), Vector3(0.5, 9, 0.125), Vector3(0.25, 0.125, 16)),
      velocityCovariance: Matrix3(scalar: 0.25), attitudeCovariance: Matrix3(scalar: 0.01))
  }

  /// Of a folder with a name that is not easy to write down.
  private static let provenance = Provenance(
    version: "9.9.9", commit: nil, options: ["--rate", "5"], drive: "a/<b>\n& \"c\"",
    date: "2026-03-02T12:00:00Z")

  private func write(_ name: String, format: TrackFormat? = nil, times: String? = nil) throws -> String {
    let path = folder + "/" + name
    var writer = try TrackWriter(
      path: path, format: format, unixTimeOfOrigin: Self.origin, times: times.map { folder + "/" + $0 },
      provenance: Self.provenance)
    for solution in Self.solutions { try writer.write(solution) }
    try writer.finish()
    return path
  }

  @Test(arguments: [
    ("track.gpx", "gpx", nil), ("old.gpx", "gpx", TrackFormat.gpx10), ("track.kml", "kml", nil),
  ])
  func gpsbabelReads(name: String, format: String, as own: TrackFormat?) throws {
    guard OtherTool.has("gpsbabel", package: "gpsbabel") else { return }
    let path = try write(name, format: own)
    let text = try OtherTool.run(
      "gpsbabel", ["-t", "-i", format, "-f", path, "-o", "unicsv,utc=0", "-F", "-"])
    let rows = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let names = try #require(rows.first).map(String.init)
    // KML's lines share their ends.
    #expect(rows.count - 1 >= Self.solutions.count && rows.count - 1 <= Self.solutions.count + 3)
    let column = { (name: String) in names.firstIndex(of: name) }
    let latitude = try #require(column("Latitude"))
    #expect(abs((Double(rows[1][latitude]) ?? 0) - Self.solutions[0].position.latitudeDegrees) < 1e-6)
    guard format == "gpx" else { return }
    #expect(rows[1][try #require(column("Date"))] == "2026/03/01")
    #expect(rows[1][try #require(column("Time"))].hasPrefix("12:00:00"))
    guard own == .gpx10 else { return }
    let (speed, course) = (try #require(column("Speed")), try #require(column("Course")))
    #expect(abs((Double(rows[1][speed]) ?? 0) - Self.solutions[0].speed) < 0.01)
    #expect(abs((Double(rows[1][course]) ?? 0) - Self.solutions[0].course * 180 / .pi) < 0.1)
  }

  @Test(arguments: ["track.geojson", "track.kml", "track.gpx"]) func ogrinfoReads(name: String) throws {
    guard OtherTool.has("ogrinfo", package: "gdal-bin") else { return }
    let text = try OtherTool.run("ogrinfo", ["-ro", "-al", "-so", try write(name)])
    #expect(text.contains("using driver"), "\(text)")
    #expect(
      text.contains("Feature Count: \(name.hasSuffix("geojson") ? 200 : name.hasSuffix("kml") ? 3 : 1)"),
      "\(text)")
    if name.hasSuffix("geojson") { #expect(text.contains("horizontal_accuracy_68_m: Real")) }
  }

  /// Both files of one track hold the same poses; evo's tracks need not have our times' digits.
  @Test func evoReadsTUMAndKITTI() throws {
    guard PythonTools.has("evo") else { return }
    let (tum, kitti) = (try write("track.tum"), try write("track.kitti", times: "times.txt"))
    let answer = try PythonTools.run(
      """
      import sys, json, numpy as np
      from evo.tools import file_interface
      a = file_interface.read_tum_trajectory_file(sys.argv[1])
      b = file_interface.read_kitti_poses_file(sys.argv[2])
      t = np.loadtxt(sys.argv[3])
      print(json.dumps({"count": [len(a.poses_se3), len(b.poses_se3), len(t)],
        "poses": float(max(np.abs(p - q).max() for p, q in zip(a.poses_se3, b.poses_se3))),
        "times": float(np.abs(a.timestamps - t).max()), "valid": [bool(a.check()[0]), bool(b.check()[0])],
        "length": float(a.path_length)}))
      """, [tum, kitti, folder + "/times.txt"])
    #expect(answer["count"] as? [Int] == [200, 200, 200])
    #expect(answer["valid"] as? [Bool] == [true, true])
    #expect((answer["poses"] as? Double ?? 1) < 1e-8 && (answer["times"] as? Double ?? 1) < 1e-6)
    let length = zip(Self.solutions, Self.solutions.dropFirst()).reduce(0) {
      $0 + $1.1.position.displacement($1.0.position)
    }
    #expect(abs((answer["length"] as? Double ?? 0) - length) < 0.05)
  }

  private static let mcapScript = """
    import sys, json
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory
    found = {}
    with open(sys.argv[1], "rb") as f:
        for schema, channel, message in make_reader(f).iter_messages():
            found.setdefault(channel.topic, []).append((schema, channel, message))
    ros = {}
    with open(sys.argv[1], "rb") as f:
        for schema, channel, message, m in make_reader(f, decoder_factories=[DecoderFactory()]).iter_decoded_messages(
                topics=["/reckon/fix", "/reckon/imu"]):
            ros.setdefault(channel.topic, []).append(m)
    fix, imu = ros["/reckon/fix"][7], ros["/reckon/imu"][7]
    location = json.loads(found["/reckon/location"][7][2].data)
    pose = json.loads(found["/reckon/pose"][7][2].data)
    with open(sys.argv[1], "rb") as f:
        made = [(m.name, dict(m.metadata)) for m in make_reader(f).iter_metadata()]
    print(json.dumps({"made": made, "counts": {k: len(v) for k, v in found.items()},
      "names": sorted(v[0][0].name for v in found.values()),
      "time": found["/reckon/fix"][7][2].log_time - 1772366400000000000,
      "stamp": [fix.header.stamp.sec, fix.header.stamp.nanosec], "frame": fix.header.frame_id,
      "fix": [fix.latitude, fix.longitude, fix.altitude, *fix.position_covariance], "type": fix.position_covariance_type,
      "rate": [imu.angular_velocity.x, imu.angular_velocity.y, imu.angular_velocity.z],
      "turn": [imu.orientation.x, imu.orientation.y, imu.orientation.z, imu.orientation.w],
      "force": imu.linear_acceleration_covariance[0],
      "location": [location["latitude"], location["longitude"], location["altitude"], *location["position_covariance"]],
      "pose": [pose["pose"]["position"][k] for k in "xyz"] + [pose["pose"]["orientation"][k] for k in "xyzw"]}))
    """

  /// CDR and JSON by the readers of their makers, number by number.
  @Test func mcapIsReadByItsOwnReaders() throws {
    guard PythonTools.has("mcap_ros2.decoder") else { return }
    let answer = try PythonTools.run(Self.mcapScript, [try write("track.mcap")])
    let made = try #require((answer["made"] as? [[Any]])?.first)
    #expect(made.first as? String == "provenance")
    #expect((made.last as? [String: String])?["drive"] == Self.provenance.drive)
    #expect((made.last as? [String: String])?["version"] == "9.9.9")
    #expect((answer["counts"] as? [String: Int])?.values.allSatisfy { $0 == 200 } == true)
    #expect(
      answer["names"] as? [String] == [
        "foxglove.LocationFix", "foxglove.PoseInFrame", "sensor_msgs/msg/Imu", "sensor_msgs/msg/NavSatFix",
      ])
    #expect(
      answer["time"] as? Int == 700_000_000 && answer["stamp"] as? [Int] == [1_772_366_400, 700_000_000])
    let solution = Self.solutions[7]
    let place = [
      solution.position.latitudeDegrees, solution.position.longitudeDegrees, solution.position.height,
    ]
    let covariance: [Double] = [9, 0.5, -0.125, 0.5, 4, -0.25, -0.125, -0.25, 16]
    #expect(
      answer["fix"] as? [Double] == place + covariance
        && answer["location"] as? [Double] == place + covariance)
    #expect(answer["rate"] as? [Double] == [0.01, -0.02, -0.03] && answer["force"] as? Double == -1)
    let pose = try #require(answer["pose"] as? [Double])
    let turn = try #require(answer["turn"] as? [Double])
    #expect(abs(pose[0] - 30 * sin(0.7 / 8)) < 1e-3 && abs(pose[1] - 5.6) < 1e-3)
    // Yaw from east to the left is 90° less that from north to the right.
    let yaw = 2 * atan2(turn[2], turn[3])
    #expect(abs(Angle.wrapped(yaw - (.pi / 2 - 0.4 - 0.7 / 40))) < 2e-3)
  }

  @Test func exactNumbersComeBackToTheBit() throws {
    let text = try String(contentsOfFile: write("track.csv", format: .exactCSV), encoding: .utf8)
    let rows = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let names = rows[0].map(String.init)
    for (row, solution) in zip(rows.dropFirst(), Self.solutions) {
      let number = { (name: String) in names.firstIndex(of: name).flatMap { Double(row[$0]) } }
      #expect(number("latitude_deg") == solution.position.latitudeDegrees)
      #expect(number("longitude_deg") == solution.position.longitudeDegrees)
      #expect(number("height_m") == solution.position.height)
      #expect(number("velocity_east_m_s") == solution.velocityNED.y)
      #expect(number("roll_deg") == Angle.degrees(radians: solution.navFromVehicle.roll))
    }
  }

  @Test(arguments: ["track.gpx-1.0", "track.csv-exact"]) func namesOfFormatsAreNoEndings(path: String) {
    #expect(throws: DriveError.self) { try TrackFormat(path: path) }
  }
}

extension GeodeticPosition {
  fileprivate func displacement(_ other: GeodeticPosition) -> Double { ned(from: other).norm }
}
