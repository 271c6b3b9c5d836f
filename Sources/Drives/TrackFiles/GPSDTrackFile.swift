import Navigation

/// gpsd's reports, put together as the import of a drive does it.
enum GPSDTrackFile {
  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    var drive = DriveImport(name: path)
    try GPSDImport.readFixes(path, into: &drive)
    hand(on: drive, &reading, each)
  }

  /// Hands on the fixes of a drive, whose times are UTC.
  static func hand(
    on drive: DriveImport, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) {
    for fix in drive.fixes {
      var point = TrackFilePoint(
        TruthSample(time: fix.time, position: fix.position, velocityNED: fix.velocityNED))
      point.isUTC = true
      point.covariance = fix.positionSigma.flatMap { .init(trackSigma: $0.x, $0.y, $0.z) }
      each(point)
    }
    reading.rejections.accepted = drive.fixes.count
    reading.notes += drive.notes + drive.rejections.compactMap(\.remark)
  }
}
