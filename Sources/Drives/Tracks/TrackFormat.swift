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
  /// The poses of KITTI's odometry benchmark; times have a file of their own.
  case kitti
  /// MCAP: `sensor_msgs/msg/NavSatFix` and `Imu` in CDR, `foxglove.LocationFix` and `PoseInFrame` in JSON.
  case mcap
  /// GPX 1.0, which has elements for speed and course; by name only, as its files end in gpx too.
  case gpx10 = "gpx-1.0"
  /// A comma-separated table whose numbers have all their digits; by name only, as its files end in csv too.
  case exactCSV = "csv-exact"

  /// Whether its calendar times can be moved after they have been written: see
  /// ``TrackWriter/redate(_:format:by:)``.
  public var canBeRedated: Bool { self != .mcap }

  /// Whether its points have a time of day where that is known; the poses of KITTI have none at all.
  public var hasDates: Bool { self != .kitti }

  /// The endings of files that name a format.
  public static let endings = allCases.map(\.rawValue).filter { !$0.contains("-") }

  /// The format that the extension of `path` names, in upper or lower case.
  public init(path: String) throws(DriveError) {
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    guard let format = TrackFormat(rawValue: suffix.lowercased()), !suffix.contains("-") else {
      throw .unknownTrackFormat(file: path, known: Self.endings)
    }
    self = format
  }
}
