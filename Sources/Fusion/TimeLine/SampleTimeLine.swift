import Navigation

/// Puts samples in order of their own time, whatever the order they arrive in.
///
/// The newest samples are kept with snapshots of the state between them. A late one goes to its place, and the state is
/// worked out anew from the snapshot before it: the same samples give the same bits in any order of arrival.
struct SampleTimeLine: Sendable {
  private struct Entry: Sendable {
    var sample: SensorSample
    /// Its verdicts have been reported: working it out anew is silent.
    var isReported = false
  }
  private static let capacity = 4096
  private static let snapshotInterval = 0.1

  /// The state after all samples that could be applied.
  private(set) var state: FusionState<NoRecorder>
  private let settings: FusionConfiguration
  /// What the state began with.
  private var saved: SavedState?
  private let window: Double
  private let inertialGap: Double
  private var entries: [Entry] = []
  /// Number of samples dropped from the front of `entries`.
  private var dropped = 0
  /// Number of `entries` that `state` has seen.
  private var applied = 0
  private var snapshots: SnapshotRing
  private var leapGuard = LeapGuard()
  /// Samples before this time can no longer be put in their place.
  private var oldest = Timestamp(nanoseconds: .min)
  /// Newest time of any sample, and of an IMU sample.
  private var newest: Timestamp?
  private var newestInertial: Timestamp?

  init(settings: FusionConfiguration, saved: SavedState? = nil) {
    self.settings = settings
    self.saved = saved
    window = settings.window
    inertialGap = settings.inertialGap
    state = FusionState(settings: settings, saved: saved)
    entries.reserveCapacity(Self.capacity)
    snapshots = SnapshotRing(
      capacity: Int(settings.window / Self.snapshotInterval) + 8, filling: state)
  }

  /// Takes a sample, in order of arrival.
  mutating func insert(_ sample: SensorSample, verdicts: inout VerdictQueue) {
    switch leapGuard.examine(sample, newest: newest, oldest: oldest, window: window) {
    case .take: break
    case .hold(let dropped):
      if let dropped { Self.reject(dropped, .outlier, &verdicts) }
      return
    case .takeAfter(let held):
      if held.time < sample.time { place(held, &verdicts) }
    case .refuse:
      let late = newest?.seconds(since: sample.time) ?? 0
      Self.reject(sample, .stale(bySeconds: late), &verdicts)
      return
    case .beginAnew:
      beginAnew()
    }
    place(sample, &verdicts)
  }

  private mutating func beginAnew() {
    saved = nil
    state = FusionState(settings: settings)
    entries.removeAll(keepingCapacity: true)
    while snapshots.count > 0 { snapshots.removeNewest() }
    dropped = 0
    applied = 0
    oldest = Timestamp(nanoseconds: .min)
    newest = nil
    newestInertial = nil
  }

  /// Puts a sample in its place, and works out what follows from it.
  private mutating func place(_ sample: SensorSample, _ verdicts: inout VerdictQueue) {
    let time = sample.time
    var place = entries.count
    while place > 0, sample.precedes(entries[place - 1].sample) { place -= 1 }
    if place > 0, entries[place - 1].sample.isRepeated(by: sample) {
      Self.reject(sample, .repeated, &verdicts)
      return
    }
    if place < applied { rewind(to: place) }
    entries.insert(Entry(sample: sample), at: place)
    newest = max(newest ?? time, time)
    if case .inertial = sample { newestInertial = max(newestInertial ?? time, time) }
    catchUp(&verdicts)
    forget()
  }

  private static func reject(
    _ sample: SensorSample, _ outcome: MeasurementVerdict.Outcome, _ verdicts: inout VerdictQueue
  ) {
    guard let kind = MeasurementVerdict.Kind(sample) else { return }
    verdicts.append(.init(sample.time, kind, outcome))
  }

  /// Goes back to the newest snapshot that has not seen the entry at `place`.
  private mutating func rewind(to place: Int) {
    while let newest = snapshots.newest, newest.applied - dropped > place { snapshots.removeNewest() }
    if let newest = snapshots.newest {
      snapshots.restoreNewest(&state)
      applied = newest.applied - dropped
    } else {
      state = FusionState(settings: settings, saved: saved)
      applied = 0
    }
  }

  private mutating func catchUp(_ verdicts: inout VerdictQueue) {
    while applied < entries.count, isReady(entries[applied].sample) {
      let entry = entries[applied]
      let following = nextInertial(after: applied)
      if entry.isReported {
        state.process(entry.sample, following: following) { _ in }
      } else {
        state.process(entry.sample, following: following) { verdicts.append($0) }
        entries[applied].isReported = true
      }
      applied += 1
      snapshotIfDue(at: entry.sample.time)
    }
  }

  /// Measurements wait for the IMU sample that reaches past them, but not longer than a gap in the IMU lasts.
  private func isReady(_ sample: SensorSample) -> Bool {
    if case .inertial = sample { return true }
    guard let newestInertial, let newest else { return true }
    return newestInertial >= sample.time || newest.seconds(since: newestInertial) > inertialGap
  }

  private func nextInertial(after index: Int) -> InertialSample? {
    var i = index + 1
    while i < entries.count {
      if case .inertial(let sample) = entries[i].sample { return sample }
      i += 1
    }
    return nil
  }

  private mutating func snapshotIfDue(at time: Timestamp) {
    if let newest = snapshots.newest, time.seconds(since: newest.time) < Self.snapshotInterval { return }
    snapshots.append(state, .init(applied: applied + dropped, time: time))
  }

  /// Drops what is too old to go back to; always keeps one snapshot before the window.
  private mutating func forget() {
    guard let newest else { return }
    while snapshots.count > 1, newest.seconds(since: snapshots[1].time) > window { snapshots.removeOldest() }
    guard let oldest = snapshots.oldest else { return }
    // In lumps, so that moving the rest up costs little a sample; and sooner only where samples come so fast that
    // they outgrow the memory set aside.
    let isFull = entries.count >= Self.capacity - 1
    let count =
      isFull ? max(oldest.applied - dropped, min(applied, Self.capacity / 2)) : oldest.applied - dropped
    guard count >= 256 else { return }
    entries.removeFirst(count)
    dropped += count
    applied -= count
    while let oldest = snapshots.oldest, oldest.applied < dropped { snapshots.removeOldest() }
    self.oldest = snapshots.oldest?.time ?? newest
  }
}

extension SensorSample {
  /// Among samples of the same time: the IMU's first, fixes last.
  private var rank: Int {
    switch self {
    case .inertial: 0
    case .wheel: 1
    case .gnss: 2
    }
  }

  /// Whether it is applied before another.
  func precedes(_ other: SensorSample) -> Bool {
    time != other.time ? time < other.time : rank < other.rank
  }

  /// Whether another is of the same time and sensor.
  func isRepeated(by other: SensorSample) -> Bool { time == other.time && rank == other.rank }
}

extension MeasurementVerdict.Kind {
  /// The measurement that a sample is, if it is one.
  init?(_ sample: SensorSample) {
    switch sample {
    case .inertial: return nil
    case .gnss: self = .gnssPosition
    case .wheel: self = .wheelSpeed
    }
  }
}
