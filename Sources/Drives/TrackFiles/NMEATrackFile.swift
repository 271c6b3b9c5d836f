/// NMEA 0183, put together as the import of a drive does it.
enum NMEATrackFile {
  static func read(
    _ path: String, _ reading: inout TrackFile.Reading, _ each: (TrackFilePoint) -> Void
  ) throws(DriveError) {
    GPSDTrackFile.hand(on: try NMEAImport.read(path, name: path), &reading, each)
  }
}
