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

  @Test func aFullDiskStopsRecordingKeepsWhatIsThereAndLetsItGoOn() throws {
    let scratch = ScratchFolder()
    let room = Atomic<Int>(5000)
    let statuses = Mutex<[RecordingStatus]>([])
    var disk = Disk()
    let write = disk.write
    disk.write = { descriptor, bytes, count in
      let left = room.load(ordering: .relaxed)
      guard left > 0 else {
        errno = ENOSPC
        return -1
      }
      let taken = write(descriptor, bytes, min(count, left))
      room.subtract(max(0, taken), ordering: .relaxed)
      return taken
    }
    let writer = try RecordingWriter(folder: scratch.path, settings: .brisk, disk: disk) { status in
      statuses.withLock { $0.append(status) }
    }
    let items = MadeEvents.items(400)
    for item in items[..<200] { #expect(writer.record(item)) }
    #expect(eventually { writer.progress.written + writer.progress.lost == 200 })
    guard case .stopped(let reason) = writer.progress.status else {
      Issue.record("\(writer.progress)")
      return
    }
    #expect(reason == String(cString: strerror(ENOSPC)))
    // What is on the disk is whole while it is full, and the tries leave nothing behind.
    usleep(100_000)
    let during = try Contents(scratch.path)
    #expect(during.exact == items.prefix(during.exact.count).map(\.exactBytes))
    #expect(during.exact.count == writer.progress.written)
    #expect(during.report.tornEnds.isEmpty && during.report.segments == 1)

    room.store(1 << 30, ordering: .relaxed)
    #expect(eventually { writer.progress.status == .recording })
    #expect(writer.takeSnapshotRequest(), "behind a gap replay needs the state")
    for item in items[200...] { #expect(writer.record(item)) }
    #expect(writer.stop())
    let contents = try Contents(scratch.path)
    #expect(contents.exact == (items.prefix(during.exact.count) + items[200...]).map(\.exactBytes))
    #expect(contents.lost == 200 - during.exact.count && contents.lost == writer.progress.lost)
    #expect(contents.headers.map { $0?.number } == [1, 2])
    #expect(contents.headers[0]?.session == contents.headers[1]?.session)
    #expect(statuses.withLock { $0 } == [.stopped(reason: reason), .recording, .closed])
  }

  /// The same on a file system that is really full.
  @Test func aFullFileSystemIsBorne() throws {
    let scratch = ScratchFolder()
    #if os(Linux)
      guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=64k") == 0 else {
        print("skipped: no file system can be mounted here")
        return
      }
      defer { umount(scratch.path) }
      let writer = try RecordingWriter(folder: scratch("drive"), settings: .brisk)
      let items = MadeEvents.items(3000)
      for item in items[..<2000] { #expect(writer.record(item)) }
      #expect(eventually { writer.progress.written + writer.progress.lost == 2000 })
      #expect(writer.progress.lost > 0 && writer.progress.written > 100)
      let kept = writer.progress.written
      let first = scratch("drive/" + RecordingFolder.name(of: 1))
      #expect(try Contents(scratch("drive")).exact == items[..<kept].map(\.exactBytes))
      // Somebody makes room.
      #expect(unlink(first) == 0)
      #expect(eventually { writer.progress.status == .recording })
      for item in items[2000..<2100] { #expect(writer.record(item)) }
      #expect(writer.stop())
      #expect(try Contents(scratch("drive")).exact == items[2000..<2100].map(\.exactBytes))
    #endif
  }

  /// A state of megabytes that a nearly full disk has no room for must not keep the events
  /// from what room there is.
  @Test func aStateThatDoesNotFitIsDoneWithout() throws {
    let scratch = ScratchFolder()
    let room = Atomic<Int>(2000)
    var disk = Disk()
    let write = disk.write
    disk.write = { descriptor, bytes, count in
      guard count <= room.load(ordering: .relaxed) else {
        errno = ENOSPC
        return -1
      }
      room.subtract(count, ordering: .relaxed)
      return write(descriptor, bytes, count)
    }
    let writer = try RecordingWriter(folder: scratch.path, settings: .brisk, disk: disk)
    let items = MadeEvents.items(300)
    for item in items[..<100] { writer.record(item) }
    #expect(eventually { writer.progress.status != .recording })
    room.store(100_000, ordering: .relaxed)
    #expect(eventually { writer.progress.status == .recording })
    let state = RecordedItem.snapshot(
      EngineImage(fingerprint: 1, bytes: [UInt8](repeating: 1, count: 1 << 20)))
    var snapshots = 0
    for item in items[100...] {
      writer.record(item)
      if writer.takeSnapshotRequest() {
        snapshots += 1
        writer.record(state)
      }
      usleep(2000)
    }
    #expect(writer.stop())
    #expect(snapshots == 1)
    let contents = try Contents(scratch.path)
    #expect(contents.exact.count > 100 && contents.exact.last == items.last?.exactBytes)
    #expect(contents.lost == writer.progress.lost && contents.report.damage.isEmpty)
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
