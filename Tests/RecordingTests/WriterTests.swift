import CLibrary
import Foundation
import Locks
import Navigation
import Recording
import SensorEvents
import TestParts
import Testing

struct WriterTests {
  @Test func whatIsRecordedComesBack() throws {
    let scratch = ScratchFolder()
    let items = MadeEvents.items(5000)
    let writer = try RecordingWriter(folder: scratch("drive"), configuration: "two sources", settings: .brisk)
    for item in items { #expect(writer.record(item)) }
    #expect(writer.stop())
    #expect(writer.progress.status == .closed)
    #expect(writer.progress.written == items.count && writer.progress.lost == 0)
    let contents = try Contents(scratch("drive"))
    #expect(contents.exact == items.map(\.exactBytes))
    #expect(contents.items.first == .configuration("two sources"))
    #expect(contents.report.isWhole && contents.report.tornEnds.isEmpty)
  }

  @Test func recordingsAreTheirOwnersAlone() throws {
    let scratch = ScratchFolder()
    let folder = scratch("drive")
    let writer = try RecordingWriter(folder: folder, settings: .brisk)
    for item in MadeEvents.items(20) { writer.record(item) }
    #expect(writer.stop())
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(folder) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!files.isEmpty)
    for file in files { #expect(try permissions("\(folder)/\(file)") == 0o600, "\(file)") }
  }

  @Test func recordingGoesOnInANewSegmentOfANewSession() throws {
    let scratch = ScratchFolder()
    let items = MadeEvents.items(60)
    for part in [items[..<20], items[20...]] {
      let writer = try RecordingWriter(folder: scratch.path, settings: .brisk)
      for item in part { writer.record(item) }
      #expect(writer.stop())
    }
    let contents = try Contents(scratch.path)
    #expect(contents.exact == items.map(\.exactBytes))
    #expect(contents.headers.map { $0?.number } == [1, 2])
    #expect(contents.headers[0]?.session != contents.headers[1]?.session)
    #expect(contents.report.isWhole)
  }

  @Test func oneRecorderAFolder() throws {
    let scratch = ScratchFolder()
    let writer = try RecordingWriter(folder: scratch.path, settings: .brisk)
    #expect(throws: RecordingError.locked(path: scratch.path)) {
      try RecordingWriter(folder: scratch.path, settings: .brisk)
    }
    #expect(writer.stop())
    #expect(try RecordingWriter(folder: scratch.path, settings: .brisk).stop())
  }

  /// Such a queue stopped the process.
  @Test(arguments: [0, -1, Int.max]) func aQueueThatCannotBeIsAnError(capacity: Int) throws {
    #expect(try refusal { $0.queueCapacity = capacity }.contains("queueCapacity is \(capacity)"))
  }

  /// Such a pause stopped the process.
  @Test(arguments: [-1, .nan, .infinity, 0]) func aPauseThatCannotBeIsAnError(seconds: Double) throws {
    #expect(try refusal { $0.pollSeconds = seconds }.contains("pollSeconds is \(seconds)"))
  }

  /// What is said of settings that cannot be.
  private func refusal(_ change: (inout RecordingSettings) -> Void) throws -> String {
    let scratch = ScratchFolder()
    var settings = RecordingSettings.brisk
    change(&settings)
    let changed = settings
    let error = #expect(throws: RecordingError.self) {
      try RecordingWriter(folder: scratch.path, settings: changed)
    }
    return error?.description ?? ""
  }

  /// The number after it stopped the process.
  @Test func aFileWithANumberBeyondAllIsNoSegment() throws {
    let scratch = ScratchFolder()
    let name = RecordingFolder.name(of: .max)
    try scratch.put(name, Array("RECK".utf8))
    #expect(throws: RecordingError.folderInUse(path: scratch.path, by: name)) {
      try RecordingWriter(folder: scratch.path, settings: .brisk)
    }
  }

  @Test func aFolderOfSomethingElseIsLeftAlone() throws {
    let scratch = ScratchFolder()
    try scratch.put("drive.json", Array("{}".utf8))
    #expect(throws: RecordingError.folderInUse(path: scratch.path, by: "drive.json")) {
      try RecordingWriter(folder: scratch.path, settings: .brisk)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["drive.json"])
  }

  @Test func segmentsRotateAndTheOldestGo() throws {
    let scratch = ScratchFolder()
    var settings = RecordingSettings.brisk
    settings.segmentBytes = 4000
    settings.totalBytes = 20_000
    settings.snapshotSeconds = 0
    let items = MadeEvents.items(3000)
    let writer = try RecordingWriter(folder: scratch.path, settings: settings)
    for (i, item) in items.enumerated() {
      writer.record(item)
      if i % 100 == 0 { usleep(4000) }
    }
    #expect(writer.stop())
    let segments = try RecordingFolder.segments(of: scratch.path)
    #expect(segments.count > 2)
    // The last may pass its size by what was queued when it filled, which is one buffer of 64 KiB at most.
    #expect(segments.dropLast().reduce(0) { $0 + $1.bytes } <= settings.totalBytes + 4000)
    let contents = try Contents(scratch.path)
    #expect(contents.report.isWhole && (contents.headers[0]?.number ?? 0) > 1)
    #expect(contents.exact == items.suffix(contents.exact.count).map(\.exactBytes))
  }

  /// A snapshot that is asked for begins the next segment, so that replay can start there.
  @Test func aFullSegmentAsksForASnapshotAndTheNextBeginsWithIt() throws {
    let scratch = ScratchFolder()
    var settings = RecordingSettings.brisk
    settings.segmentBytes = 4000
    settings.snapshotSeconds = 1000
    let items = MadeEvents.items(600)
    let writer = try RecordingWriter(folder: scratch.path, configuration: "c", settings: settings)
    var snapshots = 0
    for item in items {
      writer.record(item)
      if writer.takeSnapshotRequest() {
        snapshots += 1
        writer.record(.snapshot(EngineImage(fingerprint: UInt64(snapshots), bytes: [1, 2, 3])))
      }
      usleep(500)
    }
    #expect(writer.stop())
    #expect(snapshots > 1)
    var reader = try RecordingReader(path: scratch.path)
    var heads: [[RecordedItem]] = []
    while let entry = try reader.next() {
      switch entry {
      case .segment: heads.append([])
      case .item(let item): if heads[heads.count - 1].count < 2 { heads[heads.count - 1].append(item) }
      }
    }
    #expect(heads.count == snapshots + 1)
    for (i, head) in heads.enumerated().dropFirst() {
      #expect(
        head == [.configuration("c"), .snapshot(EngineImage(fingerprint: UInt64(i), bytes: [1, 2, 3]))])
    }
    #expect(try Contents(scratch.path).exact == items.map(\.exactBytes))
  }

  /// The disk stalls: the caller does not, and what found no room is counted where it is missing.
  @Test func overflowIsCountedInItsPlaceAndNeverWaitedFor() throws {
    let scratch = ScratchFolder()
    var settings = RecordingSettings.brisk
    settings.queueCapacity = 64
    let stall = Stall()
    var disk = Disk()
    let write = disk.write
    disk.write = { descriptor, bytes, count in
      stall.wait()
      return write(descriptor, bytes, count)
    }
    let writer = try RecordingWriter(folder: scratch.path, settings: settings, disk: disk)
    let items = MadeEvents.items(1000)
    for item in items[..<30] { writer.record(item) }
    #expect(eventually { writer.progress.written == 30 })
    stall.begin()
    defer { stall.end() }
    let started = ContinuousClock.now
    let taken = items[30..<900].map { writer.record($0) }
    // A write stalls until end(): had a call waited for it, none would have come back.
    #expect(ContinuousClock.now - started < .seconds(5))
    #expect(taken.contains(false))
    stall.end()
    #expect(eventually { writer.progress.written == 30 + taken.filter { $0 }.count })
    for item in items[900...] {
      while !writer.record(item) { usleep(1000) }
    }
    #expect(writer.stop())
    let contents = try Contents(scratch.path)
    let kept = items[..<30] + zip(items[30..<900], taken).filter(\.1).map(\.0) + items[900...]
    #expect(contents.exact == kept.map(\.exactBytes))
    #expect(contents.lost >= taken.filter { !$0 }.count && contents.lost == writer.progress.lost)
    #expect(!contents.report.isWhole && contents.report.damage.isEmpty)
  }

  @Test func aSegmentThatIsRemovedMeanwhileIsNoticed() throws {
    let scratch = ScratchFolder()
    let writer = try RecordingWriter(folder: scratch.path, settings: .brisk)
    let items = MadeEvents.items(200)
    for item in items[..<100] { writer.record(item) }
    #expect(eventually { writer.progress.written == 100 })
    #expect(unlink(scratch(RecordingFolder.name(of: 1))) == 0)
    // The next sync, which needs something to sync.
    writer.record(items[100])
    #expect(eventually { writer.progress.segment == 2 })
    for item in items[101...] { writer.record(item) }
    #expect(writer.stop())
    let contents = try Contents(scratch.path)
    #expect(contents.headers.map { $0?.number } == [2])
    #expect(contents.exact == items[101...].map(\.exactBytes))
  }

  @Test func aFolderThatCannotBeMadeIsAnError() {
    for path in ["/proc/none/at/all", "/dev/null"] {
      #expect(throws: RecordingError.self) { try RecordingWriter(folder: path, settings: .brisk) }
    }
  }
}

/// Holds up whoever calls ``wait()`` while it lasts.
private final class Stall: Sendable {
  private let isOn = Atomic<Bool>(false)

  func begin() { isOn.store(true, ordering: .releasing) }
  func end() { isOn.store(false, ordering: .releasing) }
  func wait() { while isOn.load(ordering: .acquiring) { usleep(500) } }
}
