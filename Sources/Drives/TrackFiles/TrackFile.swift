import CLibrary
import Navigation

/// A track that another system made, in a file that is read point by point.
///
/// A file of any length costs the same memory, but gpsd's JSON, whose reports are put together first.
public struct TrackFile: Sendable {
  /// The file.
  public let path: String
  /// Its format, by what it holds.
  public let format: TrackFileFormat
  /// Where the zero of a file in metres lies, against what the file says.
  public var origin: GeodeticPosition?
  /// The file with the times of KITTI poses, one a line.
  public var times: String?
  /// Bytes that are looked at to tell the format.
  private static let headLength = 32 * 1024

  /// What was read besides the points.
  public struct Reading: Sendable {
    /// Rows that could not be used.
    public var rejections: ImportRejections
    /// What else is worth knowing.
    public var notes: [String] = []
    /// Whether the file says that Reckon made it, by its columns, its comment or its creator: then its points
    /// are of the IMU.
    public var isMadeByReckon = false
    /// Where the zero of metres lies.
    var origin: GeodeticPosition?
    var times: String?

    init(path: String) { rejections = ImportRejections(file: path) }
  }

  /// The file at `path`, whose format its beginning tells.
  public init(path: String) throws(DriveError) {
    self.path = path
    format = try TrackFileFormat.recognised(in: try Self.head(of: path), of: path)
  }

  /// Whether its points are metres from a place that the file may not name.
  public var isInMetres: Bool { format == .tum || format == .kitti }

  /// Hands every point that can be used to `each`, in the order of the file.
  @discardableResult
  public func read(_ each: (TrackFilePoint) -> Void) throws(DriveError) -> Reading {
    var reading = Reading(path: path)
    reading.origin = origin
    reading.times = times
    switch format {
    case .csv: try CSVTrackFile.read(path, &reading, each)
    case .tum: try TUMTrackFile.read(path, &reading, each)
    case .kitti: try KITTITrackFile.read(path, &reading, each)
    case .rtklib: try RTKLIBTrackFile.read(path, &reading, each)
    case .inertialExplorer: try InertialExplorerTrackFile.read(path, &reading, each)
    case .novatel: try NovAtelTrackFile.read(path, &reading, each)
    case .gpx: try GPXTrackFile.read(path, &reading, each)
    case .nmea: try NMEATrackFile.read(path, &reading, each)
    case .gpsd: try GPSDTrackFile.read(path, &reading, each)
    }
    try reading.rejections.check()
    guard reading.rejections.accepted > 0 else { throw .emptyTrack(file: path) }
    return reading
  }

  /// The first bytes, without a line that is not whole.
  private static func head(of path: String) throws(DriveError) -> [UInt8] {
    guard !Folder.isFolder(path) else {
      throw .malformedFile(file: path, reason: "is a folder; give the file of the track")
    }
    let descriptor = try Folder.open(path)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: headLength)
    var count: Int
    repeat { count = readFile(descriptor, &bytes, headLength) } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .system(path, "read") }
    let head = bytes[..<count]
    let whole = count < headLength ? nil : head.lastIndex(of: UInt8(ascii: "\n"))
    return Array(head[..<(whole ?? count)].drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF })
  }
}

extension DriveError {
  /// A file without a single point.
  static func emptyTrack(file: String) -> DriveError {
    .malformedFile(file: file, reason: "holds no point of a track that can be used; export the track again")
  }

  /// What is wrong in a line of a file.
  static func line(_ line: Int, of file: String, _ reason: String) -> DriveError {
    .malformedFile(file: file, reason: "line \(line): \(reason)")
  }
}

/// The system's `read`, by a name that ``TrackFile/read(_:)`` does not hide.
private func readFile(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
