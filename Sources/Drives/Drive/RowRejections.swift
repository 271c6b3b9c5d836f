/// What one file of a drive held besides good rows.
public struct RowRejections: Sendable, Equatable {
  /// Name of the file in the drive folder.
  public var file: String
  /// Good rows read so far; while a file is being read, one more than were handed on.
  public var accepted = 0
  /// Rows skipped because a needed value was missing, infinite or not a number.
  public var nonFinite = 0
  /// Rows skipped because the latitude lies beyond ±90° or the longitude beyond ±360°, the time beyond
  /// ±9e9 s, or the number of a constellation or satellite is none.
  public var outOfRange = 0
  /// Rows skipped because their time lies before that of the row ahead.
  public var outOfOrder = 0
  /// Rows skipped because their time is that of the row ahead; in imu.csv and sky.csv where all else is, too.
  public var repeated = 0
  /// 1 if the last line was cut off, and skipped.
  public var truncated = 0
  /// What else is worth knowing: unknown columns, assumptions.
  public var notes: [String] = []

  /// Nothing rejected so far.
  public init(file: String) { self.file = file }

  /// Number of rows skipped.
  public var total: Int { nonFinite + outOfRange + outOfOrder + repeated + truncated }
}
