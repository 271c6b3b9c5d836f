/// The truth of a drive, or another system's solution, in order of time, read as it is asked for.
public struct TruthSamples: ~Copyable {
  private let rows: RowStream<TruthSample>?

  /// The rows of `file` in the folder `path`; none where `isThere` is false.
  init(in path: String, file: String, isThere: Bool) throws(DriveError) {
    rows = isThere ? try RowStream(in: path, file: file) : nil
  }

  /// The next row; nil at the end.
  public mutating func next() throws(DriveError) -> TruthSample? { try rows?.take() }

  /// What has been left out so far; no entry where there is no file.
  public var rejections: [RowRejections] {
    if let rows { [rows.rejections] } else { [] }
  }
}
