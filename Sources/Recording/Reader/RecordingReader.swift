import Navigation
import SensorEvents

/// Reads a recording back, segment by segment, whatever became of its files.
///
/// A last record that was cut off is left out; a damaged part is skipped up to the next good record;
/// both are reported. Only files that cannot be opened, or are of another version, are errors. One
/// segment is in memory at a time.
public struct RecordingReader: ~Copyable {
  /// What is read.
  public enum Entry: Sendable, Equatable {
    /// A segment begins; nil where its head is damaged.
    case segment(SegmentHeader?)
    /// An item.
    case item(RecordedItem)
  }

  /// What has been found so far.
  public private(set) var report = RecordingReport()
  private let segments: [RecordingFolder.Segment]
  private var nextSegment = 0
  private var previousNumber: UInt64?
  private var previousSession: UInt64?
  private var bytes: [UInt8] = []
  private var offset = 0
  private var sequence: UInt32 = 0

  /// Finds the segments of the folder at `path`, all or those of one session.
  public init(path: String, session: RecordingSession? = nil) throws(RecordingError) {
    let segments = try RecordingFolder.existingSegments(of: path)
    self.segments =
      session.map { session in segments.filter { session.segments.contains($0.number) } } ?? segments
  }

  /// The next entry; nil at the end.
  public mutating func next() throws(RecordingError) -> Entry? {
    while true {
      if offset >= bytes.count {
        guard nextSegment < segments.count else { return nil }
        return .segment(try openSegment())
      }
      guard let record = nextRecord() else { continue }
      report.records += 1
      guard let item = RecordedItem(kind: record.kind, payload: bytes[record.payload]) else {
        report.unknown += 1
        continue
      }
      if case .lost(let count, _) = item { report.lost += count }
      return .item(item)
    }
  }

  private mutating func openSegment() throws(RecordingError) -> SegmentHeader? {
    let segment = segments[nextSegment]
    nextSegment += 1
    let records = sequence
    let follows = previousNumber.map { segment.number == $0 + 1 } ?? false
    bytes = try RecordingFolder.contents(of: segment.path)
    sequence = 0
    report.segments += 1
    if let previousNumber, segment.number > previousNumber + 1 {
      report.missingSegments += Int(clamping: segment.number - previousNumber - 1)
    }
    previousNumber = segment.number
    switch SegmentHeader.read(bytes) {
    case .good(let header):
      offset = SegmentHeader.length
      // A segment that ends early between two records shows only here.
      if follows, header.session == previousSession, header.precedingRecords > records {
        note(0..<0, missing: Int(header.precedingRecords - records), isTorn: false, in: nextSegment - 2)
      }
      previousSession = header.session
      return header
    case .otherVersion(let version):
      throw .unknownVersion(file: segment.path, found: version, known: Int(SegmentHeader.version))
    case .damaged:
      // Records say for themselves that they are whole.
      let next = firstRecord(from: 0)
      note(0..<(next ?? bytes.count), missing: 0, isTorn: next == nil)
      previousSession = nil
      offset = next ?? bytes.count
      return nil
    }
  }

  /// The record at `offset`, or else the first good one behind it; nil where there is none.
  private mutating func nextRecord() -> Record? {
    if let record = Record(in: bytes, at: offset), record.sequence >= sequence {
      accept(record, missing: Int(record.sequence - sequence), damaged: offset..<offset)
      return record
    }
    guard let start = firstRecord(from: offset + 1), let record = Record(in: bytes, at: start) else {
      note(offset..<bytes.count, missing: 0, isTorn: true)
      offset = bytes.count
      return nil
    }
    accept(record, missing: Int(record.sequence - sequence), damaged: offset..<start)
    return record
  }

  private mutating func accept(_ record: Record, missing: Int, damaged: Range<Int>) {
    if missing > 0 || !damaged.isEmpty { note(damaged, missing: missing, isTorn: false) }
    sequence = record.sequence &+ 1
    offset = record.end
  }

  private func firstRecord(from start: Int) -> Int? {
    var place = start
    while place + Record.overhead <= bytes.count {
      if bytes[place] == 0x52, bytes[place + 1] == 0x4B, let record = Record(in: bytes, at: place),
        record.sequence >= sequence
      {
        return place
      }
      place += 1
    }
    return nil
  }

  private mutating func note(_ range: Range<Int>, missing: Int, isTorn: Bool, in segment: Int? = nil) {
    let damage = RecordingReport.Damage(
      file: segments[segment ?? nextSegment - 1].path, bytes: range, missing: missing)
    if isTorn { report.tornEnds.append(damage) } else { report.damage.append(damage) }
  }
}
