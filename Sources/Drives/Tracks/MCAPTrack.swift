import Navigation

/// MCAP with each point four times: `sensor_msgs/msg/NavSatFix` and `Imu` in CDR for ROS 2,
/// `foxglove.LocationFix` and `PoseInFrame` in JSON for Foxglove.
///
/// Times are Unix time where the origin is known. Heights are above the ellipsoid, covariances east, north,
/// up; the pose is that of ``LocalPose`` in the frame `map`. Without chunks and index: a file that is cut
/// off can be read up to there.
struct MCAPTrack: TrackEncoder {
  private enum Channel: UInt16 { case fix = 1, imu, location, pose }

  let origin: Timestamp?
  private var frame: LocalPose?
  private var sequence: UInt32 = 0

  init(origin: Timestamp?) { self.origin = origin }

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    bytes.append(MCAPRecord.magic)
    bytes.append(MCAPRecord.text(.header, MCAPRecord.string("") + MCAPRecord.string("reckon")))
    if let provenance {
      let (options, drive) = (provenance.options.joined(separator: " "), provenance.drive ?? "")
      bytes.append(
        MCAPRecord.metadata(
          "provenance",
          [
            ("version", provenance.version), ("commit", provenance.commit ?? ""), ("options", options),
            ("drive", drive), ("date", provenance.date),
          ]))
    }
    for (id, name, data, topic) in [
      (Channel.fix, "sensor_msgs/msg/NavSatFix", MCAPSchemas.navSatFix, "/reckon/fix"),
      (.imu, "sensor_msgs/msg/Imu", MCAPSchemas.imu, "/reckon/imu"),
      (.location, "foxglove.LocationFix", MCAPSchemas.locationFix, "/reckon/location"),
      (.pose, "foxglove.PoseInFrame", MCAPSchemas.poseInFrame, "/reckon/pose"),
    ] {
      let isROS = name.hasPrefix("sensor_msgs")
      bytes.append(
        MCAPRecord.schema(id.rawValue, name, encoding: isROS ? "ros2msg" : "jsonschema", data))
      bytes.append(
        MCAPRecord.channel(id.rawValue, schema: id.rawValue, topic: topic, encoding: isROS ? "cdr" : "json"))
    }
  }

  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard solution.hasPosition else { return }
    let time = origin.map { UTC.unix(solution.time, origin: $0) } ?? solution.time
    let stamp = UInt64(clamping: time.nanoseconds)
    let frame = self.frame ?? LocalPose(at: solution.position)
    self.frame = frame
    for (channel, data) in [
      (Channel.fix, Self.fix(solution, stamp)), (.imu, Self.imu(solution, stamp)),
      (.location, Array(Self.location(solution, stamp).utf8)),
      (.pose, Array(Self.pose(frame.pose(solution), stamp).utf8)),
    ] { bytes.append(MCAPRecord.message(channel.rawValue, sequence: sequence, time: stamp, data)) }
    sequence &+= 1
  }

  func end(_ bytes: inout ByteWriter) {
    bytes.append(MCAPRecord.text(.dataEnd, MCAPRecord.integer(UInt32(0))))
    bytes.append(
      MCAPRecord.text(
        .footer,
        MCAPRecord.integer(UInt64(0)) + MCAPRecord.integer(UInt64(0)) + MCAPRecord.integer(UInt32(0))))
    bytes.append(MCAPRecord.magic)
  }

  /// A covariance in NED by rows in east, north, up.
  static func enu(_ p: Matrix3) -> [Double] {
    [p.y.y, p.x.y, -p.z.y, p.x.y, p.x.x, -p.z.x, -p.z.y, -p.z.x, p.z.z]
  }

  private static func header(_ stamp: UInt64, _ frame: String) -> CDRWriter {
    var cdr = CDRWriter()
    cdr.append(Int32(truncatingIfNeeded: stamp / 1_000_000_000))
    cdr.append(UInt32(stamp % 1_000_000_000))
    cdr.append(frame)
    return cdr
  }

  private static func fix(_ solution: NavigationSolution, _ stamp: UInt64) -> [UInt8] {
    var cdr = header(stamp, "gnss")
    cdr.append(Int8(0))
    cdr.append(UInt16(0))
    cdr.append(solution.position.latitudeDegrees)
    cdr.append(Angle.degrees(radians: Angle.wrapped(solution.position.longitude)))
    cdr.append(solution.position.height)
    for value in enu(solution.positionCovariance) { cdr.append(value) }
    cdr.append(UInt8(3))
    return cdr.bytes
  }

  /// Attitude and angular rate; the specific force is not part of a solution, which −1 says.
  private static func imu(_ solution: NavigationSolution, _ stamp: UInt64) -> [UInt8] {
    var cdr = header(stamp, "base_link")
    let q = (LocalPose.enuFromNED * solution.navFromVehicle * LocalPose.frdFromFLU).normalized
    for value in [q.lanes.x, q.lanes.y, q.lanes.z, q.lanes.w] { cdr.append(value) }
    let known =
      solution.isAligned ? enu(solution.attitudeCovariance) : [-1] + [Double](repeating: 0, count: 8)
    for value in known { cdr.append(value) }
    let rate = solution.angularRate
    for value in [rate.x, -rate.y, -rate.z] { cdr.append(value) }
    for _ in 0..<9 { cdr.append(0.0) }
    for value in [0.0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0] { cdr.append(value) }
    return cdr.bytes
  }

  private static func timestamp(_ stamp: UInt64, _ frame: String) -> String {
    #"{"timestamp":{"sec":\#(stamp / 1_000_000_000),"nsec":\#(stamp % 1_000_000_000)},"frame_id":"\#(frame)""#
  }

  private static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

  private static func location(_ solution: NavigationSolution, _ stamp: UInt64) -> String {
    let longitude = Angle.degrees(radians: Angle.wrapped(solution.position.longitude))
    return timestamp(stamp, "gnss") + #","latitude":\#(number(solution.position.latitudeDegrees))"#
      + #","longitude":\#(number(longitude)),"altitude":\#(number(solution.position.height))"#
      + #","position_covariance":[\#(enu(solution.positionCovariance).map(number).joined(separator: ","))]"#
      + #","position_covariance_type":3}"#
  }

  private static func pose(_ pose: (position: Vector3, attitude: Quaternion), _ stamp: UInt64) -> String {
    let (p, q) = (pose.position, pose.attitude.lanes)
    return timestamp(stamp, "map")
      + #","pose":{"position":{"x":\#(number(p.x)),"y":\#(number(p.y)),"z":\#(number(p.z))},"#
      + #""orientation":{"x":\#(number(q.x)),"y":\#(number(q.y)),"z":\#(number(q.z)),"w":\#(number(q.w))}}}"#
  }
}
