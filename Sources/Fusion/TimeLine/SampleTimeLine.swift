import LinearAlgebra
import Navigation

/// Puts samples in order of their own time, whatever the order they arrive in.
///
/// The newest samples are kept with snapshots of the state between them. A late one goes to its place, and the state is
/// worked out anew from the snapshot before it: the same samples give the same bits in any order of arrival.
struct SampleTimeLine: Sendable {
  private struct Entry: Sendable {
    var sample: SensorSample
    var place: SensorSample.Place
    /// Its verdicts have been reported: working it out anew is silent.
    var isReported = false

    init(sample: SensorSample, place: SensorSample.Place) { (self.sample, self.place) = (sample, place) }

    /// What stands in slots that were never used.
    static var none: Entry {
      let sample = SensorSample.inertial(
        InertialSample(time: Timestamp(nanoseconds: 0), angularRate: .zero, specificForce: .zero))
      return Entry(sample: sample, place: sample.place)
    }
  }
  /// Room for samples: 20 s at 200 Hz. [chosen]
  private static let capacity = 4096
  /// Time between snapshots, s, how long one may wait for a sample that does little else, and the same while the heading is
  /// sought. [chosen]
  private static let snapshotInterval = 0.1, longestSnapshotInterval = 0.15, bankSnapshotInterval = 0.2

  /// The state after all samples that could be applied, and earlier ones.
  private var snapshots: SnapshotRing
  /// What the state began with.
  private var saved: SavedState?
  private let window: Double
  private let inertialGap: Double
  private var entries = Ring<Entry>(capacity: Self.capacity, writing: .none)
  /// Number of samples dropped from the front of `entries`.
  private var dropped = 0
  /// Number of `entries` that `state` has seen.
  private var applied = 0
  private var leapGuard = LeapGuard()
  /// Samples before this time can no longer be put in their place.
  private var oldest = Timestamp(nanoseconds: .min)
  /// Newest time of any sample, and of an IMU sample.
  private var newest: Timestamp?
  private var newestInertial: Timestamp?
  /// Whether snapshots were taken since those that are too old were dropped.
  private var hasNewSnapshot = false

  init(settings: FusionConfiguration, saved: SavedState? = nil) {
    self.saved = saved
    window = settings.window
    inertialGap = settings.gaps.inertial
    snapshots = SnapshotRing(
      capacity: Int(settings.window / Self.snapshotInterval) + 8,
      banks: Int(settings.window / Self.bankSnapshotInterval) + 4,
      of: FusionState(settings: settings, saved: saved))
  }

  /// The state after all samples that could be applied.
  var state: FusionState<NoRecorder> {
    @inline(__always) _read { yield snapshots.current }
  }

  /// What is known at `time`.
  @inline(__always) func solution(at time: Timestamp) -> NavigationSolution? { snapshots.solution(at: time) }

  /// Takes a sample, in order of arrival.
  @inline(__always) mutating func insert(_ sample: SensorSample, verdicts: inout VerdictQueue) {
    let own = sample.place
    if leapGuard.isInTime(own.time, newest: newest, oldest: oldest, window: window) {
      put(sample, own, &verdicts)
    } else {
      examine(sample, own, &verdicts)
    }
  }

  /// Takes a sample that may be stamped wrongly, or comes after one that was.
  @inline(never) private mutating func examine(
    _ sample: SensorSample, _ own: SensorSample.Place, _ verdicts: inout VerdictQueue
  ) {
    switch leapGuard.examine(sample, newest: newest, oldest: oldest, window: window) {
    case .take: break
    case .hold(let dropped):
      if let dropped { Self.reject(dropped, .outlier, &verdicts) }
      return
    case .takeAfter(let held):
      if held.time < own.time { put(held, held.place, &verdicts) }
    case .refuse:
      let late = newest?.seconds(since: own.time) ?? 0
      Self.reject(sample, .stale(bySeconds: late), &verdicts)
      return
    case .beginAnew:
      beginAnew()
    }
    put(sample, own, &verdicts)
  }

  private mutating func beginAnew() {
    saved = nil
    snapshots.begin(with: FusionState(settings: state.settings))
    entries.removeAll()
    dropped = 0
    applied = 0
    oldest = Timestamp(nanoseconds: .min)
    newest = nil
    newestInertial = nil
  }

  /// Puts a sample in its place, `own`, and works out what follows from it.
  @inline(__always) private mutating func put(
    _ sample: SensorSample, _ own: SensorSample.Place, _ verdicts: inout VerdictQueue
  ) {
    let time = own.time
    var place = entries.count
    while place > 0, own < entries[place - 1].place { place -= 1 }
    if place > 0, entries[place - 1].place == own {
      Self.reject(sample, .repeated, &verdicts)
      return
    }
    if place < applied { rewind(to: place) }
    entries.insert(at: place) {
      $0.sample = sample
      ($0.place, $0.isReported) = (own, false)
    }
    newest = max(newest ?? time, time)
    if own.isInertial { newestInertial = max(newestInertial ?? time, time) }
    if case .inertial(let inertial) = sample, applied == entries.count - 1 {
      applyNewest(inertial, &verdicts)
    } else {
      catchUp(&verdicts)
    }
    if hasNewSnapshot || entries.count >= Self.capacity - 1 { forget() }
  }

  private static func reject(
    _ sample: SensorSample, _ outcome: MeasurementVerdict.Outcome, _ verdicts: inout VerdictQueue
  ) {
    guard let kind = MeasurementVerdict.Kind(sample) else { return }
    verdicts.append(.init(sample.time, kind, outcome))
  }

  /// Goes back to the newest snapshot that has not seen the entry at `place`.
  private mutating func rewind(to place: Int) {
    if snapshots.restore(applied: place + dropped), let newest = snapshots.newest {
      applied = newest.applied - dropped
    } else {
      snapshots.begin(with: FusionState(settings: state.settings, saved: saved))
      applied = 0
    }
  }

  /// Applies the newest entry, a sample of the IMU that no other waits before: the usual case, and nothing is read back.
  @inline(__always)
  private mutating func applyNewest(_ inertial: InertialSample, _ verdicts: inout VerdictQueue) {
    var isMeasured = false
    snapshots.current.take(inertial) {
      verdicts.append($0)
      isMeasured = true
    }
    entries[applied].isReported = true
    applied += 1
    endStep(at: inertial.time, isFix: false, isBusy: isMeasured || snapshots.current.vibration.isReading)
  }

  private mutating func catchUp(_ verdicts: inout VerdictQueue) {
    while applied < entries.count {
      let entry = entries[applied]
      guard isReady(entry.place) else { return }
      // An IMU sample needs none after it.
      let following = entry.place.isInertial ? nil : nextInertial(after: applied)
      var isMeasured = false
      if entry.isReported {
        snapshots.current.process(entry.sample, following: following) { _ in isMeasured = true }
      } else {
        snapshots.current.process(entry.sample, following: following) {
          verdicts.append($0)
          isMeasured = true
        }
        entries[applied].isReported = true
      }
      applied += 1
      endStep(
        at: entry.place.time, isFix: entry.place.isFix,
        isBusy: isMeasured || snapshots.current.vibration.isReading)
    }
  }

  /// Measurements wait for the IMU sample that reaches past them, but not longer than a gap in the IMU lasts.
  private func isReady(_ place: SensorSample.Place) -> Bool {
    if place.isInertial { return true }
    guard let newestInertial, let newest else { return true }
    return newestInertial >= place.time || newest.seconds(since: newestInertial) > inertialGap
  }

  private func nextInertial(after index: Int) -> InertialSample? {
    var i = index + 1
    while i < entries.count {
      if entries[i].place.isInertial, case .inertial(let sample) = entries[i].sample { return sample }
      i += 1
    }
    return nil
  }

  /// After a sample: takes a snapshot, if one is due, and lets the navigators that seek the heading do some of their work, where
  /// it was no fix: that is work enough.
  @inline(__always) private mutating func endStep(at time: Timestamp, isFix: Bool, isBusy: Bool) {
    let isDue = isSnapshotDue(at: time, isBusy: isBusy)
    if isDue {
      snapshots.append(.init(applied: applied + dropped, time: time))
      hasNewSnapshot = true
    }
    if !isFix { snapshots.workOnBank(afterSnapshot: isDue) }
  }

  /// Whether to take a snapshot after a sample: of those that took much work as it is only where it has waited for long, and
  /// more seldom where there are many navigators to copy.
  @inline(__always) private func isSnapshotDue(at time: Timestamp, isBusy: Bool) -> Bool {
    guard let newest = snapshots.newest else { return true }
    let interval =
      snapshots.hasBank
      ? Self.bankSnapshotInterval : isBusy ? Self.longestSnapshotInterval : Self.snapshotInterval
    return time.seconds(since: newest.time) >= interval
  }

  /// Drops what is too old to go back to; always keeps one snapshot before the window.
  private mutating func forget() {
    hasNewSnapshot = false
    guard let newest else { return }
    while snapshots.count > 1, newest.seconds(since: snapshots[1].time) > window { snapshots.removeOldest() }
    guard let oldest = snapshots.oldest else { return }
    // Not before there are many: at the start what comes from before the first snapshot still finds its place. Sooner
    // than they are too old only where samples come so fast that they outgrow the memory set aside.
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
  /// Where a sample belongs among all others: by time, and among those of one time by the rank of its kind.
  struct Place: Comparable, Sendable {
    let time: Timestamp
    let rank: UInt8

    var isInertial: Bool { rank == SensorKind.inertial.rawValue }
    var isFix: Bool { rank == SensorKind.gnss.rawValue }

    static func < (a: Place, b: Place) -> Bool { a.time != b.time ? a.time < b.time : a.rank < b.rank }
  }

  @inline(__always) var place: Place { Place(time: time, rank: kind.rawValue) }
}

extension MeasurementVerdict.Kind {
  /// The measurement that a sample is, if it is one.
  init?(_ sample: SensorSample) {
    switch sample.kind {
    case .inertial: return nil
    case .gnss: self = .gnssPosition
    case .wheel: self = .wheelSpeed
    case .pressure: self = .barometer
    }
  }
}
