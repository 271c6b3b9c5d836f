import CLibrary
import Locks
import Navigation
import SensorEvents

/// Records what an engine takes, on a thread of its own.
///
/// ``record(_:)`` never waits and never touches the disk: it puts the item into a bounded queue, or counts it
/// as lost. The thread encodes, writes every ``RecordingSettings/pollSeconds`` and syncs every
/// ``RecordingSettings/syncSeconds``, so a power cut costs about the last second. Where the disk is full or
/// refuses, recording stops with a status, what was recorded stays, and recording goes on in a new segment
/// once the disk takes one, with the number of lost items in it.
///
/// Its safety is not checked, because the compiler cannot see that the log belongs to the thread; what is
/// shared is under a mutex, and ring and atomics are safe by themselves.
public final class RecordingWriter: @unchecked Sendable {
  private let ring: ItemRing
  private let settings: RecordingSettings
  private let isStopping = Atomic<Bool>(false)
  private let needsSnapshot = Atomic<Bool>(false)
  private let isDone = Atomic<Bool>(false)
  private let shared = Mutex(RecordingProgress())
  private let onStatus: @Sendable (RecordingStatus) -> Void

  /// Opens the folder and starts recording into a new segment.
  ///
  /// `configuration` is kept at the head of each segment. `onStatus` is called on the
  /// recorder's thread at each change.
  public convenience init(
    folder: String, configuration: String? = nil, settings: RecordingSettings = RecordingSettings(),
    onStatus: @escaping @Sendable (RecordingStatus) -> Void = { _ in }
  ) throws(RecordingError) {
    try self.init(
      folder: folder, configuration: configuration, settings: settings, disk: Disk(), onStatus: onStatus)
  }

  package init(
    folder: String, configuration: String? = nil, settings: RecordingSettings, disk: Disk,
    onStatus: @escaping @Sendable (RecordingStatus) -> Void = { _ in }
  ) throws(RecordingError) {
    guard RecordingSettings.queueCapacities.contains(settings.queueCapacity) else {
      throw .queueCapacity(settings.queueCapacity, allowed: RecordingSettings.queueCapacities)
    }
    guard RecordingSettings.pollLimits.contains(settings.pollSeconds) else {
      throw .pollSeconds(settings.pollSeconds, allowed: RecordingSettings.pollLimits)
    }
    ring = ItemRing(capacity: settings.queueCapacity)
    self.settings = settings
    self.onStatus = onStatus
    let log = try SegmentLog.open(
      folder: folder, configuration: configuration, settings: settings, disk: disk, now: Self.now())
    shared.withLock { $0 = log.progress }
    try start(log)
  }

  /// Hands an item over; false where the queue is full and the item is counted as lost.
  /// For one thread at a time.
  @discardableResult
  public func record(_ item: RecordedItem) -> Bool { ring.put(item) }

  /// Whether the state of the engine is wanted: to begin the next segment with, or behind a gap.
  ///
  /// The thread that calls ``record(_:)`` then records a snapshot, or does nothing: the next segment begins
  /// without after ``RecordingSettings/snapshotSeconds``. True once each time.
  public func takeSnapshotRequest() -> Bool {
    needsSnapshot.load(ordering: .relaxed) && needsSnapshot.exchange(false, ordering: .relaxed)
  }

  /// What was done so far.
  public var progress: RecordingProgress { shared.withLock { $0 } }

  /// Writes what was handed over, and ends; false where the disk did not let it end in time.
  @discardableResult
  public func stop(within seconds: Double = 5) -> Bool {
    isStopping.store(true, ordering: .releasing)
    let limit = Self.now().advanced(bySeconds: seconds)
    while !isDone.load(ordering: .acquiring) {
      guard Self.now() < limit else { return false }
      usleep(1000)
    }
    return true
  }

  /// Carries the log, which cannot be copied, to the thread. Unchecked, because it is written before there is
  /// a thread, and taken once, by the thread: no two ever look at it.
  private final class Start: @unchecked Sendable {
    var log: SegmentLog?

    init(_ log: consuming SegmentLog) { self.log = consume log }
  }

  private func start(_ log: consuming SegmentLog) throws(RecordingError) {
    let start = Start(consume log)
    let code = PlainThread.start { [self] in
      if let log = start.log.take() { run(log) }
    }
    guard code == 0 else { throw .system("recorder", "start a thread", code) }
  }

  private func run(_ log: consuming SegmentLog) {
    var requests = log.snapshotRequests
    while true {
      let isLast = isStopping.load(ordering: .acquiring)
      while let entry = ring.take() { log.append(entry, now: Self.now()) }
      if isLast {
        let lost = ring.takeLost()
        if lost > 0 { log.lose(lost, .overflow) }
        log.finish(Self.now())
      } else {
        log.tend(Self.now())
      }
      if log.snapshotRequests != requests { needsSnapshot.store(true, ordering: .relaxed) }
      requests = log.snapshotRequests
      publish(log.progress)
      if isLast { break }
      usleep(UInt32(settings.pollSeconds * 1e6))
    }
    _ = consume log
    isDone.store(true, ordering: .releasing)
  }

  private func publish(_ progress: RecordingProgress) {
    let changed = shared.withLock { shared in
      defer { shared = progress }
      return shared.status != progress.status
    }
    if changed { onStatus(progress.status) }
  }

  private static func now() -> Timestamp {
    Timestamp(nanoseconds: SystemClock.nanoseconds(CLOCK_MONOTONIC))
  }
}
