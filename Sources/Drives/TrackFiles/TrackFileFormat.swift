/// A format in which another system's track can be read, told by what the file holds.
public enum TrackFileFormat: String, CaseIterable, Sendable {
  /// A table with a header, in the columns of our own tracks, of a drive's truth or of its fixes.
  case csv
  /// `timestamp tx ty tz qx qy qz qw` a line.
  case tum
  /// Twelve numbers of a 3×4 pose a line, without times.
  case kitti
  /// RTKLIB's solutions.
  case rtklib
  /// NovAtel Inertial Explorer's text, by names and units in its header.
  case inertialExplorer = "inertial-explorer"
  /// NovAtel receivers' logs BESTPOSA, BESTGNSSPOSA, INSPVAA, INSPVASA and INSPVAXA.
  case novatel
  /// GPX 1.0 and 1.1.
  case gpx
  /// gpsd's JSON lines.
  case gpsd
  /// NMEA 0183.
  case nmea

  /// One line about what a file of it looks like.
  public var summary: String {
    switch self {
    case .csv: "CSV with a header that names time_s, latitude_deg and longitude_deg, as of reckon replay"
    case .tum: "TUM: timestamp tx ty tz qx qy qz qw a line, metres east, north, up"
    case .kitti: "KITTI: the twelve numbers of a pose a line, with --times"
    case .rtklib: "RTKLIB .pos with latitude and longitude or x-ecef"
    case .inertialExplorer: "Inertial Explorer text whose header names Latitude and Longitude"
    case .novatel: "NovAtel ASCII logs BESTPOSA, BESTGNSSPOSA, INSPVAA, INSPVASA or INSPVAXA"
    case .gpx: "GPX 1.0 or 1.1 with times"
    case .gpsd: "gpsd's JSON lines"
    case .nmea: "NMEA 0183 with RMC or ZDA for the date"
    }
  }

  /// The format of a file that begins with `head`; throws where it is none of them.
  static func recognised(in head: [UInt8], of path: String) throws(DriveError) -> TrackFileFormat {
    let text = String(decoding: head, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    guard let first = lines.first else { throw .emptyTrack(file: path) }
    if text.contains("<gpx") { return .gpx }
    let refusal: String? =
      switch true {
      case head.starts(with: [0x1F, 0x8B]), head.starts(with: Array("PK".utf8)): "is packed; unpack it"
      case text.contains("<kml"):
        "is KML, which most programs write without the time of a point; give GPX or CSV"
      case text.contains("\"FeatureCollection\""): "is GeoJSON; give GPX or CSV"
      case head.contains(0): "is not text; export the track as text"
      default: nil
      }
    if let refusal { throw .malformedFile(file: path, reason: "line 1: this \(refusal)") }
    if lines.contains(where: { $0.contains("{\"class\":\"") }) { return .gpsd }
    if lines.contains(where: { $0.hasPrefix("$G") && (try? NMEASentenceReader(String($0))) != nil }) {
      return .nmea
    }
    if lines.contains(where: NovAtelTrackFile.isLog) { return .novatel }
    if let table = ofTable(lines) { return table }
    // What is no text could be commands to the terminal.
    let excerpt = String(first.prefix(40).map { $0.isASCII && ($0.asciiValue ?? 0) >= 0x20 ? $0 : "?" })
    throw .malformedFile(
      file: path,
      reason: "line 1: \"\(excerpt)\" begins no track that is known; give one of: "
        + allCases.map(\.summary).joined(separator: "; "))
  }

  private static func ofTable(_ lines: [Substring]) -> TrackFileFormat? {
    if lines.contains(where: { $0.hasPrefix("%") && RTKLIBTrackFile.isHeader($0) }) { return .rtklib }
    if let header = lines.first(where: { !$0.hasPrefix("#") }), header.contains("latitude_deg") {
      return .csv
    }
    if lines.contains(where: InertialExplorerTrackFile.isHeader) { return .inertialExplorer }
    guard let row = lines.first(where: { !$0.hasPrefix("#") && !$0.hasPrefix("%") }) else { return nil }
    let cells = row.split(whereSeparator: { $0 == " " || $0 == "\t" })
    if cells.count >= 5, RTKLIBTrackFile.isDate(cells[0]) { return .rtklib }
    guard cells.allSatisfy({ Double($0) != nil }) else { return nil }
    return cells.count == 8 ? .tum : cells.count == 12 ? .kitti : nil
  }
}
