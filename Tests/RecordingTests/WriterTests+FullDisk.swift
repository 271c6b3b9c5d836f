import CLibrary
import Foundation
import Locks
import Navigation
import Recording
import SensorEvents
import TestParts
import Testing

/// Disks that are full.
extension WriterTests {
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
}
