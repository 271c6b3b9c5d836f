import LinearAlgebra
import Navigation

/// `timestamp tx ty tz qx qy qz qw` a line: metres east, north and up of the first point along straight axes, and
/// the rotation from body axes forward, left, up to east, north, up, as ROS REP 103 has them. The timestamp is
/// Unix time where the origin is known. A height that is not known counts as that of the first point. A comment says
/// where that is.
struct TUMTrack: TrackEncoder {
  /// Begins the comment with latitude and longitude in degrees and height in metres of the zero.
  static let originMark = "# origin"
  /// C_ned^enu: a half turn about the axis between north and east.
  static let enuFromNED = Quaternion(
    w: 0, x: 0.5.squareRoot(), y: 0.5.squareRoot(), z: 0)
  /// C_flu^frd: a half turn about forward.
  static let frdFromFLU = Quaternion(w: 0, x: 1, y: 0, z: 0)

  let origin: Timestamp?
  private var frame: LocalFrame?

  init(origin: Timestamp?) { self.origin = origin }

  func begin(_ bytes: inout ByteWriter) { bytes.append("# timestamp tx ty tz qx qy qz qw\n") }

  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard solution.hasPosition else { return }
    var position = solution.position
    if !position.height.isFinite { position.height = frame?.origin.height ?? 0 }
    if frame == nil { begin(at: position, &bytes) }
    let frame = self.frame ?? LocalFrame(origin: position)
    let ned = frame.ned(position)
    let here = WGS84.ecefFromNED(latitude: position.latitude, longitude: position.longitude)
    let there = WGS84.ecefFromNED(latitude: frame.origin.latitude, longitude: frame.origin.longitude)
    let localFromNav = Quaternion(matrix: there.transpose * here)
    let q = (Self.enuFromNED * localFromNav * solution.navFromVehicle * Self.frdFromFLU).normalized
    let sign = q.w < 0 ? -1.0 : 1.0  // q and −q are the same rotation
    bytes.append(origin.map { UTC.unix(solution.time, origin: $0) } ?? solution.time)
    for value in [ned.y, ned.x, -ned.z] {
      bytes.append(" ")
      bytes.append(value, decimals: 4)
    }
    for value in [q.lanes.x, q.lanes.y, q.lanes.z, q.lanes.w] {
      bytes.append(" ")
      bytes.append(sign * value, decimals: 9)
    }
    bytes.append("\n")
  }

  private mutating func begin(at origin: GeodeticPosition, _ bytes: inout ByteWriter) {
    frame = LocalFrame(origin: origin)
    bytes.append(Self.originMark)
    for (value, decimals) in [
      (origin.latitudeDegrees, 10), (origin.longitudeDegrees, 10), (origin.height, 4),
    ] {
      bytes.append(" ")
      bytes.append(value, decimals: decimals)
    }
    bytes.append("\n")
  }

  func end(_ bytes: inout ByteWriter) {}
}
