/// A file format for tracks, named by its extension.
public enum TrackFormat: String, CaseIterable, Sendable {
  /// A comma-separated table with everything in it.
  case csv
  /// A GeoJSON feature collection of points with their properties.
  case geojson
  /// KML for Google Earth: lines of up to 100 points, with time spans where the origin is known.
  case kml
  /// GPX 1.1: a track with accuracy as extensions.
  case gpx
  /// `timestamp tx ty tz qx qy qz qw` as the TUM RGB-D benchmark and evo read it.
  case tum

  /// The format that the extension of `path` names, in upper or lower case.
  public init(path: String) throws(DriveError) {
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    guard let format = TrackFormat(rawValue: suffix.lowercased()) else {
      throw .unknownTrackFormat(file: path, known: Self.allCases.map(\.rawValue))
    }
    self = format
  }
}
