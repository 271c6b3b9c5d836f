/// What a recording held besides good records.
public struct RecordingReport: Sendable, Equatable {
  /// Bytes of a segment that hold no good record.
  public struct Damage: Sendable, Equatable {
    /// The segment's file.
    public var file: String
    /// Where in it.
    public var bytes: Range<Int>
    /// Records known to be missing, by the numbers of those around.
    public var missing: Int
  }

  /// Segments read so far.
  public var segments = 0
  /// Good records read so far.
  public var records = 0
  /// Parts that were skipped, with good records behind them.
  public var damage: [Damage] = []
  /// Ends of segments that were cut off, as a power cut leaves them: nothing good follows.
  public var tornEnds: [Damage] = []
  /// Good records of kinds that this version does not know.
  public var unknown = 0
  /// Segments that are missing between those that are there.
  public var missingSegments = 0
  /// Items that the recorder itself counted as lost.
  public var lost = 0

  /// Nothing read so far.
  public init() {}

  /// Whether all that was recorded has been read: replay then gives what live gave.
  public var isWhole: Bool { damage.isEmpty && missingSegments == 0 && unknown == 0 && lost == 0 }

  /// A line for each thing that is worth knowing.
  public var remarks: [String] {
    var lines = damage.map {
      "\($0.file): \($0.bytes.count) bytes from \($0.bytes.lowerBound) on are damaged and were skipped"
        + ($0.missing > 0 ? "; \($0.missing) records are missing" : "")
    }
    lines += tornEnds.map {
      "\($0.file): the last \($0.bytes.count) bytes are no whole record (power cut?) and were left out"
    }
    if missingSegments > 0 { lines.append("\(missingSegments) segments are missing in between") }
    if unknown > 0 {
      lines.append("\(unknown) records of a kind that this program does not know were skipped")
    }
    if lost > 0 { lines.append("\(lost) events were lost while recording (slow or full disk)") }
    return lines
  }
}
