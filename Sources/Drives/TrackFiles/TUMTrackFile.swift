// Format: the TUM RGB-D benchmark's, as evo reads and writes it: timestamp in s, translation in m, unit
// quaternion x y z w.
import Navigation

enum TUMTrackFile {
  private static let names = ["timestamp", "tx", "ty", "tz", "qx", "qy", "qz", "qw"]

  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .blanks)
    var frame = reading.origin.map(MetreFrame.init)
    while try rows.next(skippingComments: false) {
      if MetreFrame.isComment(rows, &frame, &reading) { continue }
      guard let frame else { throw MetreFrame.unplaced(path) }
      reading.rejections.count { () throws(DriveError) in
        guard rows.count == names.count else { throw rows.wrongCount(names.count) }
        var cells: [Double] = []
        for i in 1..<names.count { cells.append(try rows.finite(i, names[i])) }
        let q = Quaternion(w: cells[6], x: cells[3], y: cells[4], z: cells[5])
        let length = (q.lanes * q.lanes).sum().squareRoot()
        guard length > 1e-6 else {
          throw .line(rows.line, of: path, "the quaternion is 0; write 0 0 0 1 for none")
        }
        each(
          frame.point(
            .init(position: Vector3(cells[0], cells[1], cells[2]), attitude: q.normalized),
            at: try rows.time(0, names[0])))
      }
    }
  }
}
