import Navigation

/// States to go back to, oldest first, in slots that are allocated once: one that is full gives up its oldest.
struct SnapshotRing: Sendable {
  /// What is known of a snapshot without looking into it.
  struct Mark: Sendable {
    /// Number of samples, since the start, that it has seen.
    var applied: Int
    /// When it was taken.
    var time: Timestamp
  }

  private var states: [FusionState<NoRecorder>]
  private var marks: [Mark]
  private var first = 0
  private(set) var count = 0

  /// A ring of `capacity` slots, which all hold `state` until they are used.
  init(capacity: Int, filling state: FusionState<NoRecorder>) {
    states = Array(repeating: state, count: capacity)
    marks = Array(repeating: Mark(applied: 0, time: Timestamp(nanoseconds: .min)), count: capacity)
  }

  /// The mark of the `i`-th snapshot, 0 being the oldest.
  subscript(_ i: Int) -> Mark { marks[slot(i)] }

  var newest: Mark? { count > 0 ? self[count - 1] : nil }
  var oldest: Mark? { count > 0 ? self[0] : nil }

  mutating func append(_ state: FusionState<NoRecorder>, _ mark: Mark) {
    if count == states.count { removeOldest() }
    let slot = slot(count)
    states[slot] = state
    marks[slot] = mark
    count += 1
  }

  mutating func removeOldest() {
    first = slot(1)
    count -= 1
  }

  mutating func removeNewest() { count -= 1 }

  /// Copies the newest snapshot's state to `state`.
  func restoreNewest(_ state: inout FusionState<NoRecorder>) { state = states[slot(count - 1)] }

  private func slot(_ i: Int) -> Int {
    let slot = first + i
    return slot < states.count ? slot : slot - states.count
  }
}
