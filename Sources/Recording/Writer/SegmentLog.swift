import CLibrary
import Navigation
import SensorEvents

/// The segments of one session: begins them, rotates them, removes the oldest, and bears with a disk that
/// refuses. Belongs to the writer's thread.
struct SegmentLog: ~Copyable {
  private let folder: String
  private let settings: RecordingSettings
  private let disk: Disk
  private let session: UInt64
  private let configuration: String?
  private let lock: FolderLock
  private var file: SegmentFile?
  private var nextNumber: UInt64
  private var closedBytes = 0
  private var nextSync: Timestamp
  private var nextTry: Timestamp?
  /// Since when a full segment waits for a snapshot to begin the next with.
  private(set) var isFullSince: Timestamp?
  /// Bytes of states in the segment: they count for the total, and not for when the segment is full.
  private var stateBytes = 0
  private var largestState = 0
  /// Whether the disk refused a segment with a state in it: the next does without, which may
  /// be what there is room for.
  private var hasRefusedState = false
  /// How often the state of the engine has been wanted.
  private(set) var snapshotRequests = 0
  /// Whether items found no room: since the queue was last looked through, and since a state
  /// was last wanted for that.
  private var isOverflowing = false, hasGap = false
  /// Items lost since the last record that says so.
  private var owed = 0
  /// Records in the segment before, if it is of this session.
  private var precedingRecords: UInt32 = 0
  private(set) var progress = RecordingProgress()

  /// Makes or opens the folder, locks it, and begins a segment behind those that are there.
  static func open(
    folder: String, configuration: String?, settings: RecordingSettings, disk: Disk, now: Timestamp
  ) throws(RecordingError) -> SegmentLog {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(folder, "create the folder") }
    for name in try RecordingFolder.entries(of: folder).sorted()
    where name != RecordingFolder.lock && RecordingFolder.number(of: name) == nil {
      throw .folderInUse(path: folder, by: name)
    }
    let lock = try FolderLock(folder)
    let segments = try RecordingFolder.segments(of: folder)
    var log = SegmentLog(
      folder: folder, configuration: configuration, settings: settings, disk: disk, lock: lock,
      segments: segments, now: now)
    try log.begin()
    return log
  }

  private init(
    folder: String, configuration: String?, settings: RecordingSettings, disk: Disk,
    lock: consuming FolderLock, segments: [RecordingFolder.Segment], now: Timestamp
  ) {
    self.folder = folder
    self.configuration = configuration
    self.settings = settings
    self.disk = disk
    self.lock = lock
    let (second, rest) = UInt64(bitPattern: SystemClock.nanoseconds(CLOCK_REALTIME))
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    session = second << 30 ^ rest ^ UInt64(getpid()) << 48
    nextNumber = (segments.last?.number ?? 0) + 1
    nextSync = now.advanced(bySeconds: settings.syncSeconds)
    closedBytes = segments.reduce(0) { $0 + $1.bytes }
  }

  /// Writes one item, and before it how many are missing.
  mutating func append(_ entry: ItemRing.Entry, now: Timestamp) {
    if entry.lostBefore > 0 { lose(entry.lostBefore, .overflow) }
    if case .snapshot = entry.item {
      if isFullSince != nil { rotate(now) }
    } else if let since = isFullSince, now.seconds(since: since) > settings.snapshotSeconds {
      rotate(now)
    }
    guard file != nil else {
      if entry.item.isCounted { lose(1, .disk) }
      return
    }
    file?.append(entry.item)
    if case .snapshot(let image) = entry.item {
      stateBytes += image.bytes.count
      largestState = max(largestState, image.bytes.count)
    }
    if entry.item.isCounted { progress.written += 1 }
    if file?.hasMuchPending == true { flush(now) }
    if let size = file?.sizeWithPending, size - stateBytes >= settings.segmentBytes, isFullSince == nil {
      isFullSince = now
      snapshotRequests += 1
    }
  }

  /// Writes what is buffered, syncs and tries a refusing disk again when their time has come.
  mutating func tend(_ now: Timestamp) {
    flush(now)
    if let nextTry, now >= nextTry { resume(now) }
    // Behind a gap replay goes on from a state; not before it is over, for a state takes room as well.
    if hasGap, !isOverflowing {
      hasGap = false
      snapshotRequests += 1
    }
    isOverflowing = false
    guard now >= nextSync else { return }
    nextSync = now.advanced(bySeconds: settings.syncSeconds)
    sync(now)
  }

  /// Counts items that are missing at this place.
  mutating func lose(_ count: Int, _ reason: RecordedItem.LossReason) {
    progress.lost += count
    if reason == .overflow { (isOverflowing, hasGap) = (true, true) }
    if file != nil, owed == 0 {
      file?.append(.lost(count: count, reason: reason))
    } else {
      owed += count
    }
  }

  /// Writes and syncs what is left.
  mutating func finish(_ now: Timestamp) {
    flush(now)
    sync(now)
    file = nil
    progress.status = .closed
  }

  private mutating func flush(_ now: Timestamp) {
    do throws(WriteFailure) {
      try file?.flush()
      progress.bytes = closedBytes + (file?.size ?? 0)
    } catch { stop(error, now) }
  }

  private mutating func sync(_ now: Timestamp) {
    do throws(WriteFailure) { try file?.sync() } catch { stop(error, now) }
  }

  private mutating func stop(_ failure: WriteFailure, _ now: Timestamp) {
    progress.status = .stopped(reason: failure.reason)
    progress.written -= failure.lost
    progress.lost += failure.lost
    owed += failure.lost + failure.unsaid
    hasRefusedState = stateBytes > 0
    close()
    progress.bytes = closedBytes
    nextTry = now.advanced(bySeconds: settings.retrySeconds)
  }

  /// Begins a segment where the disk takes one again.
  private mutating func resume(_ now: Timestamp) {
    do throws(RecordingError) {
      try begin()
      flush(now)
      guard file != nil else { return }
      nextTry = nil
      progress.status = .recording
      if !hasRefusedState { snapshotRequests += 1 }
    } catch {
      nextTry = now.advanced(bySeconds: settings.retrySeconds)
    }
  }

  private mutating func rotate(_ now: Timestamp) {
    flush(now)
    sync(now)
    guard file != nil else { return }
    close()
    do throws(RecordingError) { try begin() } catch {
      if case .system(_, _, let reason) = error { stop(WriteFailure(reason: reason), now) }
    }
  }

  /// Leaves the segment; takes it away if nothing came into it.
  private mutating func close() {
    isFullSince = nil
    stateBytes = 0
    guard let size = file?.size, let path = file?.path, let records = file?.sequence else { return }
    file = nil
    if size > SegmentHeader.length {
      closedBytes += size
      precedingRecords = records
    } else if unlink(path) == 0 {
      nextNumber -= 1
    }
  }

  private mutating func begin() throws(RecordingError) {
    makeRoom()
    let started = Timestamp(nanoseconds: SystemClock.nanoseconds(CLOCK_REALTIME))
    var file = try SegmentFile(
      folder: folder,
      header: SegmentHeader(
        number: nextNumber, session: session, started: started, precedingRecords: precedingRecords),
      disk: disk)
    progress.segment = nextNumber
    nextNumber += 1
    if let configuration { file.append(.configuration(configuration)) }
    if owed > 0 { file.append(.lost(count: owed, reason: .disk)) }
    owed = 0
    self.file = consume file
  }

  /// Removes the oldest segments until one more fits under the total.
  private mutating func makeRoom() {
    let next = settings.segmentBytes + largestState
    guard closedBytes + next > settings.totalBytes,
      let segments = try? RecordingFolder.segments(of: folder)
    else { return }
    closedBytes = segments.reduce(0) { $0 + $1.bytes }
    for segment in segments where closedBytes + next > settings.totalBytes {
      if unlink(segment.path) == 0 { closedBytes -= segment.bytes }
    }
  }
}

extension RecordedItem {
  /// Whether it is one of those that replay needs and that are counted.
  package var isCounted: Bool {
    switch self {
    case .event, .tick: true
    case .lost, .snapshot, .configuration: false
    }
  }
}
