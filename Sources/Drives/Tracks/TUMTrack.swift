import Navigation

/// `timestamp tx ty tz qx qy qz qw` a line, see ``LocalPose``. The timestamp is Unix time where the origin is
/// known. A comment says where the zero is.
struct TUMTrack: TrackEncoder {
  let origin: Timestamp?
  private var frame: LocalPose?

  init(origin: Timestamp?) { self.origin = origin }

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    if let provenance { bytes.append("# \(provenance.line)\n") }
    bytes.append("# timestamp tx ty tz qx qy qz qw\n")
  }

  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard let (position, q) = LocalPose.next(solution, &frame, &bytes) else { return }
    bytes.append(origin.map { UTC.unix(solution.time, origin: $0) } ?? solution.time)
    for value in [position.x, position.y, position.z] {
      bytes.append(" ")
      bytes.append(value, decimals: 4)
    }
    for value in [q.lanes.x, q.lanes.y, q.lanes.z, q.lanes.w] {
      bytes.append(" ")
      bytes.append(value, decimals: 9)
    }
    bytes.append("\n")
  }

  func end(_ bytes: inout ByteWriter) {}
}
