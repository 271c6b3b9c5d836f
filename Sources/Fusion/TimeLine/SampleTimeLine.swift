import LinearAlgebra
import Navigation

/// Puts samples in order of their own time, whatever the order they arrive in.
///
/// The newest are kept with snapshots of the state between them. A late one goes to its place, and the state
/// is worked out anew from the snapshot before it: the same samples give the same bits in any order.
struct SampleTimeLine: Sendable {
  private struct Entry: Sendable {
    var place: SensorSample.Place
    /// Its verdicts have been reported: working it out anew is silent.
    var isReported = false
    /// The sample, where it is the IMU's.
    var inertial: InertialSample
  }
  /// A sample of another sensor: apart, because it takes more room than all that comes between two of them.
  private struct Measured: Sendable {
    var place: SensorSample.Place
    var sample: SensorSample
  }
  /// Room for samples, 20 s at 200 Hz, and for those of other sensors among them, 4 s at 250 Hz. [chosen]
  private static let capacity = 4096, measuredCapacity = 1024

  /// The state after all samples that could be applied, and earlier ones.
  private var snapshots: SnapshotRing
  /// What the state began with.
  private var saved: SavedState?
  private let window: Double
  private let inertialGap: Double
  private var entries: Ring<Entry>
  /// The samples of `entries` that are not the IMU's, in the same order.
  private var measured: Ring<Measured>
  /// Number of samples dropped from the front of `entries`.
  private var dropped = 0
  /// Number of `entries`, and of `measured`, that `state` has seen.
  private var applied = 0
  private var measuredApplied = 0
  private var leapGuard = LeapGuard()
  /// Samples before this time can no longer be put in their place.
  private var oldest = Timestamp(nanoseconds: .min)
  /// Newest time of any sample, and of an IMU sample.
  private var newest: Timestamp?
  private var newestInertial: Timestamp?
  private var schedule = SnapshotSchedule()
  /// No snapshot is due before: one comparison a sample.
  private var quietUntil = Timestamp(nanoseconds: .min)
  /// Whether snapshots were taken since those that are too old were dropped.
  private var hasNewSnapshot = false

  init(settings: FusionConfiguration, saved: SavedState? = nil) {
    self.saved = saved
    window = settings.usableWindow
    inertialGap = settings.gaps.inertial
    // What stands in slots that were never used.
    let none = InertialSample(time: Timestamp(nanoseconds: 0), angularRate: .zero, specificForce: .zero)
    let place = SensorSample.Place(none)
    entries = Ring(capacity: Self.capacity, writing: Entry(place: place, inertial: none))
    measured = Ring(
      capacity: Self.measuredCapacity, writing: Measured(place: place, sample: .inertial(none)))
    snapshots = SnapshotRing(
      capacity: Int(window / SnapshotSchedule.leastInterval) + 8,
      banks: Int(window / SnapshotSchedule.bankInterval) + 4,
      of: FusionState(settings: settings, saved: saved))
  }

  /// The state after all samples that could be applied.
  var state: FusionState<NoRecorder> {
    @inline(__always) _read { yield snapshots.current }
  }

  /// What is known at `time`.
  @inline(__always) func solution(at time: Timestamp) -> NavigationSolution? { snapshots.solution(at: time) }

  /// Takes a sample of the IMU, in order of arrival.
  @inline(__always) mutating func insert(_ sample: InertialSample, verdicts: inout VerdictQueue) {
    let own = SensorSample.Place(sample)
    if leapGuard.isInTime(own.time, newest: newest, oldest: oldest, window: window) {
      put(sample, own, &verdicts)
    } else {
      examine(.inertial(sample), own, &verdicts)
    }
  }

  /// Takes a sample of any sensor, in order of arrival.
  mutating func insert(_ stamped: SensorSample, verdicts: inout VerdictQueue) {
    guard let sample = state.fixTimeOffset.corrected(stamped) else {
      return Self.reject(stamped, .repeated, &verdicts)
    }
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
    measured.removeAll()
    dropped = 0
    (applied, measuredApplied) = (0, 0)
    oldest = Timestamp(nanoseconds: .min)
    newest = nil
    (newestInertial, schedule, quietUntil) = (nil, SnapshotSchedule(), oldest)
  }

  /// Puts a sample in its place, `own`, and works out what follows from it.
  @inline(never) private mutating func put(
    _ sample: SensorSample, _ own: SensorSample.Place, _ verdicts: inout VerdictQueue
  ) {
    if own.isInertial, case .inertial(let inertial) = sample { return put(inertial, own, &verdicts) }
    guard let place = place(of: own) else { return Self.reject(sample, .repeated, &verdicts) }
    entries.insert(at: place) { ($0.place, $0.isReported) = (own, false) }
    var rank = measured.count
    while rank > 0, own < measured[rank - 1].place { rank -= 1 }
    measured.insert(at: rank) { ($0.place, $0.sample) = (own, sample) }
    newest = max(newest ?? own.time, own.time)
    catchUp(&verdicts)
    forgetIfDue()
  }

  /// The same of a sample of the IMU.
  @inline(__always) private mutating func put(
    _ sample: InertialSample, _ own: SensorSample.Place, _ verdicts: inout VerdictQueue
  ) {
    guard let place = place(of: own) else { return }
    entries.insert(at: place) { ($0.place, $0.isReported, $0.inertial) = (own, false, sample) }
    newest = max(newest ?? own.time, own.time)
    newestInertial = max(newestInertial ?? own.time, own.time)
    if applied == entries.count - 1 { applyNewest(sample, &verdicts) } else { catchUp(&verdicts) }
    forgetIfDue()
  }

  /// Where among `entries` a sample belongs, with the state as before it; nil where it is there already.
  @inline(__always) private mutating func place(of own: SensorSample.Place) -> Int? {
    var place = entries.count
    while place > 0, own < entries[place - 1].place { place -= 1 }
    if place > 0, entries[place - 1].place == own { return nil }
    if place < applied {
      schedule.noteLate(fix: own.isFix ? own.time : nil, newest: newest)
      rewind(to: place)
    }
    return place
  }

  private static func reject(
    _ sample: SensorSample, _ outcome: MeasurementVerdict.Outcome, _ verdicts: inout VerdictQueue
  ) {
    guard let kind = MeasurementVerdict.Kind(sample) else { return }
    verdicts.append(.init(sample.time, kind, outcome))
  }

  /// Goes back to the newest snapshot that has not seen the entry at `place`.
  private mutating func rewind(to place: Int) {
    quietUntil = oldest
    if snapshots.restore(applied: place + dropped), let newest = snapshots.newest {
      applied = newest.applied - dropped
    } else {
      snapshots.begin(with: FusionState(settings: state.settings, saved: saved))
      applied = 0
    }
    let first = entries[applied].place
    while measuredApplied > 0, !(measured[measuredApplied - 1].place < first) { measuredApplied -= 1 }
  }

  /// Applies the newest entry, a sample of the IMU that no other waits before, without reading it back.
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
      let place = entries[applied].place
      guard isReady(place) else { return }
      var isMeasured = false
      if entries[applied].isReported {
        apply(place) { _ in isMeasured = true }
      } else {
        entries[applied].isReported = true
        apply(place) {
          verdicts.append($0)
          isMeasured = true
        }
      }
      endStep(
        at: place.time, isFix: place.isFix, isBusy: isMeasured || snapshots.current.vibration.isReading)
    }
  }

  /// Applies the next entry, whose place is `place`.
  @inline(__always)
  private mutating func apply(_ place: SensorSample.Place, report: (MeasurementVerdict) -> Void) {
    if place.isInertial {
      // An IMU sample needs none after it.
      snapshots.current.take(entries[applied].inertial, report: report)
    } else {
      let following = nextInertial(after: applied)
      snapshots.current.process(measured[measuredApplied].sample, following: following, report: report)
      measuredApplied += 1
    }
    applied += 1
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
      if entries[i].place.isInertial { return entries[i].inertial }
      i += 1
    }
    return nil
  }

  /// After a sample: takes a snapshot, if one is due, or lets the navigators that seek the heading do some of
  /// their work, where it was no fix: each is work enough.
  @inline(__always) private mutating func endStep(at time: Timestamp, isFix: Bool, isBusy: Bool) {
    if time >= quietUntil, isSnapshotDue(at: time, isBusy: isBusy) {
      snapshots.append(.init(applied: applied + dropped, time: time))
      (hasNewSnapshot, quietUntil) = (true, schedule.quietUntil(after: time))
    } else if !isFix {
      snapshots.workOnBank()
    }
    if isFix { schedule.noteFix(at: time) }
  }

  @inline(never) private mutating func isSnapshotDue(at time: Timestamp, isBusy: Bool) -> Bool {
    guard let newest = snapshots.newest else { return true }
    let elapsed = time.seconds(since: newest.time)
    guard elapsed >= SnapshotSchedule.leastInterval else { return false }
    return schedule.isDue(
      at: time, elapsed: elapsed, isBusy: isBusy, hasBank: snapshots.hasBank,
      next: applied < entries.count ? entries[applied].place.time : nil)
  }

  @inline(__always) private mutating func forgetIfDue() {
    if hasNewSnapshot || entries.count >= Self.capacity - 1 { forget() }
  }

  /// Drops what is too old to go back to; always keeps one snapshot before the window.
  private mutating func forget() {
    hasNewSnapshot = false
    guard let newest else { return }
    while snapshots.count > 1, newest.seconds(since: snapshots[1].time) > window { snapshots.removeOldest() }
    guard let oldest = snapshots.oldest else { return }
    // Not before there are many: what comes from before the first snapshot still finds its place. Sooner
    // than they are too old only where samples come so fast that they outgrow the memory set aside.
    let isFull = entries.count >= Self.capacity - 1
    let count =
      isFull ? max(oldest.applied - dropped, min(applied, Self.capacity / 2)) : oldest.applied - dropped
    guard count >= 256 else { return }
    entries.removeFirst(count)
    dropped += count
    applied -= count
    let isEmpty = entries.count == 0
    var gone = 0
    while gone < measured.count, isEmpty || measured[gone].place < entries[0].place { gone += 1 }
    measured.removeFirst(gone)
    measuredApplied -= gone
    while let oldest = snapshots.oldest, oldest.applied < dropped { snapshots.removeOldest() }
    self.oldest = snapshots.oldest?.time ?? newest
    if snapshots.count == 0 { quietUntil = self.oldest }
  }
}
