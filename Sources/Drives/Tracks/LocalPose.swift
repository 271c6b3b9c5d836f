import Navigation

/// Poses in metres east, north and up of the first point along straight axes, with the rotation from body
/// axes forward, left, up to east, north, up, as ROS REP 103 has them.
struct LocalPose: Sendable {
  /// Begins the comment with latitude and longitude in degrees and height in metres of the zero.
  static let originMark = "# origin"
  /// C_ned^enu: a half turn about the axis between north and east.
  static let enuFromNED = Quaternion(
    w: 0, x: 0.5.squareRoot(), y: 0.5.squareRoot(), z: 0)
  /// C_flu^frd: a half turn about forward.
  static let frdFromFLU = Quaternion(w: 0, x: 1, y: 0, z: 0)

  private let frame: LocalFrame
  private let ecefFromOrigin: Matrix3

  /// Where the zero lies.
  var origin: GeodeticPosition { frame.origin }

  /// Poses about `position`, whose height counts as 0 where it is not known.
  init(at position: GeodeticPosition) {
    var position = position
    if !position.height.isFinite { position.height = 0 }
    frame = LocalFrame(origin: position)
    ecefFromOrigin = WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude)
  }

  /// The pose of a solution; a height that is not known counts as that of the first point.
  func pose(_ solution: NavigationSolution) -> (position: Vector3, attitude: Quaternion) {
    var position = solution.position
    if !position.height.isFinite { position.height = origin.height }
    let ned = frame.ned(position)
    let here = WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude)
    let localFromNav = Quaternion(matrix: ecefFromOrigin.transpose * here)
    let q = (Self.enuFromNED * localFromNav * solution.navFromVehicle * Self.frdFromFLU).normalized
    // q and −q are the same rotation.
    return (
      Vector3(ned.y, ned.x, -ned.z),
      q.w < 0 ? Quaternion(w: -q.w, x: -q.lanes.x, y: -q.lanes.y, z: -q.lanes.z) : q
    )
  }

  /// The pose of a solution that has a position about the zero in `frame`, which is made of the first and
  /// told in a comment.
  static func next(
    _ solution: NavigationSolution, _ frame: inout LocalPose?, _ bytes: inout ByteWriter
  ) -> (position: Vector3, attitude: Quaternion)? {
    guard solution.hasPosition else { return nil }
    let known = frame ?? LocalPose(at: solution.position)
    if frame == nil { known.appendOrigin(to: &bytes) }
    frame = known
    return known.pose(solution)
  }

  /// The comment that says where the zero lies.
  private func appendOrigin(to bytes: inout ByteWriter) {
    bytes.append(Self.originMark)
    for (value, decimals) in [
      (origin.latitudeDegrees, 10), (origin.longitudeDegrees, 10), (origin.height, 4),
    ] {
      bytes.append(" ")
      bytes.append(value, decimals: decimals)
    }
    bytes.append("\n")
  }
}
