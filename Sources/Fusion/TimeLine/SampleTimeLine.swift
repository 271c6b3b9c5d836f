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
  private struct Snapshot: Sendable {
    var state: FusionState
    /// Number of samples, since the start, that it has seen.
    var applied: Int
    var time: Timestamp
  }

  private static let capacity = 4096
  private static let snapshotInterval = 0.1

  /// The state after all samples that could be applied.
  private(set) var state: FusionState
  private let settings: FusionConfiguration
  private var entries: [Entry] = []
  /// Number of samples dropped from the front of `entries`.
  private var dropped = 0
  /// Number of `entries` that `state` has seen.
  private var applied = 0
  private var snapshots: [Snapshot] = []
  /// Newest time of any sample, and of an IMU sample.
  private var newest: Timestamp?
  private var newestInertial: Timestamp?

  init(settings: FusionConfiguration) {
    self.settings = settings
    state = FusionState(settings: settings)
    entries.reserveCapacity(Self.capacity)
    snapshots.reserveCapacity(Int(settings.window / Self.snapshotInterval) + 8)
  }

  /// Takes a sample to its place and works out what follows from it.
  mutating func insert(_ sample: SensorSample, verdicts: inout VerdictQueue) {
    let time = sample.time
    if let newest, newest.seconds(since: time) > settings.window || isBeforeHistory(time) {
      reject(sample, .stale(bySeconds: newest.seconds(since: time)), &verdicts)
      return
    }
    var place = entries.count
    while place > 0, precedes(sample, entries[place - 1].sample) { place -= 1 }
    if place > 0, entries[place - 1].sample.time == time, rank(entries[place - 1].sample) == rank(sample) {
      reject(sample, .repeated, &verdicts)
      return
    }
    if place < applied { rewind(to: place) }
    entries.insert(Entry(sample: sample), at: place)
    newest = max(newest ?? time, time)
    if case .inertial = sample { newestInertial = max(newestInertial ?? time, time) }
    catchUp(&verdicts)
    forget()
  }

  private func isBeforeHistory(_ time: Timestamp) -> Bool {
    guard let first = snapshots.first, dropped > 0 else { return false }
    return time < first.time
  }

  /// Samples of the same time: the IMU's first, fixes last.
  private func rank(_ sample: SensorSample) -> Int {
    switch sample {
    case .inertial: 0
    case .wheel: 1
    case .gnss: 2
    }
  }

  private func precedes(_ a: SensorSample, _ b: SensorSample) -> Bool {
    a.time != b.time ? a.time < b.time : rank(a) < rank(b)
  }

  private func reject(
    _ sample: SensorSample, _ outcome: MeasurementVerdict.Outcome, _ verdicts: inout VerdictQueue
  ) {
    guard let kind = MeasurementVerdict.Kind(sample) else { return }
    verdicts.append(.init(sample.time, kind, outcome))
  }

  /// Goes back to the newest snapshot that has not seen the entry at `place`.
  private mutating func rewind(to place: Int) {
    while let last = snapshots.last, last.applied - dropped > place { snapshots.removeLast() }
    if let last = snapshots.last {
      state = last.state
      applied = last.applied - dropped
    } else {
      state = FusionState(settings: settings)
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
    return newestInertial >= sample.time || newest.seconds(since: newestInertial) > settings.inertialGap
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
    if let last = snapshots.last, time.seconds(since: last.time) < Self.snapshotInterval { return }
    snapshots.append(Snapshot(state: state, applied: applied + dropped, time: time))
  }

  /// Drops what is too old to go back to; always keeps one snapshot before the window.
  private mutating func forget() {
    guard let newest else { return }
    while snapshots.count > 1, newest.seconds(since: snapshots[1].time) > settings.window {
      snapshots.removeFirst()
    }
    guard let first = snapshots.first else { return }
    let old = first.applied - dropped
    // In lumps, so that moving the rest up costs little a sample.
    guard old >= 256 || entries.count >= Self.capacity - 1 else { return }
    let count = old > 0 ? old : entries.count / 2
    guard count <= applied else { return }
    entries.removeFirst(count)
    dropped += count
    applied -= count
    while let first = snapshots.first, first.applied < dropped { snapshots.removeFirst() }
  }
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
