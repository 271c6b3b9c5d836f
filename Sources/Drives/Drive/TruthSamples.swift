/// The truth of a drive in order of time, read as it is asked for.
public struct TruthSamples: ~Copyable {
  private let rows: RowStream<TruthSample>?

  init(_ drive: DriveReader) throws(DriveError) {
    rows = drive.hasTruth ? try RowStream(in: drive.path) : nil
  }

  /// The next row; nil at the end.
  public mutating func next() throws(DriveError) -> TruthSample? { try rows?.take() }

  /// What has been left out so far; no entry where there is no truth.csv.
  public var rejections: [RowRejections] {
    if let rows { [rows.rejections] } else { [] }
  }
}
