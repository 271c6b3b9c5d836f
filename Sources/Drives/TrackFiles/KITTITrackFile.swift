// Format: KITTI's odometry benchmark, as evo reads and writes it: the upper three rows of a 4×4 pose, row by
// row; times.txt has the time of each in s. Axes are those of TUM files here, east, north, up: evo's own
// export of such a file.
import Navigation

enum KITTITrackFile {
  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    guard let timesPath = reading.times else {
      throw .malformedFile(
        file: path,
        reason: "these poses have no times; give --times FILE with the time of each in seconds, one a line")
    }
    var frame = reading.origin.map(MetreFrame.init)
    var rows = try TextRows(path: path, separator: .blanks)
    var times = try TextRows(path: timesPath, separator: .blanks)
    while try rows.next(skippingComments: false) {
      if MetreFrame.isComment(rows, &frame, &reading) { continue }
      guard let frame else { throw MetreFrame.unplaced(path) }
      guard try times.next() else {
        throw .line(times.line, of: timesPath, "fewer times than poses in \(path); give one a pose")
      }
      reading.rejections.count { () throws(DriveError) in
        guard rows.count == 12 else { throw rows.wrongCount(12) }
        var m: [Double] = []
        for i in 0..<12 { m.append(try rows.finite(i, "r\(i / 4 + 1)\(i % 4 + 1)")) }
        let rotation = Matrix3(
          rows: Vector3(m[0], m[1], m[2]), Vector3(m[4], m[5], m[6]), Vector3(m[8], m[9], m[10]))
        guard abs(rotation.determinant - 1) < 1e-3 else {
          throw .line(rows.line, of: path, "the first three columns are no rotation")
        }
        each(
          frame.point(
            .init(position: Vector3(m[3], m[7], m[11]), attitude: Quaternion(matrix: rotation).normalized),
            at: try times.time(0, "time")))
      }
    }
    if try times.next() {
      throw .line(times.line, of: timesPath, "more times than poses in \(path); give one a pose")
    }
  }
}
