import Navigation

/// Our own tables, and any with the same names: of reckon replay, of truth, of fixes.
enum CSVTrackFile {
  private struct Columns {
    let time, latitude, longitude: Int
    let height: Int?
    let velocity: [Int?], attitude: [Int?], sigma: [Int?], covariance: [Int?], radii: [Int?]
    let speed: Int?, course: Int?
    let count: Int
    /// Whether all columns of our own tracks are there.
    let areReckons: Bool

    init(_ rows: borrowing TextRows) throws(DriveError) {
      let index = ColumnIndex(rows)
      time = try index.require("time_s")
      latitude = try index.require("latitude_deg")
      longitude = try index.require("longitude_deg")
      height = index.find("height_m")
      velocity = ["velocity_north_m_s", "velocity_east_m_s", "velocity_down_m_s"].map { index.find($0) }
      attitude = ["roll_deg", "pitch_deg", "yaw_deg"].map { index.find($0) }
      sigma = ["sigma_north_m", "sigma_east_m", "sigma_down_m"].map { index.find($0) }
      covariance = TrackFilePoint.covarianceColumns.map { index.find($0) }
      radii = ["68", "95"].map { index.find("horizontal_accuracy_\($0)_m") }
      speed = index.find("speed_m_s")
      course = index.find("course_deg")
      count = rows.count
      areReckons = TrackField.all.allSatisfy { index.find($0.name) != nil }
    }
  }

  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var rows = try TextRows(path: path, separator: .comma)
    repeat {
      guard try rows.next(skippingComments: false) else { throw .emptyTrack(file: path) }
    } while rows.text(0).hasPrefix("#")
    let columns = try Columns(rows)
    reading.isMadeByReckon = columns.areReckons
    while try rows.next() {
      reading.rejections.count { () throws(DriveError) in each(try point(rows, columns)) }
    }
  }

  private static func point(_ rows: borrowing TextRows, _ columns: Columns) throws(DriveError)
    -> TrackFilePoint
  {
    guard rows.count == columns.count else { throw rows.wrongCount(columns.count) }
    func number(_ index: Int?) -> Double { index.flatMap { try? rows.number($0, "") }?.known ?? .nan }
    guard
      let position = GeodeticPosition(
        trackLatitude: try rows.finite(columns.latitude, "latitude_deg"),
        longitude: try rows.finite(columns.longitude, "longitude_deg"), height: number(columns.height))
    else { throw .line(rows.line, of: rows.path, "no such latitude or longitude; they are in degrees") }
    let v = columns.velocity.map(number)
    let angles = columns.attitude.map { index in number(index).known.map { Angle.radians(degrees: $0) } }
    var point = TrackFilePoint(
      TruthSample(
        time: try rows.time(columns.time, "time_s"), position: position,
        velocityNED: Vector3(horizontal: v[0], v[1], down: v[2])
          ?? Vector3(speed: number(columns.speed), courseDegrees: number(columns.course), down: v[2]),
        roll: angles[0], pitch: angles[1], yaw: angles[2]))
    let s = columns.sigma.map(number)
    point.covariance =
      Matrix3(trackCovariance: columns.covariance.map(number)) ?? Matrix3(trackSigma: s[0], s[1], s[2])
    point.radius68 = number(columns.radii[0]).known
    point.radius95 = number(columns.radii[1]).known
    return point
  }
}
