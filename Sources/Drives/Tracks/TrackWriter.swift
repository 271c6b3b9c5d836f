import Navigation

/// Writes solutions to a track file, one point each, in the format that the file's extension names.
///
/// Heights are ellipsoidal in CSV, GeoJSON (RFC 7946) and TUM, and above mean sea level by EGM96 where
/// the format says so, in GPX and KML; CSV, GeoJSON and GPX hold both, and the separation between them.
/// Heading, roll, pitch and yaw are left out until the solution is aligned. KML, GPX and TUM leave out a
/// solution without a finite position.
public struct TrackWriter: ~Copyable {
  private var bytes: ByteWriter
  private var encoder: any TrackEncoder
  private var isFinished = false
  private var times: ByteWriter?
  private let origin: Timestamp?

  /// Makes the file, in `format` or else the one that its extension names. `unixTimeOfOrigin` is the time
  /// since 1970-01-01 00:00:00 UTC, without leap seconds, at the zero of the solutions' time; without it no
  /// format states calendar time. `times` is a file for the time of each point, in seconds, one a line, which
  /// KITTI's poses lack. `provenance` stands in the file where the format has room for it, which CSV has not.
  public init(
    path: String, format: TrackFormat? = nil, unixTimeOfOrigin: Timestamp? = nil, times: String? = nil,
    provenance: Provenance? = nil
  ) throws(DriveError) {
    origin = unixTimeOfOrigin
    if let times { self.times = try ByteWriter(path: times) } else { self.times = nil }
    let format = if let format { format } else { try TrackFormat(path: path) }
    var bytes = try ByteWriter(path: path)
    switch format {
    case .csv: encoder = CSVTrack(origin: unixTimeOfOrigin)
    case .exactCSV: encoder = CSVTrack(origin: unixTimeOfOrigin, isExact: true)
    case .geojson: encoder = GeoJSONTrack(origin: unixTimeOfOrigin)
    case .kml: encoder = KMLTrack(origin: unixTimeOfOrigin)
    case .gpx: encoder = GPXTrack(origin: unixTimeOfOrigin)
    case .gpx10: encoder = GPX10Track(origin: unixTimeOfOrigin)
    case .kitti: encoder = KITTITrack()
    case .mcap: encoder = MCAPTrack(origin: unixTimeOfOrigin)
    case .tum: encoder = TUMTrack(origin: unixTimeOfOrigin)
    }
    encoder.begin(&bytes, provenance)
    self.bytes = bytes
  }

  /// Adds a point, with what a map would show for it where that is known.
  public mutating func write(
    _ solution: NavigationSolution, display: DisplayPosition? = nil
  ) throws(DriveError) {
    precondition(!isFinished, "a solution was written after finish()")
    encoder.add(TrackPoint(solution: solution, display: display), to: &bytes)
    try bytes.flushIfFull()
    guard solution.hasPosition else { return }
    times?.append(origin.map { UTC.unix(solution.time, origin: $0) } ?? solution.time)
    times?.append("\n")
    try times?.flushIfFull()
  }

  /// Writes what is held back, for who goes on after an error: where that fails the file has whole lines, and
  /// nothing is lost.
  package mutating func flush() throws(DriveError) {
    try bytes.flush()
    try times?.flush()
  }

  /// Ends the document and closes the file. Further calls do nothing.
  public mutating func finish() throws(DriveError) {
    guard !isFinished else { return }
    isFinished = true
    encoder.end(&bytes)
    try bytes.finish()
    try times?.finish()
  }
}

extension TrackWriter {
  /// Moves all the calendar times of a track that has been written by `seconds`: a receiver may have dated
  /// its first fix wrong.
  ///
  /// Not MCAP (see ``TrackFormat/canBeRedated``). In place: a time takes as much room after as before.
  /// Nothing else in a track looks like one.
  public static func redate(
    _ path: String, format: TrackFormat? = nil, by seconds: Double
  ) throws(DriveError) {
    let format = if let format { format } else { try TrackFormat(path: path) }
    try TrackDates.move(path, isTUM: format == .tum, by: Timestamp(seconds: seconds).nanoseconds)
  }
}

/// What makes bytes of solutions in one format.
protocol TrackEncoder {
  /// What stands before the first point.
  mutating func begin(_ bytes: inout ByteWriter, _ provenance: Provenance?)
  mutating func add(_ point: TrackPoint, to bytes: inout ByteWriter)
  /// What stands after the last point.
  mutating func end(_ bytes: inout ByteWriter)
}

extension NavigationSolution {
  /// Whether the point can be drawn.
  var hasPosition: Bool { position.latitude.isFinite && position.longitude.isFinite }
}
