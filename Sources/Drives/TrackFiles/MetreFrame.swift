import Navigation

/// Poses in metres east, north and up of a place, as TUM and KITTI files of ours have them (see
/// ``LocalPose``), brought to the Earth.
struct MetreFrame {
  private let frame: LocalFrame

  init(origin: GeodeticPosition) { frame = LocalFrame(origin: origin) }

  func point(_ pose: TrackFilePoint.Pose, at time: Timestamp) -> TrackFilePoint {
    let position = frame.geodetic(ned: Vector3(pose.position.y, pose.position.x, -pose.position.z))
    var sample = TruthSample(time: time, position: position)
    // Programs that know no attitude write none at all.
    if abs(pose.attitude.w) < 1 {
      let here = WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude)
      let there = WGS84.ecefFromNED(latitude: frame.origin.latitude, longitude: frame.origin.longitude)
      let navFromLocal = Quaternion(matrix: here.transpose * there)
      // The half turns are their own inverses.
      let navFromBody = navFromLocal * LocalPose.enuFromNED * pose.attitude * LocalPose.frdFromFLU
      (sample.roll, sample.pitch, sample.yaw) = (navFromBody.roll, navFromBody.pitch, navFromBody.yaw)
    }
    var point = TrackFilePoint(sample)
    point.pose = pose
    return point
  }

  /// Whether a row is a comment; the first that names a place makes the frame where there is none.
  static func isComment(
    _ rows: borrowing TextRows, _ frame: inout MetreFrame?, _ reading: inout TrackFile.Reading
  ) -> Bool {
    let first = rows.text(0)
    guard first.hasPrefix("#") || first.hasPrefix("%") else { return false }
    let cells = rows.texts
    if cells.joined(separator: " ").hasPrefix("# \(Provenance.mark) ") { reading.isMadeByReckon = true }
    if frame == nil { frame = origin(comment: cells).map(MetreFrame.init) }
    return true
  }

  /// The place that a comment of a TUM or KITTI file names.
  private static func origin(comment cells: [String]) -> GeodeticPosition? {
    let numbers = cells.compactMap(Double.init)
    guard cells.starts(with: LocalPose.originMark.split(separator: " ").map(String.init)), numbers.count == 3
    else {
      return nil
    }
    return GeodeticPosition(trackLatitude: numbers[0], longitude: numbers[1], height: numbers[2])
  }

  /// The file is in metres, and nobody says where.
  static func unplaced(_ path: String) -> DriveError {
    .malformedFile(
      file: path,
      reason:
        "is in metres, and does not say where on the Earth their zero is; give --origin LATITUDE,LONGITUDE,HEIGHT "
        + "(axes east, north, up), or a line \"# origin LATITUDE LONGITUDE HEIGHT\" before the first point")
  }
}
