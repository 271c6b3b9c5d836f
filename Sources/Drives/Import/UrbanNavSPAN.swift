// Format: text of NovAtel Inertial Explorer as UrbanNav publishes it, two header lines, then by blanks:
// UTC since 1970 s, GPS week, GPS time s, latitude and longitude as degrees, minutes, seconds,
// ellipsoidal height, velocity and acceleration in body axes right, forward, up, roll, pitch, heading
// (clockwise from north), quality.
import Navigation

enum UrbanNavSPAN {
  private static let columnCount = 19

  static func read(_ path: String, _ drive: inout DriveImport) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .blanks)
    var rejections = ImportRejections(file: path)
    while try rows.next(skippingComments: false) {
      // The header and its units.
      if rows.text(0) == "UTCTime" || rows.text(0).hasPrefix("(") { continue }
      rejections.count { () throws(DriveError) in
        guard rows.count >= columnCount else { throw rows.wrongCount(columnCount) }
        drive.truth.append(try sample(rows))
      }
    }
    drive.rejections.append(rejections)
    try rejections.check()
    drive.description.truth = .init(
      reference: "imu", horizontalSigmaMetres: 0.1, yaw: "SPAN-CPT, with roll and pitch",
      independentOfGNSS: true)
  }

  private static func sample(_ rows: borrowing TextRows) throws(DriveError) -> TruthSample {
    let attitude = [
      Angle.radians(degrees: try rows.finite(16, "Roll")),
      Angle.radians(degrees: try rows.finite(17, "Pitch")),
      Angle.radians(degrees: try rows.finite(18, "Heading")),
    ]
    // Right, forward, up to forward, right, down.
    let velocityBody = Vector3(
      try rows.finite(11, "VelBdyY"), try rows.finite(10, "VelBdyX"), -(try rows.finite(12, "VelBdyZ")))
    let navFromBody = Quaternion(roll: attitude[0], pitch: attitude[1], yaw: attitude[2])
    return TruthSample(
      time: try rows.time(0, "UTCTime"),
      position: GeodeticPosition(
        latitudeDegrees: try rows.degrees(3, "Latitude", isSexagesimal: true),
        longitudeDegrees: try rows.degrees(6, "Longitude", isSexagesimal: true),
        height: try rows.finite(9, "H-Ell")),
      velocityNED: navFromBody * velocityBody, roll: attitude[0], pitch: attitude[1], yaw: attitude[2])
  }
}
