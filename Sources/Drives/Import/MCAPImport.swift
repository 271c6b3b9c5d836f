// Messages: sensor_msgs/NavSatFix and Imu of ROS 2 in CDR or JSON, foxglove.LocationFix in JSON. ROS has
// axes forward, left, up (REP 103, 145), covariances east, north, up, and heights above the ellipsoid.
import JSON
import Navigation

enum MCAPImport {
  /// Delays in seconds from the stamp of a message to its log that arrival can have.
  private static let usualDelay = 0.0...5.0

  static func read(_ path: String, name: String) throws(DriveError) -> DriveImport {
    var drive = DriveImport(name: name)
    drive.description.source = "MCAP"
    var reader = try MCAPReader(path: path)
    var fixes: [String: [GNSSFix]] = [:]
    var inertial: [String: [InertialSample]] = [:]
    var others: [String: Int] = [:]
    var rejections = ImportRejections(file: path)
    try reader.read { channel, log, data in
      let schema = channel.schema.split(separator: "/").last.map(String.init) ?? ""
      guard ["NavSatFix", "Imu", "foxglove.LocationFix"].contains(schema),
        let body = Body(channel.encoding, data)
      else {
        others[channel.schema, default: 0] += 1
        return
      }
      let isRead =
        schema == "Imu"
        ? Message.inertial(body, log).map { inertial[channel.topic, default: []].append($0) } != nil
        : Message.fix(body, log, isROS: schema == "NavSatFix").map {
          fixes[channel.topic, default: []].append($0)
        } != nil
      if isRead {
        rejections.accepted += 1
      } else {
        rejections.reject(
          .malformedFile(file: path, reason: "a message of \(channel.topic) says nothing that can be used"))
      }
    }
    drive.notes += reader.notes
    drive.notes += others.sorted { $0.key < $1.key }.map {
      "\($0.value) messages of \($0.key) were passed over"
    }
    drive.fixes = drive.most(fixes, "fixes", of: "topic").rows
    drive.inertial = drive.most(inertial, "inertial samples", of: "topic").rows
    if !drive.inertial.isEmpty { drive.description.imu = .init(model: nil, frame: "FLU") }
    drive.isUTC = (drive.fixes.first?.time ?? drive.inertial.first?.time)?.seconds ?? 0 > 3e8
    drive.rejections.append(rejections)
    if drive.fixes.isEmpty, drive.inertial.isEmpty { throw .nothingToImport(path: path) }
    return drive
  }

  /// A message as its encoding has it.
  fileprivate enum Body {
    case cdr(CDRReader)
    case json(JSON)

    init?(_ encoding: String, _ data: ArraySlice<UInt8>) {
      switch encoding {
      case "cdr":
        guard let reader = CDRReader(data) else { return nil }
        self = .cdr(reader)
      case "json":
        guard let json = try? JSONParser.read(data, limits: .file) else { return nil }
        self = .json(json)
      default: return nil
      }
    }
  }

  fileprivate enum Message {
    static func fix(_ body: Body, _ log: UInt64, isROS: Bool) -> GNSSFix? {
      var stamp: UInt64?
      var place: [Double]
      var covariance: [Double]
      var kind: Int
      switch body {
      case .cdr(var cdr):
        guard isROS else { return nil }
        stamp = header(&cdr)
        guard let status = cdr.integer(Int8.self), status >= 0, cdr.integer(UInt16.self) != nil,
          let numbers = cdr.doubles(12), let type = cdr.integer(UInt8.self)
        else { return nil }
        (place, covariance, kind) = (Array(numbers[..<3]), Array(numbers[3...]), Int(type))
      case .json(let json):
        stamp = time(json)
        if let status = json["status"]?["status"]?.double, status < 0 { return nil }
        guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double else {
          return nil
        }
        place = [latitude, longitude, json["altitude"]?.double ?? .nan]
        covariance = json["position_covariance"]?.array?.compactMap(\.double) ?? []
        kind = Int(json["position_covariance_type"]?.double ?? 0)
      }
      guard abs(place[0]) <= 90, abs(place[1]) <= 360 else { return nil }
      let time = Timestamp(nanoseconds: Int64(clamping: stamp.flatMap { $0 > 0 ? $0 : nil } ?? log))
      var fix = GNSSFix(
        time: time,
        position: GeodeticPosition(latitudeDegrees: place[0], longitudeDegrees: place[1], height: place[2]))
      let arrival = Timestamp(nanoseconds: Int64(clamping: log))
      if stamp ?? 0 > 0, MCAPImport.usualDelay.contains(arrival.seconds(since: time)) {
        fix.received = arrival
      }
      if kind > 0, covariance.count == 9, covariance[0] > 0, covariance[4] > 0 {
        let (north, east) = (covariance[4].squareRoot(), covariance[0].squareRoot())
        fix.positionSigma = Vector3(
          north, east, covariance[8] > 0 ? covariance[8].squareRoot() : 2 * max(north, east))
      }
      return fix
    }

    static func inertial(_ body: Body, _ log: UInt64) -> InertialSample? {
      var stamp: UInt64?
      var rate: [Double]?
      var force: [Double]?
      var isForceKnown = true
      switch body {
      case .cdr(var cdr):
        stamp = header(&cdr)
        guard cdr.doubles(13) != nil else { return nil }
        rate = cdr.doubles(3)
        guard cdr.doubles(9) != nil else { return nil }
        force = cdr.doubles(3)
        isForceKnown = cdr.double().map { $0 != -1 } ?? false
      case .json(let json):
        stamp = time(json)
        let axes = { (name: String) in ["x", "y", "z"].compactMap { json[name]?[$0]?.double } }
        (rate, force) = (axes("angular_velocity"), axes("linear_acceleration"))
        isForceKnown = json["linear_acceleration_covariance"]?.array?.first?.double != -1
      }
      guard isForceKnown, let rate, let force, rate.count == 3, force.count == 3 else { return nil }
      return InertialSample(
        time: Timestamp(nanoseconds: Int64(clamping: stamp.flatMap { $0 > 0 ? $0 : nil } ?? log)),
        angularRate: Vector3(rate[0], rate[1], rate[2]), specificForce: Vector3(force[0], force[1], force[2]))
    }

    /// The stamp of a header in ns.
    private static func header(_ cdr: inout CDRReader) -> UInt64? {
      guard let seconds = cdr.integer(Int32.self), let rest = cdr.integer(UInt32.self), cdr.text() != nil
      else {
        return nil
      }
      return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(rest)
    }

    private static func time(_ json: JSON) -> UInt64? {
      let stamp = json["timestamp"] ?? json["header"]?["stamp"]
      guard let seconds = stamp?["sec"]?.double, (0..<1e10).contains(seconds),
        let rest = (stamp?["nsec"] ?? stamp?["nanosec"])?.double, (0..<1e9).contains(rest)
      else { return nil }
      return UInt64(seconds) * 1_000_000_000 + UInt64(rest)
    }
  }
}
