import Navigation

/// KITTI's odometry benchmark: the upper three rows of a 4×4 pose a line, see ``LocalPose``. Times have a
/// file of their own; a comment says where the zero is.
struct KITTITrack: TrackEncoder {
  private var frame: LocalPose?

  func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?) {
    if let provenance { bytes.append("# \(provenance.line)\n") }
  }

  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter) {
    let solution = point.solution
    guard let (position, q) = LocalPose.next(solution, &frame, &bytes) else { return }
    let r = q.matrix
    let rows = [
      [r.x.x, r.y.x, r.z.x, position.x], [r.x.y, r.y.y, r.z.y, position.y],
      [r.x.z, r.y.z, r.z.z, position.z],
    ]
    for (i, row) in rows.enumerated() {
      for (j, value) in row.enumerated() {
        if i + j > 0 { bytes.append(" ") }
        bytes.append(value, decimals: j == 3 ? 4 : 12)
      }
    }
    bytes.append("\n")
  }

  func end(_ bytes: inout ByteWriter) {}
}
