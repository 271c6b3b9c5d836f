import Foundation
import Navigation
import SensorEvents
import TestParts
import Testing

import Recording

struct RecoveryTests {
  private static let name = RecordingFolder.name(of: 1)

  /// One segment with `items`, and where each record begins.
  private static func segment(
    _ items: [RecordedItem], number: UInt64 = 1, session: UInt64 = 7, preceding: UInt32 = 0
  ) -> (bytes: [UInt8], starts: [Int]) {
    var bytes = ByteEncoder()
    bytes.append(
      raw: SegmentHeader(
        number: number, session: session, started: Timestamp(nanoseconds: 1), precedingRecords: preceding
      ).bytes)
    var starts: [Int] = []
    for (i, item) in items.enumerated() {
      starts.append(bytes.bytes.count)
      Record.append(item, sequence: UInt32(i), to: &bytes)
    }
    return (bytes.bytes, starts)
  }

  /// Their sum stopped the process, and a negative one made a recording whole.
  @Test func lossesThatCannotBeAddUpToNoTrap() throws {
    let scratch = ScratchFolder()
    let losses = [Int.max, .max, .min, -5].map { RecordedItem.lost(count: $0, reason: .disk) }
    try scratch.put(Self.name, Self.segment(losses).bytes)
    let report = try Contents(scratch.path).report
    #expect(report.lost == 2 * Int(UInt32.max))
    #expect(!report.isWhole)
  }

  @Test func cutAtEveryByteLeavesAllWholeRecords() throws {
    let items = MadeEvents.items(60)
    let (bytes, starts) = Self.segment(items)
    let scratch = ScratchFolder()
    let ends = starts.dropFirst() + [bytes.count]
    for cut in 0...bytes.count {
      try scratch.put(Self.name, bytes[..<cut])
      let contents = try Contents(scratch.path)
      let whole = ends.filter { $0 <= cut }.count
      #expect(contents.exact == items.prefix(whole).map(\.exactBytes), "cut at \(cut)")
      #expect(contents.report.damage.isEmpty)
      let isBoundary = cut == SegmentHeader.length || ends.contains(cut)
      #expect(contents.report.tornEnds.isEmpty == isBoundary || cut == 0, "cut at \(cut)")
    }
  }

  @Test func everyChangedByteCostsAtMostItsRecordAndIsReported() throws {
    let items = MadeEvents.items(60)
    let (bytes, starts) = Self.segment(items)
    let scratch = ScratchFolder()
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= place % 3 == 0 ? 0xFF : UInt8(1 << (place % 8))
      try scratch.put(Self.name, changed)
      let contents = try Contents(scratch.path)
      let hit = starts.lastIndex { $0 <= place }
      var expected = items.map(\.exactBytes)
      if let hit { expected.remove(at: hit) }
      #expect(contents.exact == expected, "changed at \(place)")
      #expect(contents.report.damage.count + contents.report.tornEnds.count == 1, "changed at \(place)")
      if let hit, hit < items.count - 1 {
        #expect(contents.report.damage.first?.missing == 1)
        #expect(!contents.report.isWhole)
      }
    }
  }

  @Test func blocksOfZerosAreSkipped() throws {
    let items = MadeEvents.items(400)
    var (bytes, starts) = Self.segment(items)
    let hole = 4096..<8192
    for i in hole { bytes[i] = 0 }
    let scratch = ScratchFolder()
    try scratch.put(Self.name, bytes)
    let contents = try Contents(scratch.path)
    let ends = starts.dropFirst() + [bytes.count]
    let left = items.indices.filter { ends[$0 + 1] <= hole.lowerBound || starts[$0] >= hole.upperBound }
    #expect(contents.exact == left.map { items[$0].exactBytes })
    #expect(contents.report.damage.map(\.missing) == [items.count - left.count])
  }

  @Test func rubbishIsNoRecording() throws {
    let scratch = ScratchFolder()
    var made = MadeEvents(seed: 3)
    try scratch.put(Self.name, (0..<20_000).map { _ in UInt8(truncatingIfNeeded: made.bits()) })
    let contents = try Contents(scratch.path)
    #expect(contents.items.isEmpty && contents.headers == [nil])
    #expect(contents.report.tornEnds.count == 1)
  }

  @Test func endLostFromAnEarlierSegmentIsSeenInTheNext() throws {
    let items = MadeEvents.items(10)
    let (first, starts) = Self.segment(items)
    let second = Self.segment(items, number: 2, preceding: 10).bytes
    let scratch = ScratchFolder()
    try scratch.put(RecordingFolder.name(of: 1), first[..<starts[7]])
    try scratch.put(RecordingFolder.name(of: 2), second)
    let contents = try Contents(scratch.path)
    #expect(contents.report.damage.map(\.missing) == [3])
    #expect(contents.exact.count == 17)
  }

  @Test func missingSegmentIsReported() throws {
    let scratch = ScratchFolder()
    for number: UInt64 in [3, 4, 7] {
      try scratch.put(RecordingFolder.name(of: number), Self.segment([], number: number).bytes)
    }
    #expect(try Contents(scratch.path).report.missingSegments == 2)
  }

  @Test func anotherVersionIsRefusedByName() throws {
    var (bytes, _) = Self.segment([])
    bytes[8] = 9
    var check = ByteEncoder()
    check.append(CRC32C.of(bytes, 0..<44))
    bytes.replaceSubrange(44..<48, with: check.bytes)
    let scratch = ScratchFolder()
    try scratch.put(Self.name, bytes)
    #expect(throws: RecordingError.unknownVersion(file: scratch(Self.name), found: 9, known: 1)) {
      try Contents(scratch.path)
    }
  }

  @Test func recordOfAKindToComeIsSkippedAndCounted() throws {
    let items = MadeEvents.items(3)
    var (bytes, starts) = Self.segment(items)
    bytes[starts[1] + 2] = 200
    var check = ByteEncoder()
    check.append(CRC32C.of(bytes, starts[1]..<starts[2] - 4))
    bytes.replaceSubrange(starts[2] - 4..<starts[2], with: check.bytes)
    let scratch = ScratchFolder()
    try scratch.put(Self.name, bytes)
    let contents = try Contents(scratch.path)
    #expect(contents.report.unknown == 1 && contents.report.damage.isEmpty)
    #expect(contents.exact == [items[0].exactBytes, items[2].exactBytes])
  }

  @Test func whatIsNoFolderOfSegmentsIsSaidToBeNone() throws {
    let scratch = ScratchFolder()
    for path in [scratch.path, scratch("none"), "/dev/null"] {
      #expect(throws: RecordingError.notARecording(path: path)) { try Contents(path) }
    }
  }
}
