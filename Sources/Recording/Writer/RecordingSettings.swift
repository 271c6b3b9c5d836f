/// How much is kept, and how soon it is safe.
public struct RecordingSettings: Sendable {
  /// A segment is closed and the next begun at this size: a few minutes at 200 Hz, so that removing
  /// the oldest loses little.
  public var segmentBytes = 16 << 20
  /// The oldest segments go when all of them together would pass this; about 16 hours at 200 Hz.
  public var totalBytes = 1 << 30
  /// The disk is asked to keep what was written this often, s. A power cut costs at most
  /// this and ``pollSeconds``.
  public var syncSeconds = 1.0
  /// The writer looks for items this often, s: seldom enough to write many at once.
  public var pollSeconds = 0.05
  /// What it may be. [chosen: a busy loop below, a queue that overflows above]
  static let pollLimits = 0.001...5.0
  /// A disk that refused is tried again this often, s.
  public var retrySeconds = 1.0
  /// Items that wait for the writer at most: over 20 s at 200 Hz, for disks that stall.
  public var queueCapacity = 8192
  /// What it may be. [chosen: no queue is of none; 16 million items fill a small computer's memory]
  static let queueCapacities = 1...(1 << 24)
  /// Once a segment is full, how long the engine's state is waited for to begin the next with, s.
  public var snapshotSeconds = 2.0

  /// The defaults.
  public init() {}
}

/// How the recorder is doing.
public enum RecordingStatus: Sendable, Equatable {
  /// Items are written.
  case recording
  /// The disk refuses, for a reason in words; items are counted as lost, and the disk is tried again.
  case stopped(reason: String)
  /// It was stopped on demand.
  case closed
}

/// What a recorder has done so far.
public struct RecordingProgress: Sendable, Equatable {
  /// How it is doing.
  public var status = RecordingStatus.recording
  /// Items written.
  public var written = 0
  /// Items lost, to overflow or the disk.
  public var lost = 0
  /// Bytes of all segments.
  public var bytes = 0
  /// Number of the segment that is being written.
  public var segment: UInt64 = 0
}
